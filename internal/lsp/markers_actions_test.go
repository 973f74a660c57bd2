package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// An offered action is one as the server shows it.
type offered struct {
	Title       string           `json:"title"`
	Kind        string           `json:"kind"`
	Diagnostics []Diagnostic     `json:"diagnostics,omitempty"`
	IsPreferred bool             `json:"isPreferred,omitempty"`
	Edit        *editOfWorkspace `json:"edit,omitempty"`
	Data        json.RawMessage  `json:"data,omitempty"`
}

type editOfWorkspace struct {
	Changes         map[string][]edit
	DocumentChanges []struct {
		Kind, URI    string
		TextDocument struct {
			URI     string
			Version *int
		}
		Edits []edit
	}
}

// actions returns what is offered at a place.
func (m *mark) actions(p place, kind string) []offered {
	var only []string
	if kind != "" {
		only = []string{kind}
	}
	var all []offered
	m.call("textDocument/codeAction", map[string]any{
		"textDocument": Document(p.uri), "range": Range{Start: p.position(p.cursor), End: p.position(p.cursor)},
		"context": map[string]any{"diagnostics": []any{}, "only": only},
	}, &all)
	return all
}

// markAction is @action(place, "kind", "title", name): such an action is offered
// at the cursor, and the files that it changes become @name/file. The title is
// all of it, with a star before it where the action is to be preferred.
func markAction(m *mark) {
	p := m.place(0)
	title, preferred := strings.CutPrefix(m.text(2), "*")
	all := m.actions(p, m.text(1))
	i := slices.IndexFunc(all, func(a offered) bool { return a.Title == title && a.Kind == m.text(1) })
	if i < 0 {
		m.errorf("offered is %+v", all)
		return
	}
	a := all[i]
	if a.IsPreferred != preferred {
		m.errorf("preferred is %v", a.IsPreferred)
	}
	if (a.Kind == "quickfix") != (len(a.Diagnostics) > 0) {
		m.errorf("its problems are %v", a.Diagnostics)
	}
	if a.Edit == nil {
		m.call("codeAction/resolve", a, &a)
	}
	if a.Edit == nil {
		m.fatalf("it changes nothing")
	}
	for name, text := range m.changed(a.Edit) {
		m.golden(m.word(3), name, text)
	}
}

// changed returns the texts of the files that an edit changes or makes, by name.
func (w *workspace) changed(e *editOfWorkspace) map[string]string {
	edits := map[string][]edit{}
	created := map[string]bool{}
	for uri, list := range e.Changes {
		edits[uri] = list
	}
	for _, c := range e.DocumentChanges {
		if c.Kind == "create" {
			created[c.URI] = true
			continue
		}
		edits[c.TextDocument.URI] = append(edits[c.TextDocument.URI], c.Edits...)
		if open := slices.ContainsFunc(w.files, func(f *file) bool { return f.uri == c.TextDocument.URI }); open != (c.TextDocument.Version != nil) {
			w.t.Errorf("%s: the version is %v", c.TextDocument.URI, c.TextDocument.Version)
		}
	}
	texts := map[string]string{}
	for uri, list := range edits {
		name := strings.TrimPrefix(uri, "file://"+w.root+"/")
		f := &file{name: name, uri: uri}
		for _, a := range w.archive.Files {
			if a.Name == name {
				f.text = string(a.Data)
				if created[uri] {
					w.t.Errorf("%s is there already", name)
				}
			}
		}
		texts[name] = f.edited(list)
	}
	return texts
}

// any, has such a title.
func markNoAction(m *mark) {
	for _, a := range m.actions(m.place(0), m.text(1)) {
		if m.pattern(2).MatchString(a.Title) {
			m.errorf("there is %q", a.Title)
		}
	}
}

// markFold is @fold(name): the lines that can be folded are in @name/file, each
// with its text.
func markFold(m *mark) {
	var all []struct {
		StartLine, EndLine int
		Kind               string
	}
	m.call("textDocument/foldingRange", map[string]any{"textDocument": Document(m.file.uri)}, &all)
	lines := strings.Split(m.file.text, "\n")
	var b strings.Builder
	for _, r := range all {
		fmt.Fprintf(&b, "%d-%d %s %s ... %s\n", r.StartLine+1, r.EndLine+1, r.Kind, strings.TrimSpace(lines[r.StartLine]), strings.TrimSpace(lines[r.EndLine]))
	}
	m.golden(m.word(0), m.file.name, b.String())
}

