package library

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

const (
	runExample     = `run: ["./program"]`
	commandExample = `command: ["npx", "-y", "server"]`
	headersExample = `{headers: {Authorization: "Bearer ${NAME}"}}`
	envExample     = `{env: {LANG: "C"}}`
)

func (r *entryReader) command() *Command {
	c := &Command{Dir: r.text("dir", false), Env: r.variables("env", envExample), Output: r.word("output", []string{"json", "text"})}
	c.Run = r.program("run", runExample, true)
	c.Shell = r.plain("shell")
	switch {
	case r.has("run") && r.has("shell"):
		if r.property("run") != nil && r.property("shell") != nil {
			r.both("run", "shell")
		}
	case !r.has("run") && !r.has("shell"):
		r.missing("does not say what it runs; write "+runExample, runExample)
	case r.property("shell") != nil && report.Blank(c.Shell):
		if _, ok := ast.TextOf(r.property("shell").Value); ok {
			r.Diags.Errorf(r.property("shell").Value.Span(), diag.CodeInvalidEntry, "%s is empty", r.whose("shell"))
		}
	}
	return c
}

// program reads a program with its arguments.
func (r *entryReader) program(key, example string, template bool) []Text {
	p := r.property(key)
	if p == nil {
		return nil
	}
	list, ok := p.Value.(*ast.Array)
	if !ok {
		r.notList(p, example)
		return nil
	}
	if len(list.Elements) == 0 {
		r.Diags.Errorf(list.Span(), diag.CodeInvalidEntry, "%s names no program; write %s", r.whose(key), example)
		return nil
	}
	var texts []Text
	for i, v := range list.Elements {
		whose := fmt.Sprintf("argument %d in %s", i, r.whose(key))
		if i == 0 {
			whose = "the program in " + r.whose(key)
		}
		text, ok := r.textOf(v, whose, diag.CodeInvalidEntry)
		if !ok {
			continue
		}
		if i == 0 && report.Blank(text) {
			r.Diags.Errorf(v.Span(), diag.CodeInvalidEntry, "%s is empty", whose)
			continue
		}
		mark := len(r.Diags)
		texts = append(texts, r.libraryText(v, text, template))
		if n := len(texts) - 1; n > 1 && codeIn(texts)[n] {
			r.Diags = append(r.Diags[:mark], slices.DeleteFunc(r.Diags[mark:], isPlainVariable)...) // a shell knows $NAME
		}
	}
	if template && len(texts) == len(list.Elements) {
		if at, fixed := r.programIsFixed(texts); fixed && at < len(texts) {
			r.codeIsFixed(texts[at:])
		}
	}
	return texts
}

func isPlainVariable(d *diag.Diagnostic) bool { return d.Code == diag.CodePlainVariable }

// notList reports that a program and its arguments are one text.
func (r *entryReader) notList(p *ast.Property, example string) {
	text, ok := ast.WordOf(p.Value)
	if !ok {
		r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s is %s; it must be a list: {%s}", r.whose(p.Key.Text), report.KindOf(p.Value), example)
		return
	}
	d := r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s is one text; the program and each argument stand in a list: {%s}", r.whose(p.Key.Text), example)
	words := strings.Fields(text)
	if len(words) == 0 || strings.ContainsAny(text, "\"'`\\|&;<>()*?") {
		return // which a shell would take apart otherwise
	}
	for i, word := range words {
		words[i] = strconv.Quote(word)
	}
	report.Fix(d, "write a list", p.Value.Span(), "["+strings.Join(words, ", ")+"]")
	r.withArguments(d, words)
	if len(words) == 1 && len(d.Fixes) > 0 {
		d.MarkSafe() // else it may be a path with whitespace
	}
}

// argumentsApart reports whether a property holds the arguments of a program, as in other
// tools, beside a program. That is reported where the program is not a list with them.
func (r *entryReader) argumentsApart(key string) bool {
	program := r.programKey()
	if program == "" || !slices.Contains(argumentKeys, key) {
		return false
	}
	p := r.property(program)
	if p == nil {
		return false
	}
	list, isList := p.Value.(*ast.Array)
	if !isList || len(list.Elements) == 0 {
		return !isList
	}
	args := r.pattern.Property(key)
	d := r.Diags.Errorf(args.Key.Span(), diag.CodeUnknownProperty, "the property %s has no meaning on %s; the arguments stand behind the program, in %s", report.Quote(key), r.what, program)
	if words := argumentsOf(args); words != nil {
		place := list.Elements[len(list.Elements)-1].Span().Tail()
		report.SafeFix(d, "write one list", place, ", "+strings.Join(words, ", "))
		r.removeArguments(d, args)
	}
	return true
}

// argumentKeys are what the arguments of a program are called in other tools.
var argumentKeys = []string{"args", "arguments", "argv"}

// programKey returns the property that holds the program of an entry, "" for none.
func (r *entryReader) programKey() string {
	switch {
	case r.entry == nil:
	case r.entry.Kind == EntryMCP:
		return "command"
	case r.entry.Kind == EntryCommand:
		return "run"
	}
	return ""
}

// argumentsOf returns the elements of a list as they are written, nil for what is none.
func argumentsOf(p *ast.Property) (words []string) {
	list, ok := p.Value.(*ast.Array)
	if !ok {
		return nil
	}
	for _, v := range list.Elements {
		words = append(words, v.Span().Text())
	}
	return words
}

// withArguments adds the arguments of the property args, which other tools have, to the
// list that a fix writes.
func (r *entryReader) withArguments(d *diag.Diagnostic, words []string) {
	i := slices.IndexFunc(argumentKeys, func(key string) bool { return r.pattern.Property(key) != nil })
	if i < 0 || len(d.Fixes) == 0 {
		return
	}
	args := r.pattern.Property(argumentKeys[i])
	if _, ok := args.Value.(*ast.Array); !ok {
		d.Fixes = nil
		return
	}
	f := &d.Fixes[0]
	f.Title = "write one list"
	f.Edits[0].NewText = "[" + strings.Join(append(words, argumentsOf(args)...), ", ") + "]"
	r.removeArguments(d, args)
}

// removeArguments adds to a fix that the property is removed, which another one follows or
// precedes.
func (r *entryReader) removeArguments(d *diag.Diagnostic, args *ast.Property) {
	properties := r.pattern.Subject.Record.Properties
	remove := report.RemoveElement(properties, slices.Index(properties, args))
	d.Fixes[0].Edits = append(d.Fixes[0].Edits, diag.Edit{Span: remove})
}
