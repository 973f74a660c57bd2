package lsp

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/golden"
)

// showing returns a snapshot in which documents are open, by path.
func showing(texts map[string]string) *snapshot {
	c := &client{encoding: utf16Encoding, examinations: new(atomic.Int64), colouring: new(colouring)}
	c.capabilities.Workspace.Edit.DocumentChanges = true
	c.capabilities.Workspace.Edit.ResourceOperations = []string{"create"}
	s := newSnapshot(c, []root{{"/w", "/w"}})
	s.open = map[string]*document{}
	for path, text := range texts {
		d := newDocument(uriOf(path), text, c.encoding)
		d.open, d.version = true, 1
		s.open[d.key] = d
		s.listing.paths = append(s.listing.paths, path)
	}
	slices.Sort(s.listing.paths)
	s.listing.once.Do(func() {})
	s.listing.done.Store(true)
	return s
}

// applied returns the texts of a snapshot after changes.
func applied(t *testing.T, c *changes) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for key, d := range c.open {
		edits := slices.Clone(c.edits[d])
		slices.SortStableFunc(edits, func(a, b protocol.TextEdit) int { return d.offset(a.Range.Start) - d.offset(b.Range.Start) })
		var b strings.Builder
		last := 0
		for _, e := range edits {
			start, end := d.offsets(e.Range)
			if start < last {
				t.Fatalf("edits overlap: %+v", edits)
			}
			b.WriteString(d.text[last:start] + e.NewText)
			last = end
		}
		texts[key] = b.String() + d.text[last:]
	}
	for _, f := range c.created {
		texts[uriKey(f.URI)] = f.Text
	}
	return texts
}

// verdict is what the compiler says of the documents of a snapshot.
type verdict struct {
	syntax, errors int
	warnings       int
	reported       map[string]int    // how often something is said
	schemas        map[string]string // by tool; nil when there are errors
}

func judge(s *snapshot) verdict {
	v := verdict{reported: map[string]int{}}
	schemas := map[string]string{}
	for _, d := range s.open {
		_, problems := d.file()
		v.syntax += len(problems)
		for _, p := range s.examine(d).problems {
			v.reported[string(p.Code)+": "+p.Message]++
			switch {
			case p.Severity == diag.Error:
				v.errors++
			case p.Severity == diag.Warning:
				v.warnings++
			}
		}
		o, _ := s.examineOptions(d)
		tools, _ := compile.Tools(d.ast(), o)
		for _, tool := range tools {
			schemas[tool.Name] = tool.Description + string(tool.Schema()) + string(tool.OutputSchema())
		}
	}
	if v.errors == 0 {
		v.schemas = schemas
	}
	return v
}

// TestActionsOnGoldens tests every action that is offered anywhere in the golden
// files: the text still parses, a quick fix removes what it is offered for, and
// a refactoring changes no schema.
func TestActionsOnGoldens(t *testing.T) {
	kinds := map[string]int{}
	for name, text := range goldens(t) {
		tryActions(t, name, text, 1, kinds)
	}
	for _, kind := range []string{kindQuickFix, kindFixAll, kindExtract, kindInline, kindRewrite, kindMove} {
		if kinds[kind] == 0 {
			t.Errorf("no action of the kind %s was tried", kind)
		}
	}
}

// TestActionsOnBrokenGoldens tests actions on golden files with other line ends
// and without some of their characters.
func TestActionsOnBrokenGoldens(t *testing.T) {
	for name, text := range goldens(t) {
		tryActions(t, name, strings.ReplaceAll(text, "\n", "\r\n"), 7, map[string]int{})
		r := rand.New(rand.NewPCG(3, uint64(len(text))))
		for range 3 {
			at := r.IntN(len(text))
			broken := text[:at] + text[min(len(text), at+1+r.IntN(4)):]
			tryActions(t, name, strings.ToValidUTF8(broken, ""), 11, map[string]int{})
		}
	}
}

// examples returns the texts of the examples, by folder and by their path in a
// workspace.
func examples(t *testing.T) map[string]map[string]string {
	t.Helper()
	folders := map[string]map[string]string{}
	for _, pattern := range []string{"../../examples/*.gram", "../../examples/*/*.gram"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no examples: %v", err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			folder := filepath.Dir(name)
			if folders[folder] == nil {
				folders[folder] = map[string]string{}
			}
			folders[folder]["/w/"+filepath.Base(name)] = string(data)
		}
	}
	return folders
}

// TestActionsOnExamples tests actions on the examples, whose files import each
// other.
func TestActionsOnExamples(t *testing.T) {
	kinds := map[string]int{}
	for folder, texts := range examples(t) {
		if before := judge(showing(texts)); before.errors+before.warnings > 0 {
			t.Errorf("%s: %v", folder, before.reported)
		}
		for path := range texts {
			tryActionsIn(t, showing(texts), path, 1, kinds)
		}
	}
	for _, kind := range []string{kindExtract, kindInline, kindRewrite, kindMove} {
		if kinds[kind] == 0 {
			t.Errorf("no action of the kind %s was tried", kind)
		}
	}
}

// TestActionsOnCorpus tests actions on the texts that the implementers of gram
// share.
func TestActionsOnCorpus(t *testing.T) {
	for _, list := range []string{"agents.jsonl", "tricky.jsonl", "tree-sitter-gram.jsonl"} {
		for i, c := range golden.Lines[struct{ Input string }](t, "corpus", list) {
			tryActions(t, fmt.Sprintf("%s-%d.gram", list, i), c.Input, 1, map[string]int{})
		}
	}
}