// markSelected is @selected(place, "text"...): from the cursor the selection
// grows through these texts, of which each is shown up to its first line end,
// and then to the file.
func markSelected(m *mark) {
	type selection struct {
		Range  Range
		Parent *selection
	}
	p := m.place(0)
	var all []selection
	m.call("textDocument/selectionRange", map[string]any{"textDocument": Document(p.uri), "positions": []Position{p.position(p.cursor)}}, &all)
	var got []string
	for s := &all[0]; s != nil; s = s.Parent {
		first, _, _ := strings.Cut(p.text[p.offset(s.Range.Start):p.offset(s.Range.End)], "\n")
		got = append(got, first)
	}
	got = got[:len(got)-1] // the file
	if want := m.texts(1); !slices.Equal(got, want) {
		m.errorf("it grows through %q", got)
	}
}

// markToken is @token(place, "kind modifiers"): the place is such a token.
func markToken(m *mark) {
	p := m.place(0)
	var answer struct{ Data []int }
	m.call("textDocument/semanticTokens/range", map[string]any{"textDocument": Document(p.uri), "range": p.rng()}, &answer)
	legend := m.legend()
	line, column := 0, 0
	var got []string
	for data := answer.Data; len(data) > 0; data = data[5:] {
		if data[0] > 0 {
			line, column = line+data[0], 0
		}
		column += data[1]
		words := []string{legend.TokenTypes[data[3]]}
		for i, name := range legend.TokenModifiers {
			if data[4]&(1<<i) != 0 {
				words = append(words, name)
			}
		}
		at := Range{Start: Position{Line: line, Character: column}, End: Position{Line: line, Character: column + data[2]}}
		if at == p.rng() && strings.Join(words, " ") == m.text(1) {
			return
		}
		got = append(got, fmt.Sprint(at, words))
	}
	if m.text(1) != "" || len(got) > 0 {
		m.errorf("there is %q", got)
	}
}

type legend struct{ TokenTypes, TokenModifiers []string }

// legend returns the legend that the server has declared.
func (w *workspace) legend() legend {
	data, _ := json.Marshal(w.capabilities["semanticTokensProvider"])
	var p struct{ Legend legend }
	if err := json.Unmarshal(data, &p); err != nil {
		w.t.Fatal(err)
	}
	return p.Legend
}

// markEmbedded is @embedded(place, "language"): the place is a text in that
// language.
func markEmbedded(m *mark) {
	p := m.place(0)
	var all []struct {
		Range      Range
		LanguageID string
	}
	m.call("gram/embedded", map[string]any{"textDocument": Document(p.uri)}, &all)
	for _, e := range all {
		if e.Range == p.rng() && e.LanguageID == m.text(1) {
			return
		}
	}
	m.errorf("there are %v", all)
}

// markLayout is @layout(place, name): when the lines of the place are laid out,
// the file is @name/file.
func markLayout(m *mark) {
	p := m.place(0)
	var edits []edit
	m.call("textDocument/rangeFormatting", map[string]any{
		"textDocument": Document(p.uri), "range": p.rng(), "options": map[string]any{"tabSize": 2, "insertSpaces": true},
	}, &edits)
	m.golden(m.word(1), p.name, p.edited(edits))
}

// markTyped is @ontype(place, "character", name): after the character before the
// cursor was typed, the file becomes @name/file. With "" it does not change.
func markTyped(m *mark) {
	p := m.place(0)
	params := p.params()
	params["ch"], params["options"] = m.text(1), map[string]any{"tabSize": 2, "insertSpaces": true}
	var edits []edit
	m.call("textDocument/onTypeFormatting", params, &edits)
	if len(m.args) < 3 {
		if len(edits) > 0 {
			m.errorf("it changes to\n%s", p.edited(edits))
		}
		return
	}
	m.golden(m.word(2), p.name, p.edited(edits))
}

// markLinked is @linked(place...): what is typed at the first changes the others
// too. With one place alone nothing is linked.
func markLinked(m *mark) {
	places := m.places(0)
	var linked *struct{ Ranges []Range }
	m.call("textDocument/linkedEditingRange", places[0].params(), &linked)
	if linked == nil {
		if len(places) > 1 {
			m.errorf("nothing is linked")
		}
		return
	}
	var want []Range
	for _, p := range places {
		want = append(want, p.rng())
	}
	slices.SortFunc(want, func(a, b Range) int {
		return (a.Start.Line-b.Start.Line)*1000 + a.Start.Character - b.Start.Character
	})
	if !slices.Equal(linked.Ranges, want) {
		m.errorf("linked are %v, not %v", linked.Ranges, want)
	}
}
