package library

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/report"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// This file reads the texts of a library: ${NAME} stands for an environment
// variable in all of them, {name} for an argument in templates.

// A textReader reads one text.
type textReader struct {
	c         *Lowerer
	text      string
	quotation *report.Quotation
	template  bool
	pos       int
	literal   strings.Builder // that was read since the last part
	parts     []Part
	spans     []source.Span // of the parts
	start     int           // where literal starts
	failed    bool          // what is wrong has been told: the rest is a consequence
}

// libraryText reads a text. What is wrong with it has been told.
func (c *Lowerer) libraryText(v ast.Value, text string, template bool) Text {
	r := &textReader{c: c, text: text, quotation: report.NewQuotation(v, text), template: template}
	for r.pos < len(text) {
		switch {
		case text[r.pos] == '$':
			r.dollar()
		case template && (text[r.pos] == '{' || text[r.pos] == '}'):
			r.brace()
		default:
			r.take(1)
		}
	}
	r.flush()
	return Text{Written: text, Parts: r.parts, spans: r.spans}
}

// take reads n bytes as they are.
func (r *textReader) take(n int) {
	if r.literal.Len() == 0 {
		r.start = r.pos
	}
	r.literal.WriteString(r.text[r.pos : r.pos+n])
	r.pos += n
}

// flush makes a part of the literal text that was read.
func (r *textReader) flush() {
	if r.literal.Len() > 0 {
		r.parts = append(r.parts, Part{Literal, r.literal.String()})
		r.spans = append(r.spans, r.quotation.At(r.start, r.pos))
		r.literal.Reset()
	}
}

// part adds a part of n bytes that is not literal.
func (r *textReader) part(kind PartKind, name string, n int) {
	r.flush()
	r.parts = append(r.parts, Part{kind, name})
	r.spans = append(r.spans, r.quotation.At(r.pos, r.pos+n))
	r.pos += n
}

// errorf tells what is wrong with the next n bytes, which are read.
func (r *textReader) errorf(n int, code diag.Code, format string, args ...any) *diag.Diagnostic {
	list := &r.c.Diags
	if r.failed {
		list = &diag.List{}
	}
	r.failed = true
	d := list.Errorf(r.quotation.At(r.pos, r.pos+n), code, format, args...)
	r.pos += n
	return d
}

// dollar reads ${NAME}, $${ or a dollar.
func (r *textReader) dollar() {
	rest := r.text[r.pos:]
	if strings.HasPrefix(rest, "$${") {
		r.pos++
		r.take(len("${"))
		if name := variableName(r.text[r.pos:]); name != "" && strings.HasPrefix(r.text[r.pos+len(name):], "}") {
			r.take(len(name) + len("}"))
		}
		return
	}
	if !strings.HasPrefix(rest, "${") {
		r.bareVariable()
		return
	}
	name, end := variableName(rest[len("${"):]), closing(rest)
	switch {
	case name != "" && strings.HasPrefix(rest[len("${")+len(name):], "}"):
		r.part(Environment, name, len("${}")+len(name))
	case end < 0:
		d := r.errorf(len("${")+len(name), diag.CodeInvalidSecret, "${ is never closed with }; for the two characters themselves write $${")
		if name != "" {
			report.Fix(d, "close it", d.Span.Tail(), "}")
		}
	case end == len("${"):
		r.errorf(end+1, diag.CodeInvalidSecret, "${} names no environment variable; write ${NAME}")
	default:
		r.errorf(end+1, diag.CodeInvalidSecret,
			"%s is no environment variable; between ${ and } stands its name alone, of letters, digits and _", report.Quote(rest[:end+1]))
	}
}

// closing returns where a text that starts with ${ is closed, before anything
// else is opened; -1 when it is not.
func closing(text string) int {
	const open = len("${")
	end := strings.IndexAny(text[open:], "${}")
	if end < 0 || text[open+end] != '}' {
		return -1
	}
	return open + end
}

