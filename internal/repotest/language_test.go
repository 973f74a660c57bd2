package repotest

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/format"
	"github.com/gram-lang/gramc/grammar"
)

// A block is a fenced block of a document, with the number of its first line.
type block struct {
	kind, text string
	line       int
}

// blocks returns the fenced blocks of a document.
func blocks(t *testing.T, name string) []block {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var list []block
	open := false
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case !open && strings.HasPrefix(line, "```"):
			open = true
			list = append(list, block{kind: strings.TrimPrefix(line, "```"), line: i + 2})
		case open && line == "```":
			open = false
		case open:
			list[len(list)-1].text += line + "\n"
		}
	}
	return list
}

// TestTheLanguagePageIsTrue checks each gram block of docs/language.md, and
// compares each schema with what is compiled: the JSON behind a block with a
// tool, and the lines of the blocks "types".
func TestTheLanguagePageIsTrue(t *testing.T) {
	counts := map[string]int{}
	var last *ast.File
	for _, b := range blocks(t, "docs/language.md") {
		counts[b.kind]++
		switch b.kind {
		case "gram":
			file, problems := grammar.Parse("docs/language.md", b.text)
			problems = append(problems, compile.Check(file, &compile.Options{Strict: true, StrictGram: true})...)
			if len(problems) > 0 {
				t.Errorf("docs/language.md:%d:\n%s", b.line, printed(problems))
			}
			last = file
		case "json":
			tools, problems := compile.Tools(last, nil)
			if len(tools) != 1 {
				t.Fatalf("docs/language.md:%d: %d tools stand before it\n%s", b.line, len(tools), printed(problems))
			}
			sameJSON(t, b.line, string(tools[0].Schema()), b.text)
		case "types":
			checkTypes(t, b)
		case "ebnf": // a test of package grammar compares it
		case "": // an import, of files that do not exist
			if file, problems := grammar.Parse("", b.text); len(compile.Imports(file)) == 0 || len(problems) > 0 {
				t.Errorf("docs/language.md:%d: %v", b.line, problems)
			}
		default:
			t.Errorf("docs/language.md:%d: a block of %s", b.line, b.kind)
		}
	}
	if diff := cmp.Diff(map[string]int{"gram": 7, "json": 2, "types": 3, "": 1, "ebnf": 1}, counts); diff != "" {
		t.Error(diff)
	}
}

// typeLines returns the lines of a block "types", each a parameter and its
// schema: what is indented belongs to the line before it.
func typeLines(b block) []string {
	text := regexp.MustCompile(`\n +`).ReplaceAllString(b.text, "  ")
	return regexp.MustCompile(`\n+`).Split(strings.TrimSuffix(text, "\n"), -1)
}

func checkTypes(t *testing.T, b block) {
	t.Helper()
	for _, line := range typeLines(b) {
		parameter, schema, _ := strings.Cut(line, ")  ")
		signature, problems := types.ParseTypeSignature(parameter + ")==>(::Text)")
		if len(problems) > 0 {
			t.Errorf("docs/language.md, %s\n%s", line, printed(problems))
			continue
		}
		sameJSON(t, b.line, string(signature.Params[0].Type.Schema("")), schema)
	}
}

func sameJSON(t *testing.T, line int, got, want string) {
	t.Helper()
	var g, w bytes.Buffer
	if err := json.Compact(&w, []byte(want)); err != nil {
		t.Fatalf("docs/language.md:%d: %v", line, err)
	}
	if err := json.Compact(&g, []byte(got)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(w.String(), g.String()); diff != "" {
		t.Errorf("docs/language.md:%d:\n%s", line, diff)
	}
}

func TestTheLanguagePageIsFormatted(t *testing.T) {
	for _, b := range blocks(t, "docs/language.md") {
		texts := []string{b.text}
		switch b.kind {
		case "types":
			texts = nil
			for _, line := range typeLines(b) {
				parameter, _, _ := strings.Cut(line, ")  ")
				texts = append(texts, parameter+")\n")
			}
		case "json", "ebnf":
			continue
		}
		for _, text := range texts {
			file, _ := grammar.Parse("", text)
			if diff := cmp.Diff(format.File(file, nil), text); diff != "" {
				t.Errorf("docs/language.md:%d:\n%s", b.line, diff)
			}
		}
	}
}
