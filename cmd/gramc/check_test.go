package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/source"
)

func TestWithoutArgumentsTheWorkingDirectoryIsChecked(t *testing.T) {
	t.Chdir(tree(t, map[string]string{"a.gram": "(a", "deep/b.gram": "(b)"}))
	for _, in := range []io.Reader{strings.NewReader(""), strings.NewReader("(c)")} {
		var stderr bytes.Buffer
		code := run([]string{"check"}, &stdio{in: in, out: io.Discard, err: &stderr, lookup: os.LookupEnv})
		if code != exitProblems || !strings.HasSuffix(stderr.String(), "1 error in 2 files\n") {
			t.Errorf("exit code %d and %q", code, stderr.String())
		}
	}
}

func TestStandardInputIsReadOnlyWhereItIsNamed(t *testing.T) {
	for _, command := range []string{"fmt", "parse", "compile", "decompile", "schema", "import"} {
		code, _, stderr := gramc("(a)", nil, command)
		if code != exitUsage || !strings.HasPrefix(stderr, `error: no file is named; "-" reads standard input`) {
			t.Errorf("%s: exit code %d and %q", command, code, stderr)
		}
	}
}

// numbers returns 0 to n-1.
func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func TestWorkIsYieldedInOrder(t *testing.T) {
	n := 0
	for got := range parallelInOrder(numbers(1000), func(i int) int { return i * i }) {
		if got != n*n {
			t.Fatalf("item %d is %d", n, got)
		}
		if n++; n == 900 {
			break
		}
	}
	for range parallelInOrder(nil, func(int) int { return 0 }) {
		t.Error("there is an item of none")
	}
}

func TestAPanicOfAWorkerIsOneOfTheCommand(t *testing.T) {
	var stderr bytes.Buffer
	c := newCLI(&stdio{out: io.Discard, err: &stderr, lookup: func(string) (string, bool) { return "1", true }})
	code := c.guard(func() int {
		for range parallelInOrder(numbers(10), func(i int) int { panic(fmt.Sprintf("compile: item %d", i)) }) {
			t.Error("an item was yielded")
		}
		return exitFine
	})
	text := stderr.String()
	if code != exitInternal || !strings.HasPrefix(text, "error: internal error: compile: item 0; ") ||
		!strings.Contains(text, "TestAPanicOfAWorkerIsOneOfTheCommand") {
		t.Errorf("exit code %d and %s", code, text)
	}
}

// TestFixesNeverMakeItWorse fixes every text at hand, twice.
func TestFixesNeverMakeItWorse(t *testing.T) {
	var texts []string
	type row struct{ Input, Text string }
	for _, name := range []string{"tree-sitter-gram.jsonl", "tricky.jsonl", "agents.jsonl"} {
		for _, r := range golden.Lines[row](t, "corpus", name) {
			texts = append(texts, r.Input+r.Text)
		}
	}
	for _, f := range golden.Inputs(t) {
		texts = append(texts, golden.Read(t, f))
	}
	for _, e := range diag.Catalogue() {
		texts = append(texts, e.Wrong, "[t:Tool {description: \"d\"} | "+e.Wrong+"]")
	}
	k := &checker{cli: newCLI(&stdio{lookup: noVariables}), fix: true}
	fixed := 0
	for _, text := range texts {
		m := k.check(input{name: "f", expression: true, text: text})
		if m.fixed > 0 {
			fixed++
		}
		before, problems := grammar.Parse("f", text)
		all := workspace.ExamineUnit(before, problems, nil)
		if m.fixed > 0 && !m.problems.BetterThan(all) || (m.after == text) != (m.fixed == 0) {
			t.Errorf("%q becomes %q: %v", text, m.after, m.problems.Err())
		}
		if program, _ := compile.File(before, nil); program != nil && !all.HasErrors() && len(problems) == 0 {
			after, _ := grammar.Parse("f", m.after)
			if again, problems := compile.File(after, nil); again == nil {
				t.Errorf("%q compiled; fixed it does not: %v", text, problems.Err())
			}
		}
		if again := k.check(input{name: "f", expression: true, text: m.after}); again.fixed > 0 && m.fixed < diag.MaxRounds {
			t.Errorf("%q is fixed to %q and then to %q", text, m.after, again.after)
		}
	}
	if fixed < 5 {
		t.Errorf("only %d texts were fixed", fixed)
	}
}

func TestAFixThatMakesItWorseIsNotMade(t *testing.T) {
	src := source.NewFile("f", "(a)")
	var l diag.List
	l.Warnf(src.Span(0, 1), diag.CodeSyntax, "bad advice").Fix("open it", src.Span(2, 3), "").MarkSafe()
	f, left := (&checker{cli: newCLI(&stdio{lookup: noVariables})}).applyFixes(src, l)
	if !f.refused || f.after != "(a)" || f.fixed != 0 || len(left) != 1 {
		t.Errorf("%+v, %v", f, left)
	}
}

