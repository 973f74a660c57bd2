package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestRenameKeepsMeaning renames every name of the golden files and the examples to one that is
// new, and expects that nothing is wrong then that was not wrong before. The
// files have all that can go wrong in them, so that this asks for every request
// of navigation on broken text too.
func TestRenameKeepsMeaning(t *testing.T) {
	var names []string
	for _, pattern := range []string{"../../testdata/golden/*.gram", "../../examples/*.gram", "../../examples/*/*.gram"} {
		more, err := filepath.Glob(pattern)
		if err != nil || len(more) == 0 {
			t.Fatalf("%s: no files: %v", pattern, err)
		}
		names = append(names, more...)
	}
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 8<<10 || testing.Short() && i%8 != 0 {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			c := Start(t, nil)
			c.Initialize(nil)
			renameAll(t, c, &file{uri: "untitled:" + filepath.Base(name), text: string(data)})
		})
	}
}

// renameAll renames every name of a file, one after the other.
func renameAll(t *testing.T, c *Client, f *file) {
	c.Open(f.uri, f.text)
	before := countCodes(c.Diagnostics(f.uri))
	done := map[Range]bool{}
	version := 1
	isWord := func(at int) bool { return f.text[at] == '_' || f.text[at] >= '0' && unicode.IsLetter(rune(f.text[at])) }
	for offset := range len(f.text) {
		if offset > 0 && isWord(offset-1) && isWord(offset) { // inside of a name, which has been renamed
			continue
		}
		params := place{file: f, cursor: offset}.params()
		var prepared *struct {
			Range       Range
			Placeholder string
		}
		if err := c.Call("textDocument/prepareRename", params, &prepared); err != nil || prepared == nil || done[prepared.Range] {
			continue
		}
		done[prepared.Range] = true
		for _, method := range []string{"definition", "typeDefinition", "implementation", "documentHighlight", "prepareCallHierarchy"} {
			if err := c.Call("textDocument/"+method, params, nil); err != nil {
				t.Errorf("%s at %v: %v", method, prepared.Range, err)
			}
		}
		params["newName"] = "Zq7"
		var got struct{ Changes map[string][]edit }
		if err := c.Call("textDocument/rename", params, &got); err != nil {
			t.Errorf("%q at %v: %v", prepared.Placeholder, prepared.Range, err)
			continue
		}
		text := f.edited(got.Changes[f.uri])
		version += 2
		c.Change(f.uri, version, Change{Text: text})
		after := c.Diagnostics(f.uri)
		renameBack(t, c, f, &file{uri: f.uri, text: text}, got.Changes[f.uri], prepared.Range, prepared.Placeholder)
		c.Change(f.uri, version+1, Change{Text: f.text})
		count := countCodes(after)
		for code, n := range count {
			if n > before[code] {
				i := slices.IndexFunc(after, func(d Diagnostic) bool { return d.Code == code })
				t.Errorf("%q at %v: %s: %s\n%s", prepared.Placeholder, prepared.Range, code, after[i].Message, changed(f.text, text))
			}
		}
	}
}

// renameBack gives a name that a file had before edits back to it, at a place of the
// file as it was, and expects that file. Names that are none, or that something
// else has, do not come back, nor do two ways to quote what needs quotes.
func renameBack(t *testing.T, c *Client, before, after *file, edits []edit, at Range, name string) {
	cursor := before.offset(at.Start)
	for _, e := range edits {
		if strings.Contains(e.NewText, "builtin: ") {
			return // it says so still
		}
		if start := before.offset(e.Range.Start); start < before.offset(at.Start) {
			cursor += len(e.NewText) - (before.offset(e.Range.End) - start)
		}
	}
	params := place{file: after, cursor: cursor}.params()
	params["newName"] = name
	var got struct{ Changes map[string][]edit }
	if err := c.Call("textDocument/rename", params, &got); err != nil || strings.Contains(name, " ") {
		return
	}
	if text := after.edited(got.Changes[after.uri]); text != before.text {
		t.Errorf("%q at %v, back:\n%s", name, at, changed(before.text, text))
	}
}

// countCodes counts diagnostics by their codes.
func countCodes(list []Diagnostic) map[string]int {
	count := map[string]int{}
	for _, d := range list {
		count[d.Code]++
	}
	return count
}

// changed returns the lines of a text that differ from those of another one.
func changed(before, after string) string {
	lines := strings.Split(before, "\n")
	var b strings.Builder
	for i, line := range strings.Split(after, "\n") {
		if i >= len(lines) || line != lines[i] {
			fmt.Fprintf(&b, "%d: %s\n", i+1, line)
		}
	}
	return b.String()
}

// TestNavigationOfTheUnknown asks for everything where nothing is: outside of the
// text, in documents that nobody has opened, and of items that are gone.
func TestNavigationOfTheUnknown(t *testing.T) {
	c := Start(t, nil)
	c.Initialize(nil)
	c.Open("untitled:empty", "")
	c.Open("untitled:words", "words // 😀")
	item := map[string]any{"uri": "untitled:empty", "name": "gone", "kind": 5, "range": Range{}, "selectionRange": Range{}}
	for _, uri := range []string{"untitled:empty", "untitled:words", "untitled:none", "file:///none.gram", "%"} {
		params := At(uri, 99, 99)
		params["context"] = map[string]bool{"includeDeclaration": true}
		for _, method := range []string{"definition", "declaration", "typeDefinition", "implementation", "references", "documentHighlight", "documentLink", "prepareCallHierarchy", "prepareRename"} {
			var result any
			if err := c.Call("textDocument/"+method, params, &result); err != nil {
				t.Errorf("%s of %s: %v", method, uri, err)
			} else if list, ok := result.([]any); result != nil && (!ok || len(list) > 0) {
				t.Errorf("%s of %s is %v", method, uri, result)
			}
		}
		item["uri"] = uri
		for _, method := range []string{"callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"} {
			if err := c.Call(method, map[string]any{"item": item}, nil); err != nil {
				t.Errorf("%s of %s: %v", method, uri, err)
			}
		}
	}
	params := At("untitled:words", 0, 1)
	params["newName"] = "other"
	if err := c.Call("textDocument/rename", params, nil); err == nil || !strings.Contains(err.Error(), "no name at this position") {
		t.Errorf("rename: %v", err)
	}
}
