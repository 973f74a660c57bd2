package grammar

import (
	"strings"
	"testing"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// TestRunawayInputsEndWithFewMessages feeds many repeats of everything that can
// repeat. A crash, a hang or a flood of messages fails.
func TestRunawayInputsEndWithFewMessages(t *testing.T) {
	deep := func(s string) string { return strings.Repeat(s, 300_000) }
	n := func(s string) string { return strings.Repeat(s, 30_000) }
	for _, in := range []string{
		deep("("), deep("["), deep("{"), deep("[|"), deep("[a | "), "({a: " + deep("["), "(" + deep("{a: "), deep("(") + deep(")"), deep("[|") + deep("]"),
		"({a: " + deep("[") + deep("]") + "})", deep("[a | [b | "), n("(" + "{"), n(")"), n("]}"), n(")("), n("-"), n("<"), n("."), n("@"), n("@@"), n("@k"), n(":"), n("|"), n("/"),
		"(a)" + n("-->(b)"), "(a)" + n("<=[r]=>(b)"), "(a" + n(":L") + ")", n("@k(1) ") + "(a)", "[a | b" + n(", b") + "]", "[a | " + n(") "), "[a | " + n("{k:1} "),
		n("()"), n("[a]\n"), "{" + n(","), "{" + n("k "), "{" + n("k,"), "{" + n("k:1,"), "{" + n("k:1 "), "({a: [" + n("1,") + "]})", "({a: [" + n("1 x ") + "]})",
		n("\""), n("\"\n"), n("\"x\n"), n("`a\n"), n("'\n//'\n"), n("```"), n("```\n"), n("```a b\n"), "({s: \"" + n(`\q`) + "\"})", "({s: \"" + n(`\n`) + "\"})",
		n("9"), "({a: 0x" + n("F") + "})", n("1.."), n("a"), n("é "), n("\x00"), n("\xff"), n("// c\n"), n("\r"), n("\n"), n(" "),
		n("@k(]\n"), n("@k([\n"), n("(a)@k( "), n("(a)@k([ "), n("@@p {k:1 "), n("/*"), n("/* */"), n("-- c\n"), n("# c\n"), n("“a "), n("„a "), n("“a” "), n("({a: “a”})"),
		"[a | " + n("b:C {k:1} | "), "[a | " + n("b:C {k:1}) "), n("b:C | "), n("k:1} "), n("[a k:1 "), "(a)" + n("-->b)"), n("[a |\n [b |\n"), n("[a | \"b\" c] "), n("(a::L<x>) "), n("(a b, c) "),
		n(")]}({[\"'`@:|,-=<~.1a\n\x00\xff"),
	} {
		file, problems := Parse("f", in)
		if file == nil || len(problems) > diag.MaxPerList+2 {
			t.Errorf("%.20q…: %d diagnostics", in, len(problems))
		}
		for _, d := range problems {
			if len(d.Message) > 400 {
				t.Errorf("%.20q…: a message of %d bytes", in, len(d.Message))
			}
		}
		_ = ast.Print(file)
	}
}

func TestNestingEndsAtTheLimitWithOneMessage(t *testing.T) {
	for _, form := range [][2]string{{"[|", "]"}, {"({a: [", "]})"}, {"[a | ", "]"}} {
		per := strings.Count(form[0], "(") + strings.Count(form[0], "[") + strings.Count(form[0], "{")
		if per > 1 { // only the innermost part repeats
			head, inner := form[0][:len(form[0])-1], "["
			nested := func(depth int) string {
				return head + strings.Repeat(inner, depth-2) + strings.Repeat("]", depth-2) + "})"
			}
			limits(t, nested)
			continue
		}
		limits(t, func(depth int) string {
			text := strings.Repeat(form[0], depth) + strings.Repeat(form[1], depth)
			return strings.ReplaceAll(text, "[|]", "[]")
		})
	}
}

func limits(t *testing.T, nested func(depth int) string) {
	t.Helper()
	in := strings.ReplaceAll(nested(MaxDepth), "[a | ]", "[a]")
	if _, problems := Parse("f", in); problems.HasErrors() {
		t.Errorf("%.20q… %d deep: %v", in, MaxDepth, problems.Err())
	}
	for _, depth := range []int{MaxDepth + 1, 300_000} {
		_, problems := Parse("f", nested(depth))
		if len(problems) != 1 || problems[0].Code != diag.CodeTooDeep {
			t.Errorf("%.20q… %d deep: %v", in, depth, problems)
		}
	}
}

func TestListsOfProblemsAreCutAndCounted(t *testing.T) {
	_, problems := Parse("f", strings.Repeat("(a b)\n", 250))
	last := problems[len(problems)-1]
	if len(problems) != diag.MaxPerList+1 || last.Code != diag.CodeTooManyErrors || last.Message != "and 150 more" {
		t.Errorf("%d diagnostics, the last is %v", len(problems), last)
	}
}

func TestFilesOfTooManyTokensAreReadUpToTheLimit(t *testing.T) {
	if c := newCursor(source.NewFile("f", "")); c.limit != MaxTokens {
		t.Errorf("%d tokens are read, want %d", c.limit, MaxTokens)
	}
	const limit = 5000
	for _, in := range []string{strings.Repeat("()", limit/2+1), "[a | {" + strings.Repeat(",", limit)} {
		c := newCursor(source.NewFile("f", in))
		c.limit = limit
		file, problems := c.parse()
		last := problems[len(problems)-1]
		if last.Code != diag.CodeTooLarge || last.Span.Start < limit-10 || len(file.Patterns) == 0 {
			t.Errorf("%.10q…: %v at %d", in, last, last.Span.Start)
		}
	}
}