// bareVariable reads a dollar, and hints that $NAME is text.
func (r *textReader) bareVariable() {
	name := variableName(r.text[r.pos+1:])
	if looksLikeVariable(name) {
		n := len("$") + len(name)
		d := r.c.Diags.Hintf(r.quotation.At(r.pos, r.pos+n), diag.CodePlainVariable, "$%s is plain text; an environment variable is written ${%s}", report.Clip(name), report.Clip(name))
		report.Fix(d, "write ${"+report.Clip(name)+"}", d.Span, "${"+name+"}")
		r.take(n)
		return
	}
	r.take(1)
}

// looksLikeVariable reports whether a name is one that environment variables
// have: of capital letters, and more than one.
func looksLikeVariable(name string) bool {
	return len(name) > 1 && name == strings.ToUpper(name) && strings.ContainsAny(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// variableName returns the name of an environment variable that a text starts
// with, "" when it starts with none.
func variableName(text string) string {
	n := 0
	for n < len(text) && (text[n] == '_' || 'a' <= text[n]|0x20 && text[n]|0x20 <= 'z' || n > 0 && '0' <= text[n] && text[n] <= '9') {
		n++
	}
	return text[:n]
}

// brace reads {name}, {{ or }}.
func (r *textReader) brace() {
	rest := r.text[r.pos:]
	if strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "}}") {
		r.pos++
		r.take(1)
		return
	}
	if rest[0] == '}' {
		d := r.errorf(1, diag.CodeInvalidTemplate, "} closes nothing; for the brace itself write }}")
		report.Fix(d, "write }}", d.Span, "}}")
		return
	}
	end := strings.IndexAny(rest[1:], "{}") + 1
	name := ""
	if end > 0 {
		name = strings.TrimSpace(rest[1:end])
	}
	switch {
	case end == 0 || rest[end] == '{':
		d := r.errorf(1, diag.CodeInvalidTemplate, "{ is never closed with }; an argument is written {name}, and the brace itself {{")
		report.Fix(d, "write {{", d.Span, "{{")
	case name == "" || strings.ContainsAny(name, "\"':;,() \t\r\n"):
		open := r.quotation.At(r.pos, r.pos+1)
		d := r.errorf(end+1, diag.CodeInvalidTemplate, "%s is no argument; an argument is written {name}, and the brace itself {{", report.Quote(rest[:end+1]))
		closing := r.quotation.At(r.pos-1, r.pos)
		if !open.IsZero() {
			d.Fixes = append(d.Fixes, diag.Fix{Title: "write {{ and }}", Edits: []diag.Edit{{Span: open, NewText: "{{"}, {Span: closing, NewText: "}}"}}})
		}
	case len(name) != end-1:
		d := r.errorf(end+1, diag.CodeInvalidTemplate, "the name of an argument stands between the braces without blanks: {%s}", report.Clip(name))
		report.SafeFix(d, "write {"+report.Clip(name)+"}", d.Span, "{"+name+"}")
	default:
		r.part(Argument, name, end+1)
	}
}

// has reports whether a text has parts of a kind.
func (t Text) has(kind PartKind) bool {
	for _, p := range t.Parts {
		if p.Kind == kind {
			return true
		}
	}
	return false
}

// Arguments returns the arguments {name} of a text of a library that is a
// template.
func Arguments(v ast.Value) []report.Reference {
	text, ok := ast.TextOf(v)
	if !ok || strings.IndexByte(text, '{') < 0 {
		return nil
	}
	c := &Lowerer{Checker: &types.Checker{Reporter: &report.Reporter{}}}
	template := c.libraryText(v, text, true)
	var words []report.Reference
	for i, part := range template.Parts {
		if s := template.spans[i]; part.Kind == Argument && !s.IsZero() {
			raw := s.Text()
			s.Start, s.End = s.Start+strings.IndexByte(raw, '{')+1, s.Start+strings.LastIndexByte(raw, '}')
			words = append(words, report.Reference{Text: part.Text, Span: s})
		}
	}
	return words
}

// IsArgument reports whether a template can speak of an argument of that name.
func IsArgument(name string) bool { return !strings.ContainsAny(name, "{}\"':;,() \t\r\n") }
