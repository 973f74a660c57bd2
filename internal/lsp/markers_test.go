package lsp_test

import (
	"strings"

	"github.com/gram-lang/gramc/internal/lsp/lsptest"
)

// markers returns what is done at each marker.
func markers() map[string]func(*mark) {
	return map[string]func(*mark){
		"accept":    markAccept,
		"complete":  markComplete,
		"diag":      markDiag,
		"docs":      markDocs,
		"format":    markFormat,
		"hints":     markHints,
		"hover":     markHover,
		"lens":      markLens,
		"loc":       func(*mark) {}, // read before all others
		"signature": markSignature,
		"symbol":    markSymbol,
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

// markHover is @hover(place, "regexp"); "" is for no hover at all.
func markHover(m *mark) {
	var hover *struct {
		Contents struct{ Kind, Value string }
		Range    lsptest.Range
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
	m.call("textDocument/formatting", map[string]any{"textDocument": lsptest.Document(m.file.uri), "options": map[string]any{"tabSize": 2, "insertSpaces": true}}, &edits)
	m.golden(m.word(0), m.file.name, m.file.edited(edits))
}

// markSymbol is @symbol(place, "name kind"): the document has a symbol whose name
// is the place.
func markSymbol(m *mark) {
	type symbol struct {
		Name, Detail   string
		SelectionRange lsptest.Range
		Children       []symbol
	}
	var all []symbol
	m.call("textDocument/documentSymbol", map[string]any{"textDocument": lsptest.Document(m.file.uri)}, &all)
	p := m.place(0)
	var find func([]symbol, string) bool
	find = func(list []symbol, path string) bool {
		for _, s := range list {
			full := strings.TrimPrefix(path+"/"+s.Name+" "+s.Detail, "/")
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
