package diag

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/source"
)

func TestFprintShowsPlaceLineAndCaret(t *testing.T) {
	f := source.NewFile("a.gram", "[a:Agent]\n\t(name::Txt)\n")
	var l List
	l.Errorf(f.Span(18, 21), CodeUnknownType, "unknown type %q", "Txt").
		Relate(f.Span(1, 2), "in this agent").
		Fix(`write "Text"`, f.Span(18, 21), "Text")
	l.Warnf(f.Span(9, 9), CodeSyntax, "odd \x1b[31m")
	var b strings.Builder
	if err := Fprint(&b, l, nil); err != nil {
		t.Fatal(err)
	}
	want := `a.gram:2:9: error[unknown-type]: unknown type "Txt"
    2 |  (name::Txt)
      |         ^^^
  a.gram:1:2: in this agent
  fix: write "Text"
a.gram:1:10: warning[syntax]: odd \x1b[31m
    1 | [a:Agent]
      |          ^
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestLongLinesAreCutAroundTheSpan(t *testing.T) {
	f := source.NewFile("long", strings.Repeat("x", 5000)+"!"+strings.Repeat("y", 5000))
	var l List
	l.Errorf(f.Span(5000, 5001), CodeSyntax, "bad")
	var b strings.Builder
	if err := Fprint(&b, l, &PrintOptions{Color: true}); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 500 || !strings.Contains(b.String(), "!") {
		t.Errorf("snippet of a long line:\n%s", b.String())
	}
	if !strings.Contains(b.String(), red+"^"+reset) {
		t.Errorf("no red caret in %q", b.String())
	}
}

func TestASpanOfSeveralLinesShowsItsFirstAndItsLast(t *testing.T) {
	for text, want := range map[string]string{
		"<one>":                    "    1 | x<one>y\n      |  ^^^^^\n",
		"<one\n  two>":             "    1 | x<one\n      |  ^^^^\n    2 |   two>y\n      |   ^^^^\n",
		"<one \r\n\n\t three>\n\n": "    1 | x<one \n      |  ^^^^\n  ... |\n    3 |   three>\n      |   ^^^^^^\n",
		"\n":                       "    1 | x\n      |  ^\n",
	} {
		f := source.NewFile("f", "x"+text+"y")
		l := List{{Span: f.Span(1, 1+len(text)), Code: CodeSyntax, Severity: Error, Message: "bad"}}
		var b strings.Builder
		if err := Fprint(&b, l, nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("f:1:2: error[syntax]: bad\n"+want, b.String()); diff != "" {
			t.Errorf("%q:\n%s", text, diff)
		}
	}
}

func TestAFixShowsTheLineUnlessItsTitleSaysAll(t *testing.T) {
	f := source.NewFile("f", "(a)\n(name :: Text)\n"+strings.Repeat("(x)", 1000))
	at := func(start, end int, text string) Edit { return Edit{f.Span(start, end), text} }
	for want, fix := range map[string]Fix{
		"  fix: write ::Int\n":                           {Title: "write ::Int", Edits: []Edit{at(9, 16, " ::Int")}},
		"  fix: drop it\n    2 + (name )\n":              {Title: "drop it", Edits: []Edit{at(10, 17, "")}},
		"  fix: both\n    2 + (n::Text)\n":               {Title: "both", Edits: []Edit{at(12, 13, ""), at(6, 12, "::")}},
		"  fix: two\n    2 + (na\n    3 + me :: Text)\n": {Title: "two", Edits: []Edit{at(7, 7, "\n")}},
		"  fix: join\n    1 + (a) (name :: Text)\n":      {Title: "join", Edits: []Edit{at(3, 4, " ")}},
		"  fix: far\n":             {Title: "far", Edits: []Edit{at(0, 1, "["), at(2000, 2001, "]")}},
		"  fix: much\n":            {Title: "much", Edits: []Edit{at(0, 0, strings.Repeat("\n", 9))}},
		"  fix: nothing to edit\n": {Title: "nothing to edit"},
		"  fix: long\n    3 + …" + strings.Repeat(")(x", 16) + ")^" + strings.Repeat("(x)", 16) + "…\n": {Title: "long", Edits: []Edit{at(20+1502, 20+1502, "^")}},
	} {
		l := List{{Code: CodeSyntax, Severity: Error, Message: "bad", Fixes: []Fix{fix}}}
		var b strings.Builder
		if err := Fprint(&b, l, nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff("error[syntax]: bad\n"+want, b.String()); diff != "" {
			t.Errorf("%s:\n%s", fix.Title, diff)
		}
	}
}

func TestEscapeLetsNothingSteerTheTerminal(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 日本": "plain é 日本", "\x1b[2J": `\x1b[2J`, "a\xffb": `a\xffb`,
		"\u202ecod": `\u{202e}cod`, "\u0085": `\u{85}`, "\ufffd": "\ufffd", "\x00\x7f": `\x00\x7f`,
	} {
		if got := Escape(in); got != want {
			t.Errorf("Escape(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLimitKeepsErrorsFirstAndCountsTheRest(t *testing.T) {
	f := source.NewFile("f", strings.Repeat(" ", 300))
	var l List
	for i := range 150 {
		l.Warnf(f.Span(i, i), CodeVocabulary, "w%d", i)
	}
	l.Errorf(f.Span(200, 201), CodeSyntax, "the error")
	cut := l.Limit()
	if len(cut) != MaxPerList+1 || !cut.HasErrors() {
		t.Fatalf("%d entries, errors %v", len(cut), cut.HasErrors())
	}
	last := cut[len(cut)-1]
	if last.Code != CodeTooManyErrors || last.Message != "and 51 more" {
		t.Errorf("last entry %v", last)
	}
	if again := cut.Limit(); len(again) != len(cut) {
		t.Errorf("cutting twice gives %d entries", len(again))
	}
}

func TestErrIsNilWithoutErrorsAndCarriesTheList(t *testing.T) {
	var l List
	l.Warnf(source.Span{}, CodeVocabulary, "only a warning")
	if err := l.Err(); err != nil {
		t.Errorf("a warning is an error: %v", err)
	}
	l.Errorf(source.NewFile("f", "x").Span(0, 1), CodeSyntax, "no")
	err := fmt.Errorf("load: %w", l.Err())
	if err.Error() != "load: f:1:1: syntax: no" {
		t.Errorf("text %q", err)
	}
	if got, ok := ListFromError(err); !ok || len(got) != 2 {
		t.Errorf("FromError gives %v, %v", got, ok)
	}
	if _, ok := ListFromError(errors.New("other")); ok {
		t.Error("FromError takes any error")
	}
}

// A secret is in no excerpt, neither that of its own diagnostic nor one of its neighbours.
func TestExcerptsShowNoSecrets(t *testing.T) {
	f := source.NewFile("f.gram", "{a: \"s3crét\"} b\n\"s3c\nret\" c")
	var l List
	l.Errorf(f.Span(4, 13), "invalid-provider", "a key").MarkSecret()
	l.Errorf(f.Span(15, 16), "syntax", "b is wrong").Fix("write more", f.Span(15, 16), "more")
	l.Errorf(f.Span(17, 26), "invalid-provider", "another key").MarkSecret()
	d := l.Errorf(f.Span(27, 28), "syntax", "c is wrong").Fix("leave it out", f.Span(26, 28), "")
	d.Relate(f.Span(4, 13), "as here")
	var out strings.Builder
	if err := Fprint(&out, l, nil); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"s3c", "crét", "ret\""} {
		if strings.Contains(out.String(), part) {
			t.Errorf("%s stands in\n%s", part, out.String())
		}
	}
	if want := "    1 | {a: \"*******\"} b\n"; !strings.Contains(out.String(), want) {
		t.Errorf("no %s in\n%s", want, out.String())
	}
}
