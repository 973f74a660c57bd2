package compile_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// alarms returns the warnings and errors of a text that somebody wrote with
// care.
func alarms(text string) []string {
	file, problems := grammar.Parse("input", text)
	var list []string
	for _, d := range append(problems, compile.Check(file, nil)...) {
		if d.Severity <= diag.Warning {
			list = append(list, string(d.Code)+": "+d.Message)
		}
	}
	return list
}

// TestGoodFilesGiveNoWarning checks the examples, the README and the golden
// inputs that are there to be right.
func TestGoodFilesGiveNoWarning(t *testing.T) {
	root := golden.Root(t)
	texts := map[string]string{}
	examples, _ := filepath.Glob(filepath.Join(root, "examples", "*.gram"))
	for _, f := range append(examples, golden.Inputs(t)...) {
		texts[filepath.Base(f)] = golden.Read(t, f)
	}
	for i, m := range regexp.MustCompile("(?s)```gram\n(.*?)```").FindAllStringSubmatch(golden.Read(t, filepath.Join(root, "README.md")), -1) {
		texts[fmt.Sprint("README ", i)] = m[1]
	}
	for name, text := range texts {
		// The second block of the README is the file with mistakes of its session.
		meantToWarn := strings.HasSuffix(name, "-errors.gram") || name == "README 1" || slices.Contains([]string{"warnings.gram", "library-leak.gram", "defaults.gram", "graph.gram", "types.gram"}, name)
		if got := alarms(text); len(got) > 0 && !meantToWarn {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestImportedToolsGiveNoHints checks tools as services describe them: a format of .NET, and in
// each tool one parameter that nobody described, which is a habit and no oversight.
func TestImportedToolsGiveNoHints(t *testing.T) {
	const tool = `[t%d:Tool {description: "d"} | (a::Text {description: "a"})==>(b::Text {description: "b", format: guid})==>(c::Text)==>(::Any)]
`
	text := fmt.Sprintf(tool, 1)
	for n, want := range map[int]int{1: 1, 4: 0} {
		for i := 2; i <= n; i++ {
			text += fmt.Sprintf(tool, i)
		}
		file, _ := grammar.Parse("input", text)
		if got := compile.Check(file, nil); len(got) != want {
			t.Errorf("%d tools: %v", n, got)
		}
		text = fmt.Sprintf(tool, 1)
	}
}

// TestOtherPeoplesFilesGiveFewWarnings checks the conformance material that is
// said to be valid: as gram, which not all of it is as an agent.
func TestOtherPeoplesFilesGiveFewWarnings(t *testing.T) {
	justified := map[string]string{
		"missing-tool-description": "pieces of documents leave it out",
		"missing-signature":        "an older notation has it as a property, or in a pattern of its own",
		"missing-instruction":      "pieces of tests leave it out",
		"missing-model":            "pieces of tests leave it out",
		"unknown-property":         "an older notation has the name, the signature and types as properties",
		"unknown-type":             "an older notation has types as properties of nodes labelled Parameter",
		"duplicate-definition":     "a node for each use of a type, all with its name",
		"odd-number":               "octal numbers look like decimal ones",
		"deprecated-model":         "models from the time when the texts were written",
	}
	type row struct {
		Input string
		Valid bool
	}
	var texts []string
	for _, r := range golden.Lines[row](t, "corpus", "agents.jsonl") {
		if r.Valid {
			texts = append(texts, r.Input)
		}
	}
	examples, _ := filepath.Glob(filepath.Join(golden.Shared(t, "corpus", "examples"), "*.gram"))
	for _, f := range examples {
		texts = append(texts, golden.Read(t, f))
	}
	alarmed := 0
	for _, text := range texts {
		if _, problems := grammar.Parse("input", text); problems.HasErrors() {
			continue // it is not gram: tree-sitter-gram refuses it too
		}
		reported := alarms(text)
		if slices.ContainsFunc(reported, func(alarm string) bool { return !strings.HasPrefix(alarm, "deprecated-model:") }) {
			alarmed++
		}
		for _, alarm := range reported {
			if code, _, _ := strings.Cut(alarm, ":"); justified[code] == "" {
				t.Errorf("%.200s\n%s", text, alarm)
			}
		}
	}
	if len(texts) < 60 || alarmed > 10 {
		t.Errorf("%d of %d texts give alarms", alarmed, len(texts))
	}
}

// TestPatternsLabelledTypeInOtherFiles has a graph in which Type means
// something else.
func TestPatternsLabelledTypeInOtherFiles(t *testing.T) {
	for _, text := range []string{
		`[id:Type {name: "Alice", "quoted-key": 1}]`, `[blood:Type {group: "A"}] (alice)-[:Has]->(blood)`, `[Kind:Enum {size: 3}]`,
		`[p:Type {kind: Text, size: 3}]`, `[pool:Pool {description: "Swims"} | (a), (b)]`, `[x:Tape {length: 3} | (a), (b)]`,
	} {
		if got := alarms(text); len(got) > 0 {
			t.Errorf("%s: %q", text, got)
		}
	}
	for _, text := range []string{`[id:Type {name::Foo}]`, `[Id:Type | (a::Foo)]`, `[Id:Type {x: 1}] [t:Tool {description: "d"} | (a::Id)==>(::Text)]`} {
		if got := alarms(text); len(got) == 0 {
			t.Errorf("%s: nothing is reported", text)
		}
	}
}
