package types

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// This file translates types of other languages: List<int>, Dict[str, int], IO Text.

// foreignFormat returns the format of texts that other languages have a type for.
func foreignFormat(name string) string {
	switch name = strings.ToLower(name); name {
	case "datetime", "timestamp", "instant", "localdatetime", "offsetdatetime", "zoneddatetime":
		return "date-time"
	case "localdate":
		return "date"
	case "url":
		return "uri"
	case "guid":
		return "uuid"
	case "date", "time", "duration", "email", "uuid", "uri":
		return name
	}
	return ""
}

// fixForeignFormat adds to the problem of a type of other languages the fix that writes it as a
// text with a format: in the record of its node where it stands by itself.
func (e *expression) fixForeignFormat(d *diag.Diagnostic, name, format string) {
	if d.Span.IsZero() {
		return
	}
	text, span, written := d.Span.File.Text(), d.Span, "Text(format="+format+")"
	rest := strings.TrimLeft(text[span.End:], " \t\r\n")
	switch {
	case e.text != name || !strings.HasSuffix(text[:span.Start], "::"):
	case strings.HasPrefix(rest, "{") && !strings.HasPrefix(strings.TrimLeft(rest[1:], " \t\r\n"), "}"):
		span.End, written = len(text)-len(rest)+1, "Text {format: "+format+", "
	case strings.HasPrefix(rest, ")"):
		written = "Text {format: " + format + "}"
	default:
		written = "`" + written + "`"
	}
	report.Fix(d, "write "+strings.TrimSuffix(written, ", "), span, written) // not safe: a type of that name may be missing
}

// foreignApplied reports a name that is applied to arguments, and what gram has for it.
func (e *expression) foreignApplied(start int, name string) {
	r := &foreignTranslation{c: e.c, text: e.text, pos: start}
	meant := r.typ()
	if meant != "" && !e.c.isTypeExpression(meant) {
		meant = ""
	}
	var d *diag.Diagnostic
	switch {
	case meant == "" && name == "IO":
		e.fail(start, len(e.text), diag.CodeHaskellType, "IO is a Haskell type and has no place in a signature; write just Text")
		return
	case meant == "":
		e.fail(start, len(e.text), diag.CodeHaskellType, "%s takes no argument; only Maybe does", report.Clip(name))
		return
	case name == "IO":
		d = e.fail(start, r.pos, diag.CodeHaskellType, "IO is a Haskell type and has no place in a signature; write just %s", report.Clip(meant))
	case strings.HasSuffix(meant, "?"):
		left := "Maybe " + strings.TrimSuffix(meant, "?")
		d = e.fail(start, r.pos, diag.CodeHaskellType, "%s is not of gram; write %s for what may be null, %s for what may be left out", name, report.Clip(meant), report.Clip(left))
		report.Fix(d, "write "+report.Clip(meant), d.Span, meant)
		report.Fix(d, "write "+report.Clip(left), d.Span, left)
		return
	case name == "Array" || name == "Map" || name == "Maybe":
		d = e.fail(start, r.pos, diag.CodeHaskellType, "%s is written otherwise in gram: %s", name, report.Clip(meant))
	default:
		d = e.fail(start, r.pos, diag.CodeHaskellType, "%s is not of gram; write %s", name, report.Clip(meant))
	}
	report.SafeFix(d, "write "+report.Clip(meant), d.Span, meant)
}

// A foreignTranslation reads a type of another language and writes it as gram does.
type foreignTranslation struct {
	c     *Checker
	text  string
	pos   int
	depth int
}

// typ reads one type, "" where gram has nothing for it.
func (r *foreignTranslation) typ() string {
	if r.depth++; r.depth > maxTypeDepth {
		return ""
	}
	defer func() { r.depth-- }()
	if r.accept('[') {
		elem := r.typ()
		if !r.accept(']') || elem == "" {
			return ""
		}
		return "[" + elem + "]"
	}
	e := &expression{text: r.text, pos: r.pos}
	name := e.name()
	if r.pos = e.pos; name == "" {
		return ""
	}
	meant := r.translate(name, r.arguments(name))
	if meant != "" && r.accept('?') {
		meant += "?"
	}
	return meant
}

// arguments reads what a name is applied to, in brackets, or behind it as in Haskell.
func (r *foreignTranslation) arguments(name string) (list []string) {
	if touches := strings.HasPrefix(r.text[r.pos:], "["); touches || r.peek() == '<' {
		closing := byte('>')
		if touches {
			closing = ']'
		}
		r.pos++
		for more := true; more; more = r.accept(',') {
			list = append(list, r.typ())
		}
		if !r.accept(closing) {
			return []string{""}
		}
		return list
	}
	if known := r.c.gramTypeOfForeign(name); known != "" && vocabulary.ForeignType(name) == "" && name != "Map" && name != "Array" {
		return nil // which takes none
	}
	for r.peek() == '(' || r.peek() == '[' || isFieldNameStart(r.peek()) {
		if r.accept('(') {
			list = append(list, r.typ())
			if !r.accept(')') {
				return []string{""}
			}
			continue
		}
		if r.peek() == '[' {
			list = append(list, r.typ())
			continue
		}
		e := &expression{text: r.text, pos: r.pos}
		list = append(list, r.c.gramTypeOfForeign(e.name()))
		r.pos = e.pos
	}
	return list
}

// translate returns what gram has for a name with arguments.
func (r *foreignTranslation) translate(name string, arguments []string) string {
	if slices.Contains(arguments, "") {
		return ""
	}
	last := ""
	if n := len(arguments); n > 0 {
		last = arguments[n-1]
	}
	lower := strings.ToLower(name)
	switch {
	case last == "":
		return r.c.gramTypeOfForeign(name)
	case lower == "either", lower == "union":
		return strings.Join(arguments, " | ")
	case vocabulary.ForeignType(name) == "Object", lower == "map", lower == "hashmap", lower == "object":
		if len(arguments) <= 2 {
			return "Map<" + last + ">"
		}
		return ""
	case len(arguments) > 1:
		return ""
	case lower == "io", lower == "promise", lower == "future", lower == "task", lower == "awaitable":
		return last
	case vocabulary.ForeignType(name) == "Array", lower == "array", lower == "iterable":
		return "[" + last + "]"
	}
	if strings.Contains(last, "|") {
		last = "(" + last + ")"
	}
	switch lower {
	case "optional", "option", "nullable":
		return strings.TrimSuffix(last, "?") + "?"
	case "maybe":
		return "Maybe " + last
	}
	return ""
}

// gramTypeOfForeign returns the type that a single word means, "" for none.
func (c *Checker) gramTypeOfForeign(word string) string {
	if c.NamedType(word) != nil {
		return word
	}
	return foreignWordType(word)
}

// foreignWordType returns the type of the language that a word means, "" for none.
func foreignWordType(word string) string {
	if IsTypeName(word) {
		return word
	}
	for _, t := range vocabulary.TypeNames() {
		if strings.EqualFold(t.Name, word) {
			return t.Name
		}
	}
	return vocabulary.ForeignType(word)
}

// peek skips whitespace and returns the next byte, 0 at the end.
func (r *foreignTranslation) peek() byte {
	e := &expression{text: r.text, pos: r.pos}
	next := e.peek()
	if next != 0 {
		r.pos = e.pos
	}
	return next
}

func (r *foreignTranslation) accept(b byte) bool {
	if r.peek() != b {
		return false
	}
	r.pos++
	return true
}
