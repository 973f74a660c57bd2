package grammar_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// tree returns the syntax tree of a text in the form of tree-sitter-gram.
func tree(t *testing.T, text string) string {
	t.Helper()
	file, _ := grammar.Parse("input", text)
	var b strings.Builder
	if err := ast.WriteTree(&b, file); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// oneLine returns an s-expression on one line: those of the corpus were broken
// over lines by hand.
func oneLine(tree string) string {
	tree = regexp.MustCompile(`\s+`).ReplaceAllString(tree, " ")
	return strings.ReplaceAll(tree, " )", ")")
}

// withoutFields is the one input of the corpus whose tree was written down
// without the names of fields; those that tree-sitter-gram rejects and we
// read have no tree there.
const withoutFields = "{ count: [1,2,3] }"

func TestTreesAreThoseOfTheReferenceGrammar(t *testing.T) {
	type row struct {
		File, Name, Input, Tree string
		Error                   bool
	}
	compared := 0
	for _, r := range golden.Lines[row](t, "corpus", "tree-sitter-gram.jsonl") {
		if r.Error {
			continue
		}
		compared++
		got := tree(t, r.Input)
		if r.Input == withoutFields {
			got = regexp.MustCompile(`[a-z]+: `).ReplaceAllString(got, "")
		}
		if diff := cmp.Diff(oneLine(r.Tree), got); diff != "" {
			t.Errorf("%s %q: %q\n%s", r.File, r.Name, r.Input, diff)
		}
	}
	if compared != 149 {
		t.Errorf("%d trees compared, want 149", compared)
	}
	compared = 0
	for _, r := range golden.Lines[row](t, "corpus", "tricky.jsonl") {
		if r.Tree == "" {
			continue
		}
		compared++
		if diff := cmp.Diff(r.Tree, tree(t, r.Input)); diff != "" {
			t.Errorf("%q\n%s", r.Input, diff)
		}
	}
	if compared != 140 {
		t.Errorf("%d tricky trees compared, want 140", compared)
	}
}

// TestTreesOfWhatOnlyGramcReads has what tree-sitter-gram refuses: the
// trees are what its rules would make of it.
func TestTreesOfWhatOnlyGramcReads(t *testing.T) {
	for text, want := range map[string]string{
		"({k:[]})":          "record: (record (record_property key: (symbol) value: (array)))",
		"({k:[[1],{a:2}]})": "record: (record (record_property key: (symbol) value: (array (array (integer)) (map (map_entry key: (symbol) value: (integer))))))",
		"({k:{a:{b::1}}})":  "record: (record (record_property key: (symbol) value: (map (map_entry key: (symbol) value: (map (map_entry key: (symbol) value: (integer)))))))",
		"({k:3.5s})":        "record: (record (record_property key: (symbol) value: (measurement)))",
		"({k:\"// x\"})":    "record: (record (record_property key: (symbol) value: (string_literal content: (string_content))))",
	} {
		if got := tree(t, text); got != "(gram_pattern (node_pattern "+want+"))" {
			t.Errorf("%q is %s", text, got)
		}
	}
	want := "(gram_pattern (annotated_pattern annotations: (annotations (property_annotation key: (quoted_name content: (string_content)) value: (integer))) elements: (node_pattern)))"
	if diff := cmp.Diff(want, tree(t, "@`k`(1) ()")); diff != "" {
		t.Error(diff)
	}
}

func TestCommentsStandInTheInnermostNode(t *testing.T) {
	for text, want := range map[string]string{
		"@a(1) // 1\n // 2\n [ // 3\n x // 4\n | // 5\n y, // 6\n z // 7\n ] // 8": "(annotated_pattern annotations: (annotations (property_annotation key: (symbol) value: (integer))) (comment) (comment) " +
			"elements: (subject_pattern (comment) identifier: (symbol) (comment) (comment) " +
			"elements: (subject_pattern_elements (pattern_reference identifier: (symbol)) (comment) (pattern_reference identifier: (symbol))) (comment))) (comment)",
		"(a) // 1\n -- // 2\n (b) // 3\n -- (c)": "(relationship_pattern left: (node_pattern identifier: (symbol)) (comment) kind: (undirected_arrow) (comment) " +
			"right: (relationship_pattern left: (node_pattern identifier: (symbol)) (comment) kind: (undirected_arrow) right: (node_pattern identifier: (symbol))))",
		"({k // 1\n : // 2\n ... // 3\n 5})": "(node_pattern record: (record (record_property key: (symbol) (comment) (comment) value: (range (comment) upper: (integer)))))",
		"({k:``` // c\nx\n```})":             "(node_pattern record: (record (record_property key: (symbol) value: (string_literal (comment) content: (string_content)))))",
	} {
		if diff := cmp.Diff("(gram_pattern "+want+")", tree(t, text)); diff != "" {
			t.Errorf("%q\n%s", text, diff)
		}
	}
}

func TestTreesOfBrokenAndEmptyFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":       "(gram_pattern)",
		"// c":   "(gram_pattern (comment))",
		"{}":     "(gram_pattern root: (record))",
		"a (b)":  "(gram_pattern (ERROR) (node_pattern identifier: (symbol)))",
		"({k:})": "(gram_pattern (node_pattern record: (record (record_property key: (symbol)))))",
	} {
		if got := tree(t, text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
	deep := strings.Repeat("()--", 100_000) + "()"
	if got := tree(t, deep); strings.Count(got, "(") != 300_002 || strings.Count(got, ")") != 300_002 {
		t.Errorf("a long path has %d nodes", strings.Count(got, "("))
	}
}
