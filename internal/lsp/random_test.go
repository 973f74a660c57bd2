package lsp_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// Apply returns a text after changes. It is the reference for the server: slow,
// and written for nothing but to be right. Utf8 says how columns are counted.
func Apply(text string, utf8 bool, changes ...Change) string {
	for _, c := range changes {
		if c.Range == nil {
			text = c.Text
			continue
		}
		start, end := offset(text, c.Range.Start, utf8), offset(text, c.Range.End, utf8)
		text = text[:start] + c.Text + text[max(start, end):]
	}
	return text
}

// Lines returns the lines of a text, without their ends.
func Lines(text string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
}

// offset returns the byte of a position: that at which a character starts which
// reaches beyond the column.
func offset(text string, p Position, utf8Columns bool) int {
	at := 0
	for range p.Line {
		next := strings.IndexAny(text[at:], "\r\n")
		if next < 0 {
			return len(text)
		}
		at += next + 1
		if text[at-1] == '\r' && strings.HasPrefix(text[at:], "\n") {
			at++
		}
	}
	column := 0
	for i, r := range text[at:] {
		if utf8Columns {
			column += utf8.RuneLen(r)
		} else {
			column += utf16.RuneLen(r)
		}
		if column > p.Character || r == '\n' || r == '\r' {
			return at + i
		}
	}
	return len(text)
}

// pieces are what random edits write.
func pieces() []string {
	return []string{
		"", "", "", "x", "a", " ", "\n", "\r\n", "\r", "😀", "👩‍👩‍👧", "é", "é", "\u0000", "\ufeff", "€", "[", "]", "{", "}", "(", ")", "|", ":", "::", "\"", "'", "`", "```\n", "//",
		"[a:Agent {instruction: \"😀\", model: \"OpenAI/m\"} | t]\n", "[t:Tool {description: \"d\"} | (x::Text)==>(::T)]\n", "[T:Type {x::Int}]\n",
		"==>", ",", "@note(1)\n", "{import: [\"./x.gram\"]}\n", "Text", "`t`", "😀😀😀\n",
	}
}

// RandomPosition returns a position in a text, or a little behind the end of a
// line.
func RandomPosition(random *rand.Rand, text string) Position {
	lines := Lines(text)
	line := random.IntN(len(lines))
	return Position{line, random.IntN(len(lines[line]) + 2)}
}

// RandomChange returns a change of a text. Sometimes its positions lie outside
// of the text, or inside of a character.
func RandomChange(random *rand.Rand, text string) Change {
	all := pieces()
	piece := all[random.IntN(len(all))]
	if random.IntN(200) == 0 {
		return Change{Text: piece}
	}
	at := RandomPosition(random, text)
	end := at
	switch random.IntN(8) {
	case 0, 1, 2:
		end.Character += random.IntN(6)
	case 3:
		end = Position{at.Line + random.IntN(3), random.IntN(8)}
	case 4:
		at.Character, end.Character = 1<<20, 1<<30
	}
	if len(text) > 20_000 { // it must not grow without end
		end = Position{at.Line + 20, 0}
	}
	return Change{Range: &Range{at, end}, Text: piece}
}

// RandomChanges returns changes of a text, often from its end to its start.
func RandomChanges(random *rand.Rand, text string, utf8 bool) []Change {
	var changes []Change
	for range 1 + random.IntN(4) {
		c := RandomChange(random, text)
		if n := len(changes); n > 0 && random.IntN(2) == 0 && c.Range != nil && changes[n-1].Range != nil {
			c.Range.End = changes[n-1].Range.Start
			c.Range.End.Character = max(0, c.Range.End.Character-random.IntN(3))
			c.Range.Start = Position{c.Range.End.Line, max(0, c.Range.End.Character-random.IntN(3))}
		}
		changes = append(changes, c)
		text = Apply(text, utf8, c)
	}
	return changes
}

// Requests returns the methods of all requests that the server answers between
// initialize and shutdown, for tests that ask for anything.
func Requests(t testing.TB) []string {
	t.Helper()
	list, err := os.ReadFile("testdata/requests.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(list))
}

// Params returns parameters for any of Requests.
func Params(uri string, at Position) map[string]any {
	here, next := Range{at, at}, Range{at, Position{at.Line + 1, at.Character}}
	return map[string]any{
		"textDocument": Document(uri), "position": at, "positions": []Position{at}, "range": next,
		"newName": "Renamed", "ch": "\n", "query": "a", "options": map[string]any{"tabSize": 2, "insertSpaces": true},
		"context":          map[string]any{"includeDeclaration": true, "diagnostics": []any{}, "triggerKind": 1},
		"previousResultId": "1", "previousResultIds": []any{},
		"item":  map[string]any{"name": "a", "kind": 5, "uri": uri, "range": here, "selectionRange": here},
		"label": "a", "title": "apply all safe fixes", "kind": "source.fixAll.gram", // of what is resolved
		"data": map[string]any{"uri": uri, "name": "a", "version": 1, "range": next, "offset": at.Character},
	}
}
