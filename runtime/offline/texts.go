package offline

import (
	"regexp/syntax"
	"strconv"
	"strings"
)

// simpleTexts returns strings to try where the words of the user give none.
func simpleTexts(n node, nth int) []string {
	if sample, ok := samples()[n.text("format")]; ok {
		return []string{sample}
	}
	text := "text"
	if nth > 0 {
		text += strconv.Itoa(nth + 1)
	}
	out := []string{sized(text, n)}
	if pattern := n.text("pattern"); pattern != "" {
		out = append(out, matches(pattern, nth)...)
	}
	return out
}

// samples has one value for each format of JSON Schema.
func samples() map[string]string {
	return map[string]string{
		"date":                  "2024-01-01",
		"date-time":             "2024-01-01T12:00:00Z",
		"time":                  "12:00:00Z",
		"duration":              "P1D",
		"email":                 "ada@example.com",
		"idn-email":             "ada@example.com",
		"hostname":              "example.com",
		"idn-hostname":          "example.com",
		"ipv4":                  "192.0.2.1",
		"ipv6":                  "2001:db8::1",
		"uri":                   "https://example.com/",
		"iri":                   "https://example.com/",
		"uri-reference":         "https://example.com/",
		"iri-reference":         "https://example.com/",
		"uri-template":          "https://example.com/{id}",
		"uuid":                  "00000000-0000-4000-8000-000000000000",
		"json-pointer":          "/a",
		"relative-json-pointer": "0",
		"regex":                 ".*",
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
		m := matcher{more: more, budget: 4096}
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
		m.out.WriteRune(simplest(re.Rune))
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
