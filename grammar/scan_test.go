package grammar_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/grammar"
)

func TestScannerOfEditors(t *testing.T) {
	for text, want := range map[string]string{
		"[a:Agent {x: \"y\"}] // c  ": `[ w:a : w:Agent { w:x : t:"y" } ] c:// c`,
		"```md\nx\n``` `a` 'b'":       "t:```md\nx\n``` t:`a` t:'b'",
		"\"open\n{":                   `o:"open {`,
		"-3.5s 7x 1..2":               "n:-3.5s n:7x n:1 .. n:2",
		"(a)==>(::`[T]`)":             "( w:a ) = => ( :: t:`[T]` )",
		"# no # comment /* too */":    "b:# w:no b:# w:comment b:/* w:too b:* b:/",
		"Map<Int>? = é":               "w:Map b:< w:Int b:>? = b:é",
	} {
		var got []string
		scan := grammar.NewScanner(text)
		for token := scan.Next(); token.Kind != grammar.EndToken; token = scan.Next() {
			mark := map[grammar.TokenKind]string{
				grammar.WordToken: "w:", grammar.NumberToken: "n:", grammar.TextToken: "t:", grammar.OpenTextToken: "o:",
				grammar.CommentToken: "c:", grammar.BadToken: "b:",
			}[token.Kind]
			got = append(got, mark+text[token.Start:token.End])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, strings.Join(got, " "), want)
		}
	}
}

func TestScannerSeeks(t *testing.T) {
	const text = "a // x\n[b c"
	scan := grammar.NewScanner(text)
	for _, from := range []int{9, 2, 0, 7} {
		scan.Seek(from)
		got := scan.Next()
		if got.Start < from || strings.TrimSpace(text[from:got.Start]) != "" {
			t.Errorf("from %d: %v", from, got)
		}
	}
	scan.Seek(len(text))
	if got, want := fmt.Sprint(scan.Next()), fmt.Sprint(grammar.Token{Start: len(text), End: len(text)}); got != want {
		t.Errorf("at the end: %s, want %s", got, want)
	}
}
