package grammar_test

import (
	"testing"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/grammar"
)

// TestWhatAMistakeTakesAway parses texts with a mistake: a value is dropped when
// something unknown stands after it, and what follows the mistake is kept.
func TestWhatAMistakeTakesAway(t *testing.T) {
	for text, want := range map[string]string{
		`(x {a: 5 ?!, b: 1})`:             `(x {a:, b:1})`,
		`(x {a: "t" #y, b: 1})`:           `(x {a:, b:1})`, // # and a word is no comment
		"(x {a: \"t\", # y, b: 2\nb: 1})": `(x {a:"t", b:1})`,
		"(x) # y\n(z)":                    "(x)\n(z)",
	} {
		file, problems := grammar.Parse("f", text)
		if got := ast.Print(file); got != want+"\n" || len(problems) != 1 {
			t.Errorf("%s is\n%s\nwant\n%s\n%v", text, got, want, problems)
		}
	}
}

// TestTheLineOfABlockCommentIsItsLast parses a tool that is not closed, before
// one that stands further left, behind the end of a comment.
func TestTheLineOfABlockCommentIsItsLast(t *testing.T) {
	const text = "   [a:Agent |\n      [t:Tool | (x),\n/* a long comment\n*/ [u:Tool | (y)]]\n"
	file, _ := grammar.Parse("f", text)
	if got, want := ast.Print(file), "[a:Agent | [t:Tool | (x)], [u:Tool | (y)]]\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
