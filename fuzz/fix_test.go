package fuzz

import (
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

// mistakes are seeds for FuzzFix, one for each kind of fix.
var mistakes = []string{
	"(a),(b)", "(a)\u2028(b)", "(naïve)", "({k: café})", "(\"a\")", "({k:1,})", "({k:1 j:2})", "({'k':1})", "({a:[1,]})", "({a:[1 2]})",
	"({n:0o17, d:2024-01-15, e:1e10, f:1_000, g:.5, h:+5, i:007})", `({s:"\u0041\x41\d\0\ud83d\ude00"})`, "({s:`a\nb`})", "({s:“a”, t:‘b’})", "({k:http://x.org})",
	"({k:a/b c})", "/* c\n d */ (a)", "-- c\n# d\n(a) # e", "@k (a)", "@k() (a)", "@\"k\"(1) (a)", "@@p {k:1} (a)", "@k(1) @@p (a)",
	"[a | b,]", "[a | b:B, c {k:1}, d-->e, \"f\"]", "[a]-->(b)-->[c]", "(a)->(b)---(c)--[r]-->(d)-[s]=>(e)-->f", "[a:B | ]", "(a::Array<Text>, b::Text?)==>Text",
	"[a:Agent {\n description: \"x\"\n model \"y\"\n} [b]]", "({k:md `x`})", "(a)- ->(b)", "({s:\"abc\n\"})", "(a:A:A)", "({n:00})", "[a | a]", "({\"a\":1}",
	"(a {k:{m:[1", "(a)-->b)", "[a | b:C | (c)]", "(a b:1})", "(a)//c\r(b)",
}

// problemsOf returns what is said of a text, and how many errors there are: of
// its syntax or, when that is fine, of what it means.
func problemsOf(text string) (list diag.List, syntax bool, errors int) {
	file, list := grammar.Parse("fuzz", text)
	syntax = list.HasErrors()
	if !syntax {
		list = compile.Check(file, nil)
	}
	for _, d := range list {
		if d.Severity == diag.Error {
			errors++
		}
	}
	return list, syntax, errors
}

// safeFixes returns the diagnostics with a safe fix whose edits touch none of
// those before.
func safeFixes(t *testing.T, text string, list diag.List) (fixed diag.List, edits []diag.Edit) {
	end := -1
	for _, d := range list {
		for i, f := range d.Fixes {
			checkFix(t, text, d, f, i)
		}
		if len(d.Fixes) == 0 || !d.Fixes[0].Safe {
			continue
		}
		mine := slices.Clone(d.Fixes[0].Edits)
		slices.SortFunc(mine, func(a, b diag.Edit) int { return a.Span.Start - b.Span.Start })
		if mine[0].Span.Start < end {
			continue
		}
		end = mine[len(mine)-1].Span.End
		fixed, edits = append(fixed, d), append(edits, mine...)
	}
	return fixed, edits
}

func checkFix(t *testing.T, text string, d *diag.Diagnostic, f diag.Fix, i int) {
	if f.Title == "" || strings.Contains(f.Title, "\n") || len(f.Edits) == 0 || f.Safe && i > 0 {
		t.Fatalf("%q: %v: fix %d is %+v", text, d, i, f)
	}
	edits := slices.Clone(f.Edits)
	slices.SortFunc(edits, func(a, b diag.Edit) int { return a.Span.Start - b.Span.Start })
	end := 0
	for _, e := range edits {
		if e.Span.Start < end || e.Span.End < e.Span.Start || e.Span.End > len(text) {
			t.Fatalf("%q: %v: the edits of %q overlap or leave the text", text, d, f.Title)
		}
		end = e.Span.End
	}
}

func edited(text string, edits []diag.Edit) string {
	for _, e := range slices.Backward(edits) {
		text = text[:e.Span.Start] + e.NewText + text[e.Span.End:]
	}
	return text
}

// maxRounds is how often safe fixes may uncover others.
const maxRounds = 100

// FuzzFix applies the safe fixes of a text until none is left: each round leaves
// fewer errors of syntax, and it ends. A type that is spelt right at last may
// show what else is wrong; gramc check --fix keeps the text then.
func FuzzFix(f *testing.F) {
	addFiles(f)
	for _, s := range mistakes {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxInput/8 {
			t.Skip()
		}
		list, syntax, before := problemsOf(text)
		for round := 0; ; round++ {
			fixed, edits := safeFixes(t, text, list)
			if len(fixed) == 0 || before >= diag.MaxPerList {
				return
			}
			if round == maxRounds {
				t.Fatalf("%q still has fixes: %v", text, fixed)
			}
			next := edited(text, edits)
			again, stillSyntax, after := problemsOf(next)
			if stillSyntax && !syntax {
				t.Fatalf("%q is gram, and with its safe fixes %q is not:\n%v\n%v", text, next, list, again)
			}
			if syntax && stillSyntax && after >= before {
				t.Fatalf("%q has as many errors with its safe fixes %q:\n%v\n%v", text, next, list, again)
			}
			text, list, syntax, before = next, again, stillSyntax, after
		}
	})
}
