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
	c.Run = r.commandProgram("run", runExample, true)
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

// commandProgram reads a program with its arguments.
func (r *entryReader) commandProgram(key, example string, template bool) []Text {
	p := r.property(key)
	if p == nil {
		return nil
	}
	list, ok := p.Value.(*ast.Array)
	if !ok {
		r.commandNotList(p, example)
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
			r.Diags = append(r.Diags[:mark], slices.DeleteFunc(r.Diags[mark:], isPlainCommandVariable)...) // a shell knows $NAME
		}
	}
	if template && len(texts) == len(list.Elements) {
		if at, fixed := r.codeProgramIsFixed(texts); fixed && at < len(texts) {
			r.codeIsFixed(texts[at:])
		}
	}
	return texts
}

func isPlainCommandVariable(d *diag.Diagnostic) bool { return d.Code == diag.CodePlainVariable }

// commandNotList reports that a program and its arguments are one text.
func (r *entryReader) commandNotList(p *ast.Property, example string) {
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
	r.commandWithArguments(d, words)
	if len(words) == 1 && len(d.Fixes) > 0 {
		d.MarkSafe() // else it may be a path with whitespace
	}
}

// commandArgumentsApart reports whether a property holds the arguments of a program, as in other
// tools, beside a program. That is reported where the program is not a list with them.
func (r *entryReader) commandArgumentsApart(key string) bool {
	program := r.commandKey()
	if program == "" || !slices.Contains(commandArgumentKeys, key) {
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
	if words := commandArguments(args); words != nil {
		place := list.Elements[len(list.Elements)-1].Span().Tail()
		report.SafeFix(d, "write one list", place, ", "+strings.Join(words, ", "))
		r.removeCommandArguments(d, args)
	}
	return true
}

// commandArgumentKeys are what the arguments of a program are called in other tools.
var commandArgumentKeys = []string{"args", "arguments", "argv"}

// commandKey returns the property that holds the program of an entry, "" for none.
func (r *entryReader) commandKey() string {
	switch {
	case r.entry == nil:
	case r.entry.Kind == EntryMCP:
		return "command"
	case r.entry.Kind == EntryCommand:
		return "run"
	}
	return ""
}

// commandArguments returns the elements of a list as they are written, nil for what is none.
func commandArguments(p *ast.Property) (words []string) {
	list, ok := p.Value.(*ast.Array)
	if !ok {
		return nil
	}
	for _, v := range list.Elements {
		words = append(words, v.Span().Text())
	}
	return words
}

// commandWithArguments adds the arguments of the property args, which other tools have, to the
// list that a fix writes.
func (r *entryReader) commandWithArguments(d *diag.Diagnostic, words []string) {
	i := slices.IndexFunc(commandArgumentKeys, func(key string) bool { return r.pattern.Property(key) != nil })
	if i < 0 || len(d.Fixes) == 0 {
		return
	}
	args := r.pattern.Property(commandArgumentKeys[i])
	if _, ok := args.Value.(*ast.Array); !ok {
		d.Fixes = nil
		return
	}
	f := &d.Fixes[0]
	f.Title = "write one list"
	f.Edits[0].NewText = "[" + strings.Join(append(words, commandArguments(args)...), ", ") + "]"
	r.removeCommandArguments(d, args)
}

// removeCommandArguments adds to a fix that the property is removed, which another one follows
// or precedes.
func (r *entryReader) removeCommandArguments(d *diag.Diagnostic, args *ast.Property) {
	properties := r.pattern.Subject.Record.Properties
	remove := report.RemoveElement(properties, slices.Index(properties, args))
	d.Fixes[0].Edits = append(d.Fixes[0].Edits, diag.Edit{Span: remove})
}
