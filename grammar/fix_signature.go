package grammar

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/vocabulary"
)

// This file writes as gram the parameters of other languages: (x: Text, y?: Int = 3) -> Text.

const foreignType = `([A-Za-z_]\w*(?:\[\]|<[^<>()]*>|\[[^\][()]*\])?)(\??)`

var (
	parameterForm = regexp.MustCompile(`^\s*([A-Za-z_]\w*)(\??)\s*::?\s*` + foreignType + `\s*(?:=\s*("[^"\\]*"|'[^'\\]*'|\[[^\][]*\]|-?\w[\w.]*))?\s*`)
	resultForm    = regexp.MustCompile(`^\s*(?:->|=>|:)\s*` + foreignType)
)

// chainFixes writes the parameters in the parenthesis at an offset as a chain, with the
// result that follows them.
func chainFixes(text string, at int) []fix {
	line := lineFrom(text, at)
	var chain []string
	safe := true
	end := 0
	for end == 0 || end < len(line) && line[end] == ',' {
		end++
		m := parameterForm.FindStringSubmatch(line[min(end, len(line)):])
		if m == nil {
			return nil
		}
		preset := ""
		switch none := isNone(m[5]); {
		case m[5] != "" && !none:
			preset = " {default: " + m[5] + "}"
		case none, m[2] != "":
			preset = " {optional: true}"
			safe = safe && !none
		}
		label := typeLabel(m[3], m[4])
		if isForeign(label) {
			return nil
		}
		chain = append(chain, "("+m[1]+"::"+label+preset+")")
		end += len(m[0])
	}
	if end >= len(line) || line[end] != ')' {
		return nil
	}
	end++
	if m := resultForm.FindStringSubmatch(line[end:]); m != nil {
		label := typeLabel(m[1], m[2])
		if isForeign(label) {
			return nil
		}
		chain = append(chain, "(::"+label+")")
		end += len(m[0])
	}
	written := strings.Join(chain, "==>")
	if written == line[:end] {
		return nil
	}
	f := writeFix(at, at+end, written)
	f.safe = safe
	return []fix{f}
}

// isNone reports whether a default of another language means that there is none.
func isNone(text string) bool {
	return slices.Contains([]string{"none", "null", "nil", "undefined"}, strings.ToLower(text))
}

// isForeign reports whether a type has arguments in the brackets of another language,
// which gram has no word for.
func isForeign(text string) bool { return foreignArguments.MatchString(text) }

var foreignArguments = regexp.MustCompile(`\w\[|<[^<>]*,`)

// typeWord returns the type that a word in small letters means, or the word itself, which
// the file may define.
func typeWord(word string) string {
	if word != "" && 'a' <= word[0] && word[0] <= 'z' {
		return cmp.Or(vocabulary.TypeOf(word), word)
	}
	return word
}

// typeLabel returns a type and its mark as they stand after ::, in backticks where it is more than a
// name.
func typeLabel(text, mark string) string {
	text = regexp.MustCompile(`\w+`).ReplaceAllStringFunc(fixForeignType(text), typeWord) + mark
	if symbolLength(text) == len(text) {
		return text
	}
	return asTick(text)
}

// unionFixes puts the union of types at an offset, up to the parenthesis that closes, in
// backticks.
func unionFixes(text string, at int) []fix {
	line := lineFrom(text, at)
	n := strings.IndexAny(line, "){")
	if n < 0 || strings.ContainsAny(line[:n], "`\\") {
		return nil
	}
	union := strings.TrimRight(line[:n], " \t")
	if strings.ContainsAny(union, "(=") {
		return nil // the parenthesis that closes is missing
	}
	return []fix{writeFix(at, at+len(union), asTick(union)).asSafe()}
}
