package diag

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/source"
)

func TestApplyMakesWhatDoesNotTouch(t *testing.T) {
	f := source.NewFile("f", "0123456789")
	other := source.NewFile("other", "0123456789 and more")
	edit := func(start, end int, text string) Edit {
		return Edit{source.Span{File: f, Start: start, End: end}, text}
	}
	fix := func(title string, edits ...Edit) Fix { return Fix{Title: title, Edits: edits} }
	for name, tt := range map[string]struct {
		fixes   []Fix
		want    string
		applied string
	}{
		"nothing":             {nil, "0123456789", ""},
		"in any order":        {[]Fix{fix("b", edit(5, 6, "F")), fix("a", edit(0, 1, "Z"))}, "Z1234F6789", "ab"},
		"insert and delete":   {[]Fix{fix("a", edit(3, 3, "+")), fix("b", edit(8, 10, ""))}, "012+34567", "ab"},
		"at the edges":        {[]Fix{fix("a", edit(0, 0, "<")), fix("b", edit(10, 10, ">"))}, "<0123456789>", "ab"},
		"overlap":             {[]Fix{fix("a", edit(2, 5, "x")), fix("b", edit(4, 6, "y"))}, "01x56789", "a"},
		"the same place":      {[]Fix{fix("a", edit(4, 4, "x")), fix("b", edit(4, 4, "y"))}, "0123x456789", "a"},
		"the same at 0":       {[]Fix{fix("a", edit(0, 0, "x")), fix("b", edit(0, 0, "x"))}, "x0123456789", "a"},
		"one after another":   {[]Fix{fix("a", edit(2, 4, "x")), fix("b", edit(4, 6, "y"))}, "01x456789", "a"},
		"several edits":       {[]Fix{fix("a", edit(8, 9, ")"), edit(2, 3, "("))}, "01(34567)9", "a"},
		"whole or not at all": {[]Fix{fix("a", edit(1, 2, "x")), fix("b", edit(0, 1, "y"), edit(1, 3, "z"))}, "yz3456789", "b"},
		"edits that overlap":  {[]Fix{fix("a", edit(1, 4, "x"), edit(3, 5, "y"))}, "0123456789", ""},
		"outside":             {[]Fix{fix("a", edit(8, 99, "x")), fix("b", edit(-1, 2, "x")), fix("c", edit(5, 3, "x"))}, "0123456789", ""},
		"of another text":     {[]Fix{fix("a", Edit{other.Span(0, 1), "x"}), fix("b", Edit{}), fix("c")}, "0123456789", ""},
	} {
		fixed, applied := Apply(f.Text(), tt.fixes)
		var titles strings.Builder
		for _, a := range applied {
			titles.WriteString(a.Title)
		}
		if diff := cmp.Diff([]string{tt.want, tt.applied}, []string{fixed, titles.String()}); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestApplyLeavesItsArgumentsAlone(t *testing.T) {
	f := source.NewFile("f", "abc")
	edits := []Edit{{f.Span(2, 3), "C"}, {f.Span(0, 1), "A"}}
	before := slices.Clone(edits)
	if fixed, _ := Apply("abc", []Fix{{Edits: edits}}); fixed != "AbC" {
		t.Errorf("got %q", fixed)
	}
	if !slices.Equal(before, edits) {
		t.Error("the edits were sorted in place")
	}
}

func TestOnlyTheFirstFixCanBeSafe(t *testing.T) {
	s := source.NewFile("f", "abc").Span(0, 1)
	var l List
	l.Errorf(s, CodeSyntax, "none")
	l.Errorf(s, CodeSyntax, "choice").Fix("one", s, "1").Fix("two", s, "2")
	l.Errorf(s, CodeSyntax, "safe").Fix("do it", s, "3").MarkSafe().Fix("or this", s, "4")
	safe := l.SafeFixes()
	if len(safe) != 1 || safe[0].Title != "do it" {
		t.Errorf("safe are %v", safe)
	}
}

func TestFixesOfALongTextAreNotAllTried(t *testing.T) {
	text := strings.Repeat("x", 1<<20)
	f := source.NewFile("f", text)
	var l List
	for i := range 1000 {
		l.Errorf(f.Span(i*10, i*10+1), CodeSyntax, "wrong").Fix("in vain", f.Span(i*10, i*10+1), "y").MarkSafe()
	}
	checks := 0
	got := ApplySafe(text, l, func(string) List {
		checks++
		return l
	})
	if checks == 0 || checks > 6 || got.Text != text || got.Applied != 0 || !got.Refused {
		t.Errorf("%d checks, %d fixes", checks, got.Applied)
	}
}
