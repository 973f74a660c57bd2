package importer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/source"
)

// A place is where in a schema something stands. Nil is the whole schema.
type place struct {
	above *place
	token string
}

// key returns the place of a member.
func (p *place) key(token string) *place { return &place{p, token} }

// item returns the place of an element.
func (p *place) item(i int) *place { return &place{p, strconv.Itoa(i)} }

// top returns the first token of the place.
func (p *place) top() string {
	token := ""
	for ; p != nil; p = p.above {
		token = p.token
	}
	return token
}

// pointer returns the place as a JSON pointer.
func (p *place) pointer() string {
	var tokens []string
	for ; p != nil; p = p.above {
		tokens = append(tokens, jsonpointer.Token(p.token))
	}
	var b strings.Builder
	for i := len(tokens) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(tokens[i])
	}
	return b.String()
}

// at returns where something stands, for people.
func (p *place) at() string {
	if p == nil {
		return ""
	}
	return " at " + diag.Escape(clip(p.pointer()))
}

// notes are what is told of one definition.
type notes struct {
	diags    *diag.List
	tool     string          // as messages call it
	comments []string        // what the reader of the gram text should know
	covered  map[string]bool // places of which it is told that they differ
	common   map[string]bool // the same of what definitions share
	result   *notes          // those of the result, where it has some of its own
}

// lost tells that something is left out because gram cannot say it.
func (n *notes) lost(span source.Span, at *place, format string, args ...any) {
	what := line(format, args)
	n.diags.Errorf(span, diag.CodeImportLost, "%s; left out of %s%s", what, n.tool, at.at())
	n.comments = append(n.comments, fmt.Sprintf("left out%s: %s", at.at(), what))
	n.cover(at)
}

// rewritten tells that gram says something in another way.
func (n *notes) rewritten(span source.Span, at *place, format string, args ...any) {
	n.diags.Infof(span, diag.CodeImportRewritten, "%s: %s%s", n.tool, line(format, args), at.at())
	n.cover(at)
}

// assumed tells what stands for something that a definition leaves out.
func (n *notes) assumed(span source.Span, at *place, format string, args ...any) {
	n.diags.Warnf(span, diag.CodeImportAssumed, "%s: %s%s", n.tool, line(format, args), at.at())
	n.cover(at)
}

// line formats a message, of which nothing breaks the line.
func line(format string, args []any) string { return diag.Escape(fmt.Sprintf(format, args...)) }

func (n *notes) cover(at *place) {
	if n.covered == nil {
		n.covered = map[string]bool{}
	}
	covered := n.covered
	if n.common != nil && at.top() == components {
		covered = n.common
	}
	covered[at.pointer()] = true
}

// covers reports whether it was told that the schema differs at a place, or
// above it.
func (n *notes) covers(at *place) bool {
	for ; at != nil; at = at.above {
		if p := at.pointer(); n.covered[p] || n.common[p] {
			return true
		}
	}
	return n.covered[""]
}
