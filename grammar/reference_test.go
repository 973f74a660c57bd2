package grammar_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// nodes lists the nodes of a tree with their spans and comments.
func nodes(file *ast.File) (list []string) {
	for n := range ast.Preorder(file) {
		line := fmt.Sprintf("%T %d-%d", n, n.Span().Start, n.Span().End)
		if c := n.Comments(); c != nil {
			for _, comment := range slices.Concat(c.Before, c.Suffix, c.After) {
				line += fmt.Sprintf(" //%d", comment.Span.Start)
			}
		}
		list = append(list, line)
	}
	return list
}

// checkAgainstReference fails unless Parse and Reference accept or refuse a text
// alike, with equal trees. It reports whether they accept it.
func checkAgainstReference(t *testing.T, text string) bool {
	t.Helper()
	file, problems := grammar.Parse("f", text)
	reference, refused := grammar.ParseReference("f", text)
	if problems.HasErrors() != refused.HasErrors() || refused.HasErrors() != (reference == nil) {
		t.Fatalf("%q: Parse reports %v, the reference grammar %v", text, problems, refused)
	}
	if reference == nil {
		return false
	}
	if diff := cmp.Diff(reference, file, ignorePlaces); diff != "" {
		t.Fatalf("%q:\n%s", text, diff)
	}
	if diff := cmp.Diff(nodes(reference), nodes(file)); diff != "" {
		t.Fatalf("%q:\n%s", text, diff)
	}
	return true
}

// ownTexts returns the golden files and the examples.
func ownTexts(t testing.TB) (texts []string) {
	files := golden.Inputs(t)
	for _, glob := range []string{"*.gram", "*/*.gram"} {
		examples, _ := filepath.Glob(filepath.Join(golden.Root(t), "examples", filepath.FromSlash(glob)))
		files = append(files, examples...)
	}
	for _, f := range files {
		texts = append(texts, golden.Read(t, f))
	}
	return texts
}

func TestTheReferenceGrammarAgreesOnGoldenFilesAndExamples(t *testing.T) {
	accepted := 0
	for _, text := range ownTexts(t) {
		if checkAgainstReference(t, text) {
			accepted++
		}
	}
	if accepted < 30 {
		t.Errorf("only %d files are accepted", accepted)
	}
}

func TestTheReferenceGrammarAgreesOnTheCorpus(t *testing.T) {
	accepted := 0
	for _, text := range corpus(t) {
		if checkAgainstReference(t, text) {
			accepted++
		}
	}
	if accepted < 300 {
		t.Errorf("only %d inputs are accepted", accepted)
	}
}

// edges are texts at the edge of the language: each is gram where ok is set.
var edges = []struct {
	text string
	ok   bool
}{
	{"", true}, {"{}", true}, {"{} {}", false}, {"(a) {}", false}, {"\ufeff(a)", true}, {"(a)\xff", false}, {"\xff\xfe", false},
	{"[]", true}, {"[|]", false}, {"[| a]", true}, {"[a |]", false}, {"[a | b,]", false}, {"[a b]", false}, {"[a | {}]", false}, {"[a | @k(1) b]", false},
	{"(a)--(b)", true}, {"(a)- // c\n-(b)", true}, {"(a)-[]->(b)", true}, {"(a)<=[r {k: 1}]=>(b)", true}, {"(a)-[r]=>(b)", false}, {"(a)->(b)", false},
	{"(a)---(b)", false}, {"(a)<-(b)", false}, {"(a)~[r | x]~(b)", false}, {"(a)-->[b]", false}, {"(a)-->b", false}, {"-- (b)", false},
	{"(a b)", false}, {"(:A::B {})", true}, {"(a {} {})", false}, {"('a')", false}, {"(1)", true}, {"(1.5)", false}, {"(`a b`:`C`)", true}, {"(a:1)", false},
	{"@k(1) (a)", true}, {"@`k`(1) (a)", true}, {"@k (1) [a]", true}, {"@k (a)", false}, {"@@p (a)", true}, {"@@:L @k([{a: 1}]) (a)", true}, {"@@ (a)", false},
	{"@@p {k: 1} (a)", false}, {"@@p @@q (a)", false}, {"@k(1) @@p (a)", false}, {"@k(1)", false}, {"@k(1) a", false}, {"@k(1) @k(2) (a)-->(b)", true},
	{"({'k': 1})", false}, {`({"k":: 1})`, true}, {"({k: [1,, 2]})", false}, {"({k: [[], {}]})", true}, {"({k: })", false}, {"({k: 1,})", false}, {"({1: 1})", false},
	{"({k: 1..})", false}, {"({k: 1...})", true}, {"({k: ...1})", true}, {"({k: ...})", false}, {"({k: 1..2kg})", true}, {"({k: ..2})", false}, {"({k: 1...2})", false},
	{"({k: t`x`})", true}, {"({k: true`x`})", false}, {"({k: true`x\\q`})", false}, {"({k: \"\\q\"})", false}, {"({k: \"a\n // c\n\"})", true}, {"({k: \"a\nb\"})", false},
	{"({k: ```\nx\n```})", true}, {"({k: ```md\nx```})", true}, {"({k: ```x y\n```})", false}, {"({k: 089})", false}, {"({k: 0xG})", true}, {"({k: 1e5})", false},
	{"(a) // c", true}, {"(a) /* c */", false}, {"# c\n(a)", false}, {"-- c\n(a)", false}, {"(true:false {true: true})", true}, {"[true | false]", true},
}

