package offline

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/gram-lang/gramc/runtime"
)

// words is what the user said, taken apart. Numbers and quotes are handed out
// once.
type words struct {
	message string   // the last one
	name    string   // that the user gave last, in any message
	numbers []string // as JSON
	quotes  []string
}

func wordsOf(messages []runtime.Message) *words {
	w := &words{}
	for _, m := range messages {
		if m.Role != runtime.RoleUser {
			continue
		}
		w.message = strings.TrimSpace(m.Content)
		if name := nameIn(w.message); name != "" {
			w.name = name
		}
	}
	rest := quoted().ReplaceAllStringFunc(w.message, func(q string) string {
		first, _ := utf8.DecodeRuneInString(q)
		if !strings.ContainsRune("\"“”„«`'‘’", first) { // the character before an opening '
			q = q[utf8.RuneLen(first):]
		}
		text := []rune(q)
		w.quotes = append(w.quotes, string(text[1:len(text)-1]))
		return " "
	})
	if w.numbers = numbersIn(rest); w.numbers == nil {
		w.numbers = numbersIn(w.message)
	}
	return w
}

func (w *words) clone() *words {
	c := *w
	c.numbers, c.quotes = slices.Clone(w.numbers), slices.Clone(w.quotes)
	return &c
}

// expression compiles a regular expression when it is first used: a program
// that never goes offline does not wait for it.
func expression(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// quoted finds quoted text. A ' opens only after a blank, so that I'm is none.
var quoted = expression("\"[^\"]+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|`[^`]+`|(?:^|[\\s(])['‘][^'’]+['’]")

var number = expression(`-?[0-9]+(?:\.[0-9]+)?`)

// numbersIn returns the numbers of text as JSON. A digit that belongs to a
// word is none, and a minus is a sign only where no value stands before it.
func numbersIn(text string) []string {
	var found []string
	for _, at := range number().FindAllStringIndex(text, -1) {
		n := text[at[0]:at[1]]
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		after, _ := utf8.DecodeRuneInString(text[at[1]:])
		if at[0] > 0 && (unicode.IsLetter(before) || before == '_') || at[1] < len(text) && (unicode.IsLetter(after) || after == '_') {
			continue
		}
		sign := ""
		if n[0] == '-' {
			n = n[1:]
			if at[0] == 0 || !unicode.IsDigit(before) && before != ')' {
				sign = "-"
			}
		}
		for len(n) > 1 && n[0] == '0' && n[1] != '.' {
			n = n[1:] // JSON has no leading zeros
		}
		found = append(found, sign+n)
	}
	return found
}

var (
	// The letters of a name go on through hyphens and apostrophes.
	givesName  = expression(`(?i:\b(?:my name is|my name's|my name’s|call me)\s+)([\p{L}][\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2})`)
	greets     = expression(`(?:\b(?i:hello|hi|hey|greet|say hello to|say hi to),?\s+)(\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2})`)
	presents   = expression(`(?:\b(?i:i am|i'm|i’m)\s+)(\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*){0,2})`)
	notAName   = strings.Fields("a an the not so very just here back later when if at on in by again maybe tomorrow what who and or please")
	arithmetic = expression(`[-(0-9.][-+*/^%().0-9\s]*[-+*/^%][-+*/^%().0-9\s]*[0-9)]`)
)

// nameIn returns the last name that the speaker gives in text.
func nameIn(text string) string {
	name, last := "", -1
	for _, re := range []*regexp.Regexp{givesName(), presents(), greets()} {
		for _, at := range re.FindAllStringSubmatchIndex(text, -1) {
			found := strings.TrimRight(text[at[2]:at[3]], "'’-")
			found = strings.TrimSuffix(strings.TrimSuffix(found, "'s"), "’s")
			if at[2] > last && !slices.Contains(notAName, strings.ToLower(found)) {
				name, last = found, at[2]
			}
		}
	}
	return name
}

// takeNumber hands out the first number that fits.
func (w *words) takeNumber(fits func(string) bool) (string, bool) {
	return take(&w.numbers, fits)
}

// takeQuote hands out the first quoted text that fits.
func (w *words) takeQuote(fits func(string) bool) (string, bool) {
	return take(&w.quotes, fits)
}

func take(from *[]string, fits func(string) bool) (string, bool) {
	i := slices.IndexFunc(*from, fits)
	if i < 0 {
		return "", false
	}
	text := (*from)[i]
	*from = slices.Delete(*from, i, i+1)
	return text, true
}

// tokens returns the words of the message without the punctuation around them.
func (w *words) tokens() []string {
	var out []string
	for t := range strings.FieldsSeq(w.message) {
		if t = strings.Trim(t, ",.;:!?()[]{}<>\"'`“”‘’"); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// find returns the position of text in the message as words of their own, or
// -1. Case does not matter.
func (w *words) find(text string) int {
	message, text := strings.ToLower(w.message), strings.ToLower(text)
	for from := 0; text != ""; {
		i := strings.Index(message[from:], text)
		if i < 0 {
			break
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(message[:i])
		after, _ := utf8.DecodeRuneInString(message[i+len(text):])
		if !wordRune(before) && !wordRune(after) {
			return i
		}
		from = i + len(text)
	}
	return -1
}

func wordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// sameWords reports whether nothing was handed out between a and b.
func sameWords(a, b *words) bool {
	return len(a.numbers) == len(b.numbers) && len(a.quotes) == len(b.quotes)
}

// singular returns the name of one element of an array.
func singular(name string) string { return strings.TrimSuffix(name, "s") }
