package grammar_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// superset are the inputs of tree-sitter-gram's own tests that it rejects
// and we accept, with the reason.
var superset = map[string]string{
	"{ count: [[1,2],[3,4]] }": "arrays nest",
	"{\n  address: {\n    street: {\n      number: \"123\",\n      name: \"Main St\"\n    },\n    city: \"Anytown\"\n  }\n}": "maps nest",
	"(a:Person {\n  identity: {\n    name: \"John Doe\",\n    aliases: [\"John\", \"Johnny\"]\n  }\n})":                      "maps hold arrays",
}

func TestReferenceCorpusIsAcceptedAndRejectedAlike(t *testing.T) {
	type row struct {
		File, Name, Input string
		Error             bool
	}
	rows := golden.Lines[row](t, "corpus", "tree-sitter-gram.jsonl")
	if len(rows) != 184 {
		t.Errorf("%d inputs, want 184", len(rows))
	}
	used := 0
	for _, r := range rows {
		_, problems := grammar.Parse("input", r.Input)
		_, extended := superset[r.Input]
		if extended {
			used++
		}
		if want := r.Error && !extended; problems.HasErrors() != want {
			t.Errorf("%s %q: rejected %v, want %v: %v\n%s", r.File, r.Name, !want, want, problems, r.Input)
		}
	}
	if used != len(superset) {
		t.Errorf("%d of %d superset inputs are in the corpus", used, len(superset))
	}
}

func TestTrickyCorpusFollowsItsRecommendation(t *testing.T) {
	type row struct{ Input, Recommend, Note string }
	rows := golden.Lines[row](t, "corpus", "tricky.jsonl")
	if len(rows) != 249 {
		t.Errorf("%d inputs, want 249", len(rows))
	}
	for _, r := range rows {
		_, problems := grammar.Parse("input", r.Input)
		want := map[string]bool{"accept": false, "accept-warn": false, "reject": true, "reject-fix": true}
		rejected, known := want[r.Recommend]
		if !known {
			t.Errorf("unknown recommendation %q", r.Recommend)
		}
		if problems.HasErrors() != rejected {
			t.Errorf("%q (%s): rejected %v, want %v: %v", r.Input, r.Note, !rejected, rejected, problems)
		}
		if rejected && len(problems) != 1 {
			t.Errorf("%q: one mistake gives %d messages: %v", r.Input, len(problems), problems.Err())
		}
	}
}

// corpus returns the inputs of the conformance material.
func corpus(t testing.TB) []string {
	var all []string
	type row struct{ Input string }
	for _, name := range []string{"tree-sitter-gram.jsonl", "tricky.jsonl", "agents.jsonl"} {
		for _, r := range golden.Lines[row](t, "corpus", name) {
			all = append(all, r.Input)
		}
	}
	examples, _ := filepath.Glob(filepath.Join(golden.Shared(t, "corpus", "examples"), "*.gram"))
	for _, f := range examples {
		all = append(all, golden.Read(t, f))
	}
	return all
}

func TestPrintedGoldenFilesParseBackToThemselves(t *testing.T) {
	var all []string
	for _, f := range golden.Inputs(t) {
		all = append(all, golden.Read(t, f))
	}
	if tried := printAndParse(t, all); tried < 8 {
		t.Errorf("only %d golden files parse", tried)
	}
}

func TestPrintedCorpusParsesBackToItself(t *testing.T) {
	if tried := printAndParse(t, corpus(t)); tried < 300 {
		t.Errorf("only %d inputs parse", tried)
	}
}

// printAndParse prints the tree of every input that parses, and parses it
// again. It returns how many there were.
func printAndParse(t *testing.T, inputs []string) (tried int) {
	t.Helper()
	for _, in := range inputs {
		file, problems := grammar.Parse("input", in)
		if problems.HasErrors() {
			continue
		}
		tried++
		text := ast.Print(file)
		again, problems := grammar.Parse("printed", text)
		if problems.HasErrors() {
			t.Errorf("%q prints as %q: %v", in, text, problems.Err())
			continue
		}
		if diff := cmp.Diff(file, again, ignorePlaces); diff != "" {
			t.Errorf("%q prints as %q:\n%s", in, text, diff)
		}
	}
	return tried
}
