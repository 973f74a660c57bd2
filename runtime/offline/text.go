package offline

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// samples has a value for each format of JSON Schema. Its last 1 counts up for
// more values.
const samples = `date=2024-01-01 date-time=2024-01-01T12:00:01Z time=12:00:01Z duration=P1D
	email=user1@example.com idn-email=user1@example.com hostname=host1.example.com idn-hostname=host1.example.com
	ipv4=192.0.2.1 ipv6=2001:db8::1 uri=https://example.com/1 iri=https://example.com/1
	uri-reference=https://example.com/1 iri-reference=https://example.com/1 uri-template=https://example.com/1
	uuid=00000000-0000-4000-8000-000000000001 json-pointer=/1 relative-json-pointer=1 regex=a1`

// simpleTexts returns strings to try where the words of the user give none.
func simpleTexts(s *jsonschema.Node, nth int) []string {
	all := []string{"text"}
	if nth > 0 {
		all[0] += strconv.Itoa(nth + 1)
	}
	for sample := range strings.FieldsSeq(samples) {
		format, text, _ := strings.Cut(sample, "=")
		if i := strings.LastIndexByte(text, '1'); format == s.Get("format").Text() {
			all = append(all, text[:i]+strconv.Itoa(nth+1)+text[i+1:])
		}
	}
	re, err := syntax.Parse(s.Get("pattern").Text(), syntax.Perl)
	if err != nil {
		return all
	}
	for _, more := range []int{nth, nth + 1, 2, 4, 8, 16, 32, 64} {
		var out strings.Builder
		writeMatch(&out, re.Simplify(), more, nth)
		all = append(all, out.String())
	}
	return all
}

// writeMatch writes a text that a regular expression matches, as far as that is known
// from its parts alone: with more repetitions than needed, and the nth of the
// plain characters of a class.
func writeMatch(out *strings.Builder, re *syntax.Regexp, more, nth int) {
	const maxLength = 4096
	repeat := 1
	switch re.Op {
	case syntax.OpLiteral:
		out.WriteString(string(re.Rune))
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.WriteRune(pickRune(re, nth))
	case syntax.OpAlternate:
		writeMatch(out, re.Sub[more%len(re.Sub)], more, nth)
		return
	case syntax.OpStar:
		repeat = more
	case syntax.OpPlus:
		repeat = 1 + more
	case syntax.OpQuest:
		repeat = min(more, 1)
	}
	for range repeat {
		for _, sub := range re.Sub {
			if out.Len() < maxLength {
				writeMatch(out, sub, more, nth)
			}
		}
	}
}

// pickRune returns the nth plain character of a class, or its first one where it
// has none.
func pickRune(class *syntax.Regexp, nth int) rune {
	matcher := regexp.MustCompile("^" + class.String())
	var plain []rune
	for _, r := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.!" {
		if matcher.MatchString(string(r)) {
			plain = append(plain, r)
		}
	}
	if len(plain) == 0 {
		return append(class.Rune, 'a')[0]
	}
	return plain[nth%len(plain)]
}

// sizedText repeats and cuts text until it has the length that s asks for.
func sizedText(text string, s *jsonschema.Node) string {
	runes := []rune(text)
	if least := intKeyword(s, "minLength", 0); len(runes) > 0 && len(runes) < least && least <= 1<<20 {
		runes = slices.Repeat(append(runes, ' '), least/len(runes)+1)[:least]
	}
	return string(runes[:min(len(runes), intKeyword(s, "maxLength", len(runes)))])
}
