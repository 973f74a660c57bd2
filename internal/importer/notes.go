package importer

import (
	"fmt"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/source"
)

// Positions finds the spans of what was read from a file.
type notePositions struct{ file *source.File }

// span returns the span of a value.
func (p notePositions) span(n *jsonschema.Node) source.Span {
	return p.file.Span(int(n.Start), int(n.End))
}

// key returns the span of the key of a member.
func (p notePositions) key(m jsonschema.Member) source.Span {
	return p.file.Span(int(m.Start), int(m.End))
}

// notes report what is noticed about one definition.
type notes struct {
	notePositions
	diags    *diag.List
	tool     string          // as messages call it
	comments []string        // what the reader of the gram text should know
	covered  map[string]bool // pointers to where a difference is already reported
	common   map[string]bool // the same for what the definitions share
	result   *notes          // for the result, where it has its own
}

// notes returns new notes about a tool, or about its result.
func (im *importer) notes(tool string) *notes {
	return &notes{notePositions: im.notePositions, diags: &im.diags, tool: tool}
}

// lost reports that something is left out because gram cannot express it.
func (n *notes) lost(span source.Span, at *jsonschema.Location, format string, args ...any) {
	what := noteLine(format, args)
	n.diags.Errorf(span, diag.CodeImportLost, "%s; left out of %s%s", what, n.tool, locationNote(at))
	n.comments = append(n.comments, fmt.Sprintf("left out%s: %s", locationNote(at), what))
	n.cover(at)
}

// rewritten reports that gram expresses something in another way.
func (n *notes) rewritten(span source.Span, at *jsonschema.Location, format string, args ...any) {
	n.diags.Infof(span, diag.CodeImportRewritten, "%s: %s%s", n.tool, noteLine(format, args), locationNote(at))
	n.cover(at)
}

// assumed reports what replaces something that a definition leaves out.
func (n *notes) assumed(span source.Span, at *jsonschema.Location, format string, args ...any) {
	n.diags.Warnf(span, diag.CodeImportAssumed, "%s: %s%s", n.tool, noteLine(format, args), locationNote(at))
	n.cover(at)
}

// noteLine formats a message as a single line.
func noteLine(format string, args []any) string { return diag.Escape(fmt.Sprintf(format, args...)) }

// locationNote returns a location for the end of a message.
func locationNote(at *jsonschema.Location) string {
	if at == nil {
		return ""
	}
	return " at " + diag.Escape(clipText(at.Pointer()))
}

// cover notes that a difference at a location is already reported.
func (n *notes) cover(at *jsonschema.Location) {
	if n.covered == nil {
		n.covered = map[string]bool{}
	}
	covered := n.covered
	if tokens := at.Tokens(); n.common != nil && len(tokens) > 0 && tokens[0] == components {
		covered = n.common
	}
	covered[at.Pointer()] = true
}

// covers reports whether a difference is already reported at a location, or
// around it.
func (n *notes) covers(at *jsonschema.Location) bool {
	for ; at != nil; at = at.Parent {
		if p := at.Pointer(); n.covered[p] || n.common[p] {
			return true
		}
	}
	return n.covered[""]
}
