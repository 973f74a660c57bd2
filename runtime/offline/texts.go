package offline

import (
	"fmt"
	"regexp/syntax"
	"strconv"
	"strings"
)

// simpleTexts returns strings to try where the words of the user give none.
func simpleTexts(n node, nth int) []string {
	if sample, ok := samples()[n.text("format")]; ok {
		if nth > 0 {
			return []string{fmt.Sprintf(sample[1], nth+1)}
		}
		return []string{sample[0]}
	}
	text := "text"
	if nth > 0 {
		text += strconv.Itoa(nth + 1)
	}
	out := []string{sized(text, n)}
	if pattern := n.text("pattern"); pattern != "" {
		for _, text := range matches(pattern, nth) {
			out = append(out, text, sized(text, n)) // longer where the pattern leaves the ends open
		}
	}
	return out
}

// samples has a value for each format of JSON Schema, and how to write others.
func samples() map[string][2]string {
	return map[string][2]string{
		"date":                  {"2024-01-01", "2024-01-%02d"},
		"date-time":             {"2024-01-01T12:00:00Z", "2024-01-%02dT12:00:00Z"},
		"time":                  {"12:00:00Z", "12:%02d:00Z"},
		"duration":              {"P1D", "P%dD"},
		"email":                 {"ada@example.com", "ada%d@example.com"},
		"idn-email":             {"ada@example.com", "ada%d@example.com"},
		"hostname":              {"example.com", "host%d.example.com"},
		"idn-hostname":          {"example.com", "host%d.example.com"},
		"ipv4":                  {"192.0.2.1", "192.0.2.%d"},
		"ipv6":                  {"2001:db8::1", "2001:db8::%x"},
		"uri":                   {"https://example.com/", "https://example.com/%d"},
		"iri":                   {"https://example.com/", "https://example.com/%d"},
		"uri-reference":         {"https://example.com/", "https://example.com/%d"},
		"iri-reference":         {"https://example.com/", "https://example.com/%d"},
		"uri-template":          {"https://example.com/{id}", "https://example.com/%d/{id}"},
		"uuid":                  {"00000000-0000-4000-8000-000000000000", "00000000-0000-4000-8000-%012d"},
		"json-pointer":          {"/a", "/a%d"},
		"relative-json-pointer": {"0", "%d"},
		"regex":                 {".*", "a{%d}"},
	}
}

// matches returns strings that a regular expression matches, the shortest
// first.
func matches(pattern string, nth int) []string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	var out []string
	for _, more := range []int{nth, nth + 1, 2, 4, 8, 16, 32, 64} {
		m := matcher{more: more, nth: nth, budget: 4096}
		m.write(re)
		if !m.failed {
			out = append(out, m.out.String())
		}
	}
	return out
}

// A matcher writes one string that an expression matches.
type matcher struct {
	out    strings.Builder
	more   int // how often a part is repeated beyond what it needs
	nth    int // which of the strings: the characters of classes count up
	budget int
	failed bool
}

func (m *matcher) write(re *syntax.Regexp) {
	if m.budget--; m.budget < 0 {
		m.failed = true
	}
	if m.failed {
		return
	}
	switch re.Op {
	case syntax.OpNoMatch:
		m.failed = true
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			m.out.WriteRune(r)
		}
	case syntax.OpCharClass:
		m.out.WriteRune(m.pick(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		m.out.WriteByte('a')
	case syntax.OpCapture:
		m.write(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			m.write(sub)
		}
	case syntax.OpAlternate:
		m.write(re.Sub[m.more%len(re.Sub)])
	case syntax.OpStar:
		m.repeat(re.Sub[0], 0, -1)
	case syntax.OpPlus:
		m.repeat(re.Sub[0], 1, -1)
	case syntax.OpQuest:
		m.repeat(re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		m.repeat(re.Sub[0], re.Min, re.Max)
	}
}

func (m *matcher) repeat(re *syntax.Regexp, least, most int) {
	n := least + m.more
	if most >= 0 {
		n = min(n, most)
	}
	for range n {
		m.write(re)
	}
}

// pick returns a character of a class; for another nth, another one.
func (m *matcher) pick(ranges []rune) rune {
	plain := simplest(ranges)
	size := 0
	for i := 0; i+1 < len(ranges); i += 2 {
		size += int(ranges[i+1]-ranges[i]) + 1
	}
	digit := 0
	if size > 1 {
		m.nth, digit = m.nth/size, m.nth%size
	}
	if digit == 0 {
		return plain
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		for c := ranges[i]; c <= ranges[i+1]; c++ {
			if c == plain {
				continue
			}
			if digit--; digit == 0 {
				return c
			}
		}
	}
	return plain
}

// simplest returns a plain character of a class, given as pairs of limits.
func simplest(ranges []rune) rune {
	for _, want := range "aA0 -_" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= want && want <= ranges[i+1] {
				return want
			}
		}
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		if ranges[i+1] >= '!' {
			return max(ranges[i], '!')
		}
	}
	if len(ranges) == 0 {
		return 'a'
	}
	return ranges[0]
}
