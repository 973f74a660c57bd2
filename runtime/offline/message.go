package offline

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/runtime"
)

// messageWords is what the user's messages offer to arguments. A copy is a snapshot:
// take replaces the lists and does not change them. The zero value offers
// nothing.
type messageWords struct {
	message string   // the last message
	plain   string   // its words as plain returns them
	tokens  []string // its words without the punctuation around them
	name    string   // the name that the user gave last, in any message
	numbers []string // numbers of the message, each taken once
	quotes  []string // quoted texts of the message, each taken once
}

// compileOnce compiles a regular expression when it is first used, so that a
// program that never runs offline does not pay for it.
func compileOnce(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

var (
	quotedText = compileOnce(`["“]([^"”]+)["”]|(?:^|[\s(])'([^']+)'`)
	numberText = compileOnce(`(?:^|[^\w.-])(-?\d+(?:\.\d+)?)\b`)
	givenName  = compileOnce(`\b(?i:i am|i['’]m|my name is|call me) (\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*)`)
	wordText   = compileOnce(`\p{Lu}?\p{Ll}+|\p{L}+|\d+`)
)

func wordsOfMessage(messages []runtime.Message) messageWords {
	var w messageWords
	for _, m := range messages {
		if m.Role != runtime.RoleUser {
			continue
		}
		w.message = strings.TrimSpace(m.Content)
		for _, found := range givenName().FindAllStringSubmatch(w.message, -1) {
			w.name = found[1]
		}
	}
	w.plain = plainWords(w.message)
	for _, found := range quotedText().FindAllStringSubmatch(w.message, -1) {
		w.quotes = append(w.quotes, found[1]+found[2])
	}
	for _, found := range numberText().FindAllStringSubmatch(quotedText().ReplaceAllString(w.message, " "), -1) {
		w.numbers = append(w.numbers, found[1])
	}
	for token := range strings.FieldsSeq(w.message) {
		w.tokens = append(w.tokens, strings.Trim(token, ",.;:!?()[]{}<>\"'`“”‘’"))
	}
	return w
}

// takeText removes the first text that fits from a list and returns it.
func takeText(list *[]string, read func(string) *jsonschema.Node, fits func(*jsonschema.Node) bool) (*jsonschema.Node, bool) {
	for i, text := range *list {
		if n := read(text); fits(n) {
			*list = slices.Concat((*list)[:i], (*list)[i+1:])
			return n, true
		}
	}
	return nil, false
}

// plainWords returns the words of text in lower case, each between spaces: the words
// of "sayHello" and "Say hello!" are the same.
func plainWords(text string) string {
	return " " + strings.ToLower(strings.Join(wordText().FindAllString(text, -1), " ")) + " "
}

// mention reports whether the message contains the words of phrase.
func (w *messageWords) mention(phrase string) bool {
	p := plainWords(phrase)
	return p != plainWords("") && strings.Contains(w.plain, p)
}