// object is a JSON object; its methods fail the test where a member is missing.
type object map[string]any

func (o object) member(t *testing.T, path ...any) any {
	t.Helper()
	var at any = map[string]any(o)
	for _, step := range path {
		switch step := step.(type) {
		case string:
			at = at.(map[string]any)[step]
		case int:
			at = at.([]any)[step]
		}
		if at == nil {
			t.Fatalf("%v is missing at %v", path, step)
		}
	}
	return at
}

func TestSARIF(t *testing.T) {
	t.Chdir(tree(t, map[string]string{
		"a folder/a%.gram": "[t:Tool {description: \"é😀\"} | (n::Txt)==>(n::Int)==>(::String)]\n(a {k:1,\n k:2})",
	}))
	code, out, stderr := gramc("", nil, "check", "--format", "sarif", ".")
	if code != exitProblems || stderr != "" {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	var log object
	if err := json.Unmarshal([]byte(out), &log); err != nil {
		t.Fatal(err)
	}
	if got := log.member(t, "version"); got != "2.1.0" {
		t.Errorf("version %v", got)
	}
	if got := log.member(t, "runs", 0, "columnKind"); got != "utf16CodeUnits" {
		t.Errorf("columns are %v", got)
	}
	rules := log.member(t, "runs", 0, "tool", "driver", "rules").([]any)
	for i, e := range diag.Catalogue() {
		rule := object(rules[i].(map[string]any))
		want := []any{string(e.Code), e.Title, e.Explanation, sarifLevel(e.Severity)}
		got := []any{
			rule.member(t, "id"), rule.member(t, "shortDescription", "text"),
			rule.member(t, "fullDescription", "text"), rule.member(t, "defaultConfiguration", "level"),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		for _, path := range [][]any{{"help", "text"}, {"help", "markdown"}, {"helpUri"}} {
			rule.member(t, path...)
		}
	}
	results := log.member(t, "runs", 0, "results").([]any)
	var seen []string
	for _, r := range results {
		result := object(r.(map[string]any))
		id := result.member(t, "ruleId").(string)
		seen = append(seen, id)
		if rule := rules[int(result.member(t, "ruleIndex").(float64))].(map[string]any); rule["id"] != id {
			t.Errorf("the rule of %s is %v", id, rule["id"])
		}
		if level := result.member(t, "level").(string); !slices.Contains([]string{"error", "warning", "note"}, level) {
			t.Errorf("the level of %s is %s", id, level)
		}
		result.member(t, "message", "text")
		if uri := result.member(t, "locations", 0, "physicalLocation", "artifactLocation", "uri"); uri != "a%20folder/a%25.gram" {
			t.Errorf("the uri is %v", uri)
		}
	}
	if diff := cmp.Diff([]string{"unknown-type", "duplicate-parameter", "duplicate-key"}, seen); diff != "" {
		t.Error(diff)
	}
	region := map[string]any{"startLine": 1.0, "startColumn": 36.0, "endLine": 1.0, "endColumn": 39.0} // 😀 is two units
	if diff := cmp.Diff(region, log.member(t, "runs", 0, "results", 0, "locations", 0, "physicalLocation", "region")); diff != "" {
		t.Error(diff)
	}
	replacement := log.member(t, "runs", 0, "results", 0, "fixes", 0, "artifactChanges", 0, "replacements", 0)
	if diff := cmp.Diff(any(map[string]any{"deletedRegion": region, "insertedContent": map[string]any{"text": "Text"}}), replacement); diff != "" {
		t.Error(diff)
	}
	if got := log.member(t, "runs", 0, "results", 2, "relatedLocations", 0, "message", "text"); got != "first here" {
		t.Errorf("the related place says %v", got)
	}
}

func TestURIsOfFiles(t *testing.T) {
	for name, want := range map[string]string{
		"a.gram": "a.gram", "../x y.gram": "../x%20y.gram", "c:d.gram": "./c:d.gram", "é?#.gram": "%C3%A9%3F%23.gram", "-": "-",
	} {
		if got := sarifURI(name); got != want {
			t.Errorf("%q is %s, want %s", name, got, want)
		}
	}
	if abs, err := filepath.Abs("a b.gram"); err != nil || !strings.HasPrefix(sarifURI(abs), "file:///") || !strings.HasSuffix(sarifURI(abs), "/a%20b.gram") {
		t.Errorf("%q is %s", abs, sarifURI(abs))
	}
}

// noVariables is an empty environment.
func noVariables(string) (string, bool) { return "", false }
