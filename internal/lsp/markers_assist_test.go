package lsp_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
)

// A completionItem is something that the server offers to write.
type completionItem struct {
	Label            string
	Tags             []int
	Detail           string
	InsertTextFormat int
	InsertTextMode   int
	TextEdit         *edit
	More             []edit          `json:"additionalTextEdits"`
	Docs             json.RawMessage `json:"documentation"`
	raw              json.RawMessage
}

// typing writes text at the cursor of a place, calls f with the file as it is
// then, and takes the text out again. A ‸ in the text is the cursor, which is
// otherwise at its end; ✂ cuts off what follows.
func (m *mark) typing(p place, text string, f func(p place)) {
	before, after, _ := strings.Cut(text, "‸")
	rest := p.text[p.cursor:]
	if strings.HasSuffix(text, "✂") {
		before, after, rest = strings.TrimSuffix(before, "✂"), strings.TrimSuffix(after, "✂"), ""
	}
	cursor := p.cursor + len(before)
	typed := &file{name: p.name, uri: p.uri, text: p.text[:p.cursor] + before + after + rest}
	if typed.text != p.text {
		m.c.Change(p.uri, 2, Change{Text: typed.text})
		defer m.c.Change(p.uri, 3, Change{Text: p.text})
	}
	f(place{typed, cursor, cursor, cursor})
}

// completions returns what is offered at a place.
func (m *mark) completions(p place) []completionItem {
	var list *struct{ Items []json.RawMessage }
	m.call("textDocument/completion", p.params(), &list)
	var items []completionItem
	if list == nil {
		return nil
	}
	for _, raw := range list.Items {
		item := completionItem{raw: raw}
		if err := json.Unmarshal(raw, &item); err != nil {
			m.fatalf("%s: %v", raw, err)
		}
		items = append(items, item)
	}
	return items
}

// labels returns the labels of items, with ~ before those that are deprecated.
func labels(items []completionItem) []string {
	var list []string
	for _, i := range items {
		label := i.Label
		if slices.Equal(i.Tags, []int{1}) {
			label = "~" + label
		}
		list = append(list, label)
	}
	return list
}

// markComplete is @complete(place, "typed", "label", …): these are offered, in
// this order and maybe with others between. "-label" is not offered, "~label" is
// deprecated, and "." says that nothing else is.
func markComplete(m *mark) {
	m.typing(m.place(0), m.text(1), func(p place) {
		got := labels(m.completions(p))
		from, wanted := 0, 0
		for _, want := range m.texts(2) {
			if name, not := strings.CutPrefix(want, "-"); not {
				if slices.Contains(got, name) {
					m.errorf("%s is offered: %q", name, got)
				}
				continue
			}
			if want == "." {
				if wanted != len(got) {
					m.errorf("%d are offered, not %d: %q", len(got), wanted, got)
				}
				continue
			}
			wanted++
			i := slices.Index(got[from:], want)
			if i < 0 {
				m.errorf("%s is not offered there: %q", want, got)
				return
			}
			from += i + 1
		}
	})
}

// markAccept is @accept(place, "typed", "label", name): with what is offered by
// that label, the file is @name/file.
func markAccept(m *mark) {
	m.typing(m.place(0), m.text(1), func(p place) {
		items := m.completions(p)
		i := slices.IndexFunc(items, func(i completionItem) bool { return i.Label == m.text(2) })
		if i < 0 {
			m.errorf("there are %q", labels(items))
			return
		}
		accepted := *items[i].TextEdit
		if items[i].InsertTextMode == 2 { // the client indents the lines
			accepted.NewText = strings.ReplaceAll(accepted.NewText, "\n", "\n"+p.indent())
		}
		edits := append([]edit{accepted}, items[i].More...)
		m.golden(m.word(3), m.file.name, withoutMarkers(p.edited(edits)))
	})
}

