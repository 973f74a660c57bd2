package lsp_test

import (
	"path"
	"slices"
	"strings"
)

// markers returns what is done at each marker.
func markers() map[string]func(*mark) {
	return map[string]func(*mark){
		"accept":    markAccept,
		"action":    markAction,
		"complete":  markComplete,
		"def":       markLocations("textDocument/definition"),
		"diag":      markDiag,
		"docs":      markDocs,
		"embedded":  markEmbedded,
		"faded":     markFaded,
		"find":      markFind,
		"fix":       markFix,
		"fold":      markFold,
		"format":    markFormat,
		"high":      markHighlight,
		"hints":     markHints,
		"hover":     markHover,
		"impl":      markLocations("textDocument/implementation"),
		"in":        markIncoming,
		"keeps":     markKeeps,
		"layout":    markLayout,
		"lens":      markLens,
		"linked":    markLinked,
		"links":     markLinks,
		"loc":       func(*mark) {}, // read before all others
		"noaction":  markNoAction,
		"ontype":    markTyped,
		"out":       markOutgoing,
		"refs":      markReferences(true),
		"rename":    markRename,
		"selected":  markSelected,
		"signature": markSignature,
		"struck":    markStruck,
		"symbol":    markSymbol,
		"token":     markToken,
		"typed":     markLocations("textDocument/typeDefinition"),
		"uses":      markReferences(false),
	}
}

// markDiag is @diag("regexp") for a problem that starts on the line, or @diag(place,
// "regexp") for one at a place. It is matched with "code: message".
func markDiag(m *mark) {
	c := claim{where: m.where()}
	if len(m.args) > 1 {
		p := m.place(0)
		c.place, c.line, c.pattern = &p, p.position(p.start).Line, m.pattern(1)
	} else {
		c.line, c.pattern = m.target(), m.pattern(0)
	}
	m.claimed[m.file] = append(m.claimed[m.file], c)
}

// markFaded is @faded(place): a diagnostic at the place says that it is not needed.
func markFaded(m *mark) {
	m.tagged(1)
}

// markStruck is @struck(place): a diagnostic at the place says that it is
// deprecated.
func markStruck(m *mark) {
	m.tagged(2)
}

// tagged fails the test unless a diagnostic at the place has that tag.
func (m *mark) tagged(tag int) {
	m.t.Helper()
	p := m.place(0)
	for _, d := range m.diagnostics() {
		if d.Range == p.rng() && slices.Equal(d.Tags, []int{tag}) {
			return
		}
	}
	m.errorf("it is not")
}

// markFix is @fix(place, "title", name): the diagnostic at the place has a fix of
// that title, which makes the file @name/file.
func markFix(m *mark) {
	p := m.place(0)
	for _, a := range m.actions(p, "quickfix") {
		if a.Title == m.text(1) && slices.ContainsFunc(a.Diagnostics, func(d Diagnostic) bool { return d.Range == p.rng() }) {
			if a.Edit == nil {
				m.call("codeAction/resolve", a, &a)
			}
			m.golden(m.word(2), m.file.name, m.changed(a.Edit)[m.file.name])
			return
		}
	}
	m.errorf("there is no such fix")
}

// A diagnostic is what the server says of a place.
type diagnostic struct {
	Diagnostic
	Tags []int
}

// diagnostics returns those of the file.
func (m *mark) diagnostics() []diagnostic {
	var report struct{ Items []diagnostic }
	m.call("textDocument/diagnostic", map[string]any{"textDocument": Document(m.file.uri)}, &report)
	return report.Items
}

// markHover is @hover(place, "regexp"); "" is for no hover at all.
func markHover(m *mark) {
	var hover *struct {
		Contents struct{ Kind, Value string }
		Range    Range
	}
	p := m.place(0)
	m.call("textDocument/hover", p.params(), &hover)
	switch {
	case m.text(1) == "":
		if hover != nil {
			m.errorf("there is one: %q", hover.Contents.Value)
		}
	case hover == nil:
		m.errorf("there is none")
	case !m.pattern(1).MatchString(hover.Contents.Value):
		m.errorf("it is %q", hover.Contents.Value)
	case hover.Range != p.rng():
		m.errorf("its range is %v, not %v", hover.Range, p.rng())
	}
}

// markFormat is @format(name): formatted, the file is @name/file.
func markFormat(m *mark) {
	var edits []edit
	m.call("textDocument/formatting", map[string]any{"textDocument": Document(m.file.uri), "options": map[string]any{"tabSize": 2, "insertSpaces": true}}, &edits)
	m.golden(m.word(0), m.file.name, m.file.edited(edits))
}

// markSymbol is @symbol(place, "name kind"): the document has a symbol whose name
// is the place. Behind the kind of what is deprecated stands "deprecated".
func markSymbol(m *mark) {
	type symbol struct {
		Name, Detail   string
		SelectionRange Range
		Tags           []int
		Children       []symbol
	}
	var all []symbol
	m.call("textDocument/documentSymbol", map[string]any{"textDocument": Document(m.file.uri)}, &all)
	p := m.place(0)
	var find func([]symbol, string) bool
	find = func(list []symbol, path string) bool {
		for _, s := range list {
			full := strings.TrimPrefix(path+"/"+s.Name+" "+s.Detail, "/")
			if slices.Equal(s.Tags, []int{1}) {
				full += " deprecated"
			}
			if s.SelectionRange == p.rng() && full == m.text(1) || find(s.Children, path+"/"+s.Name) {
				return true
			}
		}
		return false
	}
	if !find(all, "") {
		m.errorf("the symbols are %+v", all)
	}
}

// A location is a range of a document.
type location struct {
	URI   string
	Range Range
}

// location returns where a place is.
func (p place) location() location { return location{p.uri, p.rng()} }

// markLocations returns the marker @def(place, place...), @typed or @impl: what
// stands at the first is defined at the others, is of the types that are defined
// there, or has its work done by the entries there.
func markLocations(method string) func(m *mark) {
	return func(m *mark) {
		var got []location
		m.call(method, m.place(0).params(), &got)
		m.sameLocations(got, m.places(1))
	}
}

// markReferences returns the marker @refs(place, place...): what stands at the
// first is spoken of at the others, its definition among them. Without the
// declaration it is @uses.
func markReferences(declaration bool) func(m *mark) {
	return func(m *mark) {
		var got []location
		params := m.place(0).params()
		params["context"] = map[string]bool{"includeDeclaration": declaration}
		m.call("textDocument/references", params, &got)
		m.sameLocations(got, m.places(1))
	}
}

// sameLocations fails the test unless locations are those of places, in any
// order.
func (m *mark) sameLocations(got []location, want []place) {
	m.t.Helper()
	missing := slices.Clone(want)
	for _, l := range got {
		i := slices.IndexFunc(missing, func(p place) bool { return p.location() == l })
		if i < 0 {
			m.errorf("nobody expects %s:%d:%d", path.Base(l.URI), l.Range.Start.Line+1, l.Range.Start.Character+1)
			continue
		}
		missing = slices.Delete(missing, i, i+1)
	}
	for _, p := range missing {
		m.errorf("%s is missing", p)
	}
}