func TestTheReferenceGrammarKnowsTheEdgesOfTheLanguage(t *testing.T) {
	for _, edge := range edges {
		if got := checkAgainstReference(t, edge.text); got != edge.ok {
			t.Errorf("%q is accepted: %v", edge.text, got)
		}
	}
}

//go:generate go test -run TestTheGrammarOfTheLanguagePageIsUpToDate -update

// TestTheGrammarOfTheLanguagePageIsUpToDate compares the grammar in
// docs/language.md with the productions; -update writes it there.
func TestTheGrammarOfTheLanguagePageIsUpToDate(t *testing.T) {
	const before, after = "```ebnf\n", "```\n"
	page := filepath.Join(golden.Root(t), "docs", "language.md")
	text := golden.Read(t, page)
	head, rest, ok := strings.Cut(text, before)
	_, tail, closed := strings.Cut(rest, after)
	if !ok || !closed {
		t.Fatal("docs/language.md has no block of ebnf")
	}
	want := head + before + grammar.ReferenceEBNF() + after + tail
	if want != text && golden.Updating() {
		t.Errorf("docs/language.md rewritten (%v)", os.WriteFile(page, []byte(want), 0o644))
	} else if want != text {
		t.Errorf("docs/language.md differs; go generate ./grammar rewrites it:\n%s", cmp.Diff(text, want))
	}
}

func FuzzReference(f *testing.F) {
	if flag.Lookup("test.fuzz").Value.String() != "" { // other tests try these
		for _, text := range ownTexts(f) {
			f.Add(text)
		}
	}
	for _, edge := range edges {
		f.Add(edge.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<13 {
			t.Skip()
		}
		checkAgainstReference(t, text)
	})
}

// TestTheReferenceGrammarIsNeverNestedTooDeep checks that participle, which has no
// limit of depth, gets no brackets beyond the limit.
func TestTheReferenceGrammarIsNeverNestedTooDeep(t *testing.T) {
	nested := func(depth int) string {
		return strings.Repeat("[a | ", depth-1) + "(b)" + strings.Repeat("]", depth-1)
	}
	if _, problems := grammar.ParseReference("f", nested(grammar.MaxDepth)); problems.HasErrors() {
		t.Error(problems)
	}
	for _, text := range []string{nested(grammar.MaxDepth + 1), strings.Repeat("[|", 300_000), "({a: " + strings.Repeat("[", 300_000)} {
		if _, problems := grammar.ParseReference("f", text); len(problems) != 1 {
			t.Errorf("%.20q…: %v", text, problems)
		}
	}
}

func TestTheReferenceGrammarPointsAtTheFirstMistake(t *testing.T) {
	_, problems := grammar.ParseReference("f", "(a)\n[b:C {x: 1 y: 2} |]")
	if len(problems) != 1 || problems[0].Span.Text() != "y" || problems[0].Code != diag.CodeSyntax {
		t.Errorf("%v", problems)
	}
	if want := "the reference grammar has no name y here"; problems[0].Message != want {
		t.Errorf("%s, want %s", problems[0].Message, want)
	}
}