// indent returns the whitespace that the line of a place starts with.
func (p place) indent() string {
	line := p.text[strings.LastIndexByte(p.text[:p.cursor], '\n')+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// markerText finds markers, with the lines that are nothing else.
var markerText = regexp.MustCompile(`(?m)^[ \t]*//@.*\n|[ \t]*//@.*`)

func withoutMarkers(text string) string { return markerText.ReplaceAllString(text, "") }

// markDocs is @docs(place, "typed", "label", "regexp"): what is said when
// somebody looks at what is offered by that label.
func markDocs(m *mark) {
	m.typing(m.place(0), m.text(1), func(p place) {
		for _, item := range m.completions(p) {
			if item.Label != m.text(2) {
				continue
			}
			var resolved struct {
				Label         string
				TextEdit      *edit
				Documentation struct{ Kind, Value string }
			}
			m.call("completionItem/resolve", item.raw, &resolved)
			if resolved.Label != item.Label || resolved.TextEdit == nil || *resolved.TextEdit != *item.TextEdit {
				m.errorf("the item came back as %+v", resolved)
			}
			if !m.pattern(3).MatchString(resolved.Documentation.Value) {
				m.errorf("it is %q", resolved.Documentation.Value)
			}
			return
		}
		m.errorf("it is not offered")
	})
}

// markSignature is @signature(place, "typed", "label", n): the help is of a
// signature with that label, in which n is active. Between its parameters stand
// only signs. "" is for no help.
func markSignature(m *mark) {
	m.typing(m.place(0), m.text(1), func(p place) {
		var help *struct {
			Signatures []struct {
				Label      string
				Parameters []struct {
					Label         [2]int
					Documentation struct{ Value string }
				}
			}
			ActiveParameter int
		}
		m.call("textDocument/signatureHelp", p.params(), &help)
		switch {
		case m.text(2) == "" && help != nil:
			m.errorf("there is %+v", help)
		case m.text(2) == "":
		case help == nil:
			m.errorf("there is none")
		default:
			s := help.Signatures[0]
			if s.Label != m.text(2) || help.ActiveParameter != m.number(3) {
				m.errorf("it is %q, %d active", s.Label, help.ActiveParameter)
			}
			label, last := utf16.Encode([]rune(s.Label)), 0
			for _, p := range s.Parameters {
				if between := string(utf16.Decode(label[last:p.Label[0]])); !slices.Contains([]string{"", "{", ", ", "==>"}, between) {
					m.errorf("%q stands between parameters", between)
				}
				last = p.Label[1]
			}
		}
	})
}

// markHints is @hints(name): with its hints in «», the file is @name/file.
func markHints(m *mark) {
	type hint struct {
		Position     Position
		Label        string
		PaddingLeft  bool
		PaddingRight bool
	}
	var hints []hint
	end := m.file.position(len(m.file.text))
	m.call("textDocument/inlayHint", map[string]any{"textDocument": Document(m.file.uri), "range": Range{End: end}}, &hints)
	var edits []edit
	for _, h := range hints {
		text := "«" + h.Label + "»"
		if h.PaddingLeft {
			text = " " + text
		}
		edits = append(edits, edit{Range: Range{Start: h.Position, End: h.Position}, NewText: text})
	}
	m.golden(m.word(0), m.file.name, withoutMarkers(m.file.edited(edits)))
	var none []hint
	m.call("textDocument/inlayHint", map[string]any{"textDocument": Document(m.file.uri), "range": Range{Start: end, End: end}}, &none)
	if len(none) > 0 {
		m.errorf("hints outside of the range: %v", none)
	}
}

// markLens is @lens(place, "title command [arguments]"): there is one at the
// place. The root of the workspace is $ROOT. "" is for none at all.
func markLens(m *mark) {
	var lenses []struct {
		Range   Range
		Command struct {
			Title, Command string
			Arguments      []json.RawMessage
		}
	}
	m.call("textDocument/codeLens", map[string]any{"textDocument": Document(m.file.uri)}, &lenses)
	p := m.place(0)
	var there []string
	for _, l := range lenses {
		if l.Range == p.rng() {
			text := fmt.Sprintf("%s %s %s", l.Command.Title, l.Command.Command, l.Command.Arguments)
			there = append(there, strings.ReplaceAll(text, "file://"+m.root, "$ROOT"))
		}
	}
	if want := m.text(1); want == "" && len(there) > 0 || want != "" && !slices.Contains(there, want) {
		m.errorf("there are %q", there)
	}
}
