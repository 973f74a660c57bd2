package visible

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// MaxArguments is how many bytes of the arguments a question shows; more would not be
// read.
const MaxArguments = 4000

// Arguments shows the arguments of a call one by one, as JSON, so that nothing in
// them is hidden from the user who approves it. It reports whether all of them are
// shown.
func Arguments(args json.RawMessage) (text string, whole bool) {
	var values map[string]any
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	if d.Decode(&values) != nil || len(values) == 0 {
		shown, whole := shortened(Exactly(string(args)), MaxArguments)
		return "  " + shown + "\n", whole
	}
	var lines strings.Builder
	whole = true
	names := slices.Sorted(maps.Keys(values))
	for i, name := range names {
		left := MaxArguments - lines.Len()
		if left <= 0 {
			fmt.Fprintf(&lines, "  … %d of %d arguments left out\n", len(names)-i, len(names))
			return lines.String(), false
		}
		shown, all := shortened(Exactly(valueText(values[name])), left)
		fmt.Fprintf(&lines, "  %s: %s\n", nameText(name), shown)
		if word := mixedAlphabets(shown); word != "" {
			fmt.Fprintf(&lines, "    (letters of several alphabets: %s)\n", word)
		}
		whole = whole && all
	}
	return lines.String(), whole
}

// valueText writes a value anew, without the escapes that the model chose.
func valueText(value any) string {
	text, err := plainjson.Marshal(value)
	if err != nil {
		panic("gramc: decoded JSON has no JSON form: " + err.Error())
	}
	return string(text)
}

var simpleName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`) })

func nameText(name string) string {
	if simpleName().MatchString(name) {
		return name
	}
	text, _ := shortened(Exactly(valueText(name)), MaxArguments/10)
	return text
}

// shortened leaves out the middle of a text that is too long, and reports
// whether it did not have to.
func shortened(text string, most int) (short string, whole bool) {
	if len(text) <= most {
		return text, true
	}
	head := excerpt.Bytes(text, most/2)
	tail := text[len(text)-most/4:]
	for tail != "" && tail[0]&0xc0 == 0x80 { // inside of a character
		tail = tail[1:]
	}
	return fmt.Sprintf("%s … %d bytes left out … %s", head, len(text)-len(head)-len(tail), tail), false
}

var manySpaces = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` {9,}`) })

// Exactly is [Line] for text in which everything must be visible: invisible
// characters and those that look like a space are escaped, and many spaces
// counted.
func Exactly(text string) string {
	unseen := func(r rune) bool {
		switch r {
		case '\u115f', '\u1160', '\u2800', '\u3164', '\uffa0': // letters that are not visible
			return true
		}
		return r != ' ' && unicode.In(r, unicode.Zs, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
	}
	var b strings.Builder
	for _, r := range Line(text) {
		if unseen(r) {
			fmt.Fprintf(&b, `\u{%x}`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return manySpaces().ReplaceAllStringFunc(b.String(), func(spaces string) string {
		return fmt.Sprintf(" [%d spaces] ", len(spaces))
	})
}

// mixedAlphabets returns the first word with letters of several alphabets that look alike,
// escaped; "" when there is none.
func mixedAlphabets(text string) string {
	alphabets := []*unicode.RangeTable{unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		found := 0
		for _, alphabet := range alphabets {
			if strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(alphabet, r) }) {
				found++
			}
		}
		if found > 1 {
			return excerpt.Short(strconv.QuoteToASCII(word), 100)
		}
	}
	return ""
}
