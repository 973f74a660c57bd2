package offline

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/runtime"
)

// choose returns the tools to call for what the user said: those it names, in
// that order, or else the one that fits best.
func choose(r *runtime.Request, said string) []runtime.Contract {
	if len(r.Tools) == 0 || said == "" {
		return nil
	}
	spoken := split(said)
	type hit struct {
		tool runtime.Contract
		at   int
	}
	var named []hit
	for _, t := range r.Tools {
		if at := mention(spoken, t.Name); at >= 0 {
			named = append(named, hit{t, at})
		}
	}
	if len(named) == 0 {
		return []runtime.Contract{closest(r, spoken)}
	}
	// Of two names in the same place, say and sayHello, the longer is meant.
	slices.SortStableFunc(named, func(a, b hit) int {
		return cmp.Or(a.at-b.at, len(b.tool.Name)-len(a.tool.Name))
	})
	named = slices.CompactFunc(named, func(a, b hit) bool { return a.at == b.at })
	tools := make([]runtime.Contract, len(named))
	for i := range named {
		tools[i] = named[i].tool
	}
	return tools
}

// mention returns where the words of name stand together in the spoken words,
// or -1.
func mention(spoken []string, name string) int {
	words := split(name)
	joined := strings.Join(words, "")
	for i := range spoken {
		if joined != "" && (spoken[i] == joined || slices.Equal(spoken[i:min(i+len(words), len(spoken))], words)) {
			return i
		}
	}
	return -1
}

func closest(r *runtime.Request, spoken []string) runtime.Contract {
	best, most := r.Tools[0], 0
	for _, t := range r.Tools {
		about := split(t.Description)
		for sentence := range strings.FieldsFuncSeq(r.Instruction, func(c rune) bool { return strings.ContainsRune(".!?\n", c) }) {
			if words := split(sentence); mention(words, t.Name) >= 0 {
				about = append(about, words...)
			}
		}
		if n := 3*common(spoken, split(t.Name)) + common(spoken, about); n > most {
			best, most = t, n
		}
	}
	return best
}

// common counts the spoken words that occur in words.
func common(spoken, words []string) int {
	n := 0
	for _, w := range spoken {
		if len(w) >= 3 && !slices.Contains(smallWords, w) && slices.ContainsFunc(words, func(v string) bool { return akin(v, w) }) {
			n++
		}
	}
	return n
}

var smallWords = strings.Fields("the and for with what who how can could would will you your are was this that from about please tool use user using")

// akin reports whether two words are the same or start the same: greets,
// greetings.
func akin(a, b string) bool {
	shared := 0
	for shared < min(len(a), len(b)) && a[shared] == b[shared] {
		shared++
	}
	return a == b || shared >= max(4, min(len(a), len(b))-1)
}

// split returns the words of text in lower case; a capital inside a word, a
// digit and punctuation start a new one.
func split(text string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	for _, c := range text {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			if c != '\'' && c != '’' { // don't is one word
				flush()
			}
			continue
		case len(word) > 0:
			last := word[len(word)-1]
			if unicode.IsUpper(c) && !unicode.IsUpper(last) || unicode.IsDigit(c) != unicode.IsDigit(last) {
				flush()
			}
		}
		word = append(word, c)
	}
	flush()
	return words
}