// tryActions checks the actions at the start of each nth node of a text, and
// counts them by kind.
func tryActions(t *testing.T, name, text string, nth int, kinds map[string]int) {
	t.Helper()
	tryActionsIn(t, showing(map[string]string{"/w/" + name: text}), "/w/"+name, nth, kinds)
}

// tryActionsIn is tryActions in one of the documents of a snapshot.
func tryActionsIn(t *testing.T, s *snapshot, path string, nth int, kinds map[string]int) {
	t.Helper()
	d := s.open[path]
	before := judge(s)
	seen := map[string]bool{}
	nodes := slices.Collect(ast.Preorder(d.ast()))
	for i := 0; i < len(nodes); i += nth {
		at := d.position(nodes[i].Span().Start)
		o, err := s.actionsAt(context.Background(), d, protocol.Range{Start: at, End: at}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range o.actions {
			c := s.changes()
			a.change(c)
			texts := applied(t, c)
			if id := a.Title + "\x00" + texts[path]; !seen[id] {
				seen[id] = true
				kinds[a.Kind]++
				checkAction(t, path, a, before, texts)
			}
		}
	}
}

func checkAction(t *testing.T, name string, a action, before verdict, texts map[string]string) {
	t.Helper()
	after := judge(showing(texts))
	failed := ""
	switch {
	case before.syntax > 0 && a.Kind == kindQuickFix:
		return // it may bring other mistakes to light
	case after.syntax > before.syntax:
		failed = "does not parse"
	case a.Kind == kindQuickFix && !slices.ContainsFunc(a.Diagnostics, func(p diagnostic) bool {
		text := string(p.Code) + ": " + p.Message
		return after.reported[text] < before.reported[text]
	}):
		failed = "still has the problem"
	case strings.HasPrefix(a.Kind, "refactor") && before.errors == 0 && after.errors > 0:
		failed = "has more errors"
	case strings.HasPrefix(a.Kind, "refactor") && before.errors == 0 && after.warnings > before.warnings:
		failed = "has more warnings"
	case strings.HasPrefix(a.Kind, "refactor") && !strings.HasPrefix(a.Title, "describe") && before.schemas != nil && !maps.Equal(after.schemas, before.schemas):
		failed = "has other schemas: " + cmp.Diff(before.schemas, after.schemas)
	default:
		return
	}
	var b bytes.Buffer
	for path, text := range texts {
		b.WriteString("-- " + path + " --\n" + text)
	}
	t.Errorf("%s: %q (%s) makes what %s: %v\n%s", name, a.Title, a.Kind, failed, after.reported, b.String())
}

// TestInlineRemoves tests that the definition of a type goes away with the only
// use of it, and else stays.
func TestInlineRemoves(t *testing.T) {
	const use = "[t:Tool {description: \"d\"} | (unit::Unit)==>(::Text)]\n"
	const definition = "\n// Units.\n[Unit:Enum {values: [a, b]}] // all\n"
	const written = "[t:Tool {description: \"d\"} | (unit::Text {enum: [a, b]})==>(::Text)]\n"
	tests := []struct{ name, text, other, want string }{
		{"alone", use + definition, "", written},
		{"before", definition[1:] + "\n" + use, "", written},
		{"two references", use + definition + "[u:Type | (a::Unit)]\n", "", written + definition + "[u:Type | (a::Unit)]\n"},
		{"used elsewhere", use + definition, "[x:Type | (a::Unit)]", written + definition},
		{"CRLF", strings.ReplaceAll(use+definition, "\n", "\r\n"), "", strings.ReplaceAll(written, "\n", "\r\n")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := showing(map[string]string{"/w/a.gram": tt.text, "/w/b.gram": tt.other})
			d := s.open["/w/a.gram"]
			at := d.position(strings.Index(tt.text, "::Unit)") + 3)
			o, err := s.actionsAt(context.Background(), d, protocol.Range{Start: at, End: at}, []string{kindInline})
			if err != nil || len(o.actions) != 1 {
				t.Fatalf("%v, offered is %v", err, o.actions)
			}
			c := s.changes()
			o.actions[0].change(c)
			if got := applied(t, c)["/w/a.gram"]; got != tt.want {
				t.Errorf("it becomes\n%s", cmp.Diff(tt.want, got))
			}
		})
	}
}

// TestMoveKeepsLineEnds tests that what moves gets the line ends of where it
// goes, but for the inside of texts.
func TestMoveKeepsLineEnds(t *testing.T) {
	s := showing(map[string]string{
		"/w/a.gram": "{import: [\"./b.gram\"]}\n[t:Tool {\n  description: ```\none\ntwo\n```\n} | (::Text)]\n[u:Tool {description: \"d\"} | (::Text)]\n",
		"/w/b.gram": "// First.\r\n",
	})
	d := s.open["/w/a.gram"]
	at := protocol.Position{Line: 1, Character: 1}
	o, err := s.actionsAt(context.Background(), d, protocol.Range{Start: at, End: at}, []string{kindMove})
	if err != nil || len(o.actions) != 2 {
		t.Fatalf("%v, offered is %v", err, o.actions)
	}
	c := s.changes()
	o.actions[0].change(c)
	got, want := applied(t, c), map[string]string{
		"/w/a.gram": "{import: [\"./b.gram\"]}\n[u:Tool {description: \"d\"} | (::Text)]\n",
		"/w/b.gram": "// First.\r\n\r\n[t:Tool {\r\n  description: ```\none\ntwo\n```\r\n} | (::Text)]\r\n",
	}
	if !maps.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}
