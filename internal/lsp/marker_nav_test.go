package lsp_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// This file has the markers of navigation.

// markHighlight is @high(place, "kind kind, kind"): how the places of the file are
// highlighted, those of one line without a comma.
func markHighlight(m *mark) {
	var got []struct {
		Range Range
		Kind  int
	}
	m.call("textDocument/documentHighlight", m.place(0).params(), &got)
	var lines []string
	last := -1
	for _, h := range got {
		kind := [...]string{"", "text", "read", "write"}[h.Kind]
		if line := h.Range.Start.Line; line != last {
			lines = append(lines, kind)
			last = line
		} else {
			lines[len(lines)-1] += " " + kind
		}
	}
	if all := strings.Join(lines, ", "); all != m.text(1) {
		m.errorf("it is %q: %v", all, got)
	}
}

// markKeeps is @keeps(place, "regexp"): what stands there has no other name. The
// error says why; "" is for none.
func markKeeps(m *mark) {
	var got *struct{ Placeholder string }
	err := m.c.Call("textDocument/prepareRename", m.place(0).params(), &got)
	switch pattern := m.pattern(1); {
	case got != nil:
		m.errorf("it can be renamed: %q", got.Placeholder)
	case err == nil && m.text(1) != "":
		m.errorf("nobody says why")
	case err != nil && (m.text(1) == "" || !pattern.MatchString(err.Error())):
		m.errorf("%v", err)
	}
}

// markRename is @rename(place, "new name", name): the files that change are
// @name/file. With @rename(place, "new name", "regexp") it is an error.
func markRename(m *mark) {
	p := m.place(0)
	var prepared *struct {
		Range       Range
		Placeholder string
	}
	m.call("textDocument/prepareRename", p.params(), &prepared)
	if prepared == nil || prepared.Range != p.rng() {
		m.errorf("its range is %v, not %v", prepared, p.rng())
	}
	params := p.params()
	params["newName"] = m.text(1)
	var got struct {
		Changes         map[string][]edit
		DocumentChanges []struct {
			TextDocument struct {
				URI     string
				Version *int
			}
			Edits []edit
		}
	}
	err := m.c.Call("textDocument/rename", params, &got)
	if _, named := m.args[2].(*ast.Ident); !named {
		if err == nil || !m.pattern(2).MatchString(err.Error()) {
			m.errorf("the error is %v", err)
		}
		return
	}
	if err != nil {
		m.errorf("%v", err)
		return
	}
	name := m.word(2)
	for _, change := range got.DocumentChanges {
		if isOpen := m.opened(change.TextDocument.URI) != nil; isOpen != (change.TextDocument.Version != nil) {
			m.errorf("the version of %s is %v", change.TextDocument.URI, change.TextDocument.Version)
		}
		if got.Changes == nil {
			got.Changes = map[string][]edit{}
		}
		got.Changes[change.TextDocument.URI] = change.Edits
	}
	for _, uri := range slices.Sorted(maps.Keys(got.Changes)) {
		f := m.opened(uri)
		if f == nil {
			f = m.unopened(uri)
		}
		m.golden(name, f.name, f.edited(got.Changes[uri]))
	}
	for _, f := range m.archive.Files {
		if file, of := strings.CutPrefix(f.Name, "@"+name+"/"); of && got.Changes["file://"+filepath.Join(m.root, file)] == nil {
			m.errorf("%s does not change", file)
		}
	}
}

// opened returns an open file, nil when it is not.
func (m *mark) opened(uri string) *file {
	i := slices.IndexFunc(m.files, func(f *file) bool { return f.uri == uri })
	if i < 0 {
		return nil
	}
	return m.files[i]
}

// unopened returns a file of the archive that is not open.
func (m *mark) unopened(uri string) *file {
	for _, f := range m.archive.Files {
		if "file://"+filepath.Join(m.root, f.Name) == uri {
			return &file{name: f.Name, uri: uri, text: string(f.Data)}
		}
	}
	m.fatalf("%s is no file of the archive", uri)
	return nil
}

// markLinks is @links("text file, …"): the links of the file and what they open.
func markLinks(m *mark) {
	var got []struct {
		Range  Range
		Target string
	}
	m.call("textDocument/documentLink", map[string]any{"textDocument": Document(m.file.uri)}, &got)
	var links []string
	for _, l := range got {
		text := m.file.text[m.file.offset(l.Range.Start):m.file.offset(l.Range.End)]
		links = append(links, text+" "+filepath.Base(l.Target))
	}
	if all := strings.Join(links, ", "); all != m.text(0) {
		m.errorf("they are %q", all)
	}
}

// A callItem is an item of the call hierarchy.
type callItem struct {
	Name           string          `json:"name"`
	Kind           int             `json:"kind"`
	URI            string          `json:"uri"`
	Range          Range           `json:"range"`
	SelectionRange Range           `json:"selectionRange"`
	Data           json.RawMessage `json:"data,omitempty"`
}

// markIncoming is @in(place, "name n, …"): what speaks of the agent, the tool or
// the type at the place, and how often.
func markIncoming(m *mark) { m.markCalls("callHierarchy/incomingCalls") }

// markOutgoing is @out(place, "name n, …"): what it speaks of.
func markOutgoing(m *mark) { m.markCalls("callHierarchy/outgoingCalls") }

func (m *mark) markCalls(method string) {
	var items []json.RawMessage
	m.call("textDocument/prepareCallHierarchy", m.place(0).params(), &items)
	if len(items) == 0 {
		m.errorf("there is no item")
		return
	}
	var got []struct {
		From, To   *callItem
		FromRanges []Range
	}
	m.call(method, map[string]any{"item": items[0]}, &got)
	var all []string
	for _, c := range got {
		item := c.From
		if item == nil {
			item = c.To
		}
		all = append(all, fmt.Sprintf("%s %d", item.Name, len(c.FromRanges)))
	}
	if text := strings.Join(all, ", "); text != m.text(1) {
		m.errorf("they are %q", text)
	}
}

// markFind is @find("query", "name kind in container, …"): the symbols of the
// workspace. Behind the container of what is deprecated stands "deprecated".
func markFind(m *mark) {
	var got []struct {
		Name          string
		Kind          int
		ContainerName string
		Tags          []int
	}
	m.call("workspace/symbol", map[string]any{"query": m.text(0)}, &got)
	var all []string
	for _, s := range got {
		text := s.Name + " in " + s.ContainerName
		if slices.Equal(s.Tags, []int{1}) {
			text += " deprecated"
		}
		all = append(all, text)
	}
	if text := strings.Join(all, ", "); text != m.text(1) {
		m.errorf("they are %q", text)
	}
}
