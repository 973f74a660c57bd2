package compile

import (
	"slices"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// A toolEntries finds the entries of libraries by the tools that they have. Nobody
// changes it after it was made.
type toolEntries struct {
	byTool map[string]indexed
	names  []string // of all tools, for suggestions
	open   bool     // some server may have any tool
}

type indexed struct {
	entry   *library.Entry
	library *library.Library
	open    bool // a server that comes before may have the tool
}

// newToolEntries indexes libraries. A later one comes before an earlier one, and in
// one library an entry of its own before a server that allows a tool.
func newToolEntries(libraries []*library.Library) *toolEntries {
	x := &toolEntries{byTool: map[string]indexed{}}
	for _, l := range slices.Backward(libraries) {
		x.add(l, func(e *library.Entry) bool { return e.MCP == nil })
		x.add(l, func(e *library.Entry) bool { return e.MCP != nil })
		x.open = x.open || slices.ContainsFunc(l.Entries, func(e *library.Entry) bool { return e.MCP != nil && e.MCP.Allow == nil })
	}
	return x
}

func (x *toolEntries) add(l *library.Library, which func(*library.Entry) bool) {
	for _, e := range l.Entries {
		if !which(e) {
			continue
		}
		for _, name := range e.Tools() {
			if _, there := x.byTool[name]; !there {
				x.byTool[name] = indexed{e, l, x.open}
				x.names = append(x.names, name)
			}
		}
	}
}

// lookup returns the entry that has a tool, nil when none is known to have it.
// Open reports whether a server that may have any tool comes before it.
func (x *toolEntries) lookup(tool string) (e *library.Entry, open bool) {
	if found, ok := x.byTool[tool]; ok {
		return found.entry, found.open
	}
	return nil, x.open
}

// ShadowedToolEntries warns of the tools of later libraries that replace one of an
// earlier library, and do not say that they mean to.
func ShadowedToolEntries(libraries []*library.Library) diag.List {
	var problems diag.List
	earlier := map[string]source.Span{}
	for _, l := range libraries {
		own := map[string]source.Span{}
		for _, e := range l.Entries {
			places := e.ToolSpans()
			for i, name := range e.Tools() {
				place := places[i]
				own[name] = place
				first, replaced := earlier[name]
				if !replaced || e.Replaces {
					continue
				}
				d := problems.Warnf(place, diag.CodeShadowedTool,
					"the tool %s replaces that of an earlier library; if that is meant, write replaces: true", report.Quote(name))
				report.Relate(d, first, "the earlier one")
				if e.Pattern != nil && !place.IsZero() {
					report.AddProperty(d, e.Pattern.Subject, "replaces: true")
				}
			}
		}
		for name, place := range own {
			earlier[name] = place
		}
	}
	return problems
}
