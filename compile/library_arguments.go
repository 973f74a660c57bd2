package compile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// This file compares the arguments that an entry speaks of with the parameters
// that there are: those of its signature, or of the tool that it works for.

// parameters are the names of what a tool takes.
type parameters struct {
	names []string
	has   map[string]bool
	whose string      // "the signature", "the tool "x" of the agent"
	place source.Span // where they are declared; may be zero
}

func newParameters(names []string, whose string, place source.Span) parameters {
	p := parameters{names: names, has: make(map[string]bool, len(names)), whose: whose, place: place}
	for _, name := range names {
		p.has[name] = true
	}
	return p
}

// arguments checks what the entry says of its arguments, where it is known what
// they are.
func (r *entryReader) arguments() {
	e := r.entry
	switch {
	case r.unsigned || e.Kind == EntryMCP:
	case e.Signature != nil:
		r.entryArguments(e, newParameters(paramNames(e.Signature.Params), "the signature", source.Span{}))
	case e.Kind == EntryBuiltin:
		if names, known := r.builtinParameters(e.Builtin.Builtin); known {
			r.entryArguments(e, newParameters(names, "the built-in "+e.Builtin.Builtin, source.Span{}))
		}
	}
}

// builtinRequired returns the arguments that a built-in must get.
func (c *compiler) builtinRequired(name string) []string {
	schema, _ := c.opts.BuiltinInput(name)
	var object struct{ Required []string }
	if json.Unmarshal(schema, &object) != nil {
		return nil
	}
	return object.Required
}

func paramNames(params []*Param) []string {
	names := make([]string, 0, len(params))
	for _, p := range params {
		names = append(names, p.Name)
	}
	return names
}

// builtinParameters returns what a built-in takes, where that is known.
func (c *compiler) builtinParameters(name string) (names []string, known bool) {
	if c.opts.BuiltinInput == nil {
		return nil, false
	}
	schema, known := c.opts.BuiltinInput(name)
	var object struct{ Properties map[string]json.RawMessage }
	if !known || json.Unmarshal(schema, &object) != nil {
		return nil, false
	}
	return slices.Sorted(maps.Keys(object.Properties)), true
}

// entryArguments tells of arguments in templates and rules that are no
// parameters, and of parameters where arguments have no place.
func (c *compiler) entryArguments(e *Entry, p parameters) {
	for _, t := range e.templates() {
		for i, part := range t.Parts {
			if part.Kind == Argument && !p.has[part.Text] {
				c.unknownArgument(t.spans[i], part.Text, p, "{%s}")
			}
		}
	}
	for _, key := range ruleKeys(e.pattern) {
		if !p.has[key.Text] {
			c.unknownArgument(key.Span(), key.Text, p, "%s")
		}
	}
	if e.Kind != EntryBuiltin {
		c.fixedTexts(e, p)
	}
}

// templates returns the texts of an entry in which arguments may stand.
func (e *Entry) templates() []Text {
	switch {
	case e.Command != nil && len(e.Command.Run) > 0:
		return e.Command.Run[1:]
	case e.HTTP != nil:
		return []Text{e.HTTP.URL}
	}
	return nil
}

// ruleKeys returns the names of arguments in the rules of an entry.
func ruleKeys(p *ast.Pattern) []*ast.Name {
	var keys []*ast.Name
	for _, e := range p.Elements {
		if ruleLabel(e) == nil || e.Subject.Record == nil {
			continue
		}
		for _, each := range e.Subject.Record.Properties {
			keys = append(keys, each.Key)
		}
	}
	return keys
}

// unknownArgument tells that something names no parameter; written is how it
// names one.
func (c *compiler) unknownArgument(s source.Span, name string, p parameters, written string) {
	d := c.diags.Errorf(s, diag.CodeUnknownVariable, "%s has no parameter %s", p.whose, quote(name))
	relate(d, p.place, "the tool")
	if near := c.guess(name, p.names); near != "" {
		d.Message += fmt.Sprintf("; did you mean %s?", clip(near))
		text := fmt.Sprintf(written, near)
		fix(d, "write "+clip(text), s, text)
		return
	}
	switch n := len(p.names); {
	case n == 0:
		d.Message += "; it has none"
	default:
		const most = 10
		d.Message += "; it has " + clip(strings.Join(p.names[:min(n, most)], ", "))
	}
}

// fixedTexts tells of arguments in texts that are no templates.
func (c *compiler) fixedTexts(e *Entry, p parameters) {
	for _, key := range []string{"shell", "dir", "env", "headers"} {
		property := e.pattern.Property(key)
		if property == nil {
			continue
		}
		values := []ast.Value{property.Value}
		if record, ok := property.Value.(*ast.Record); ok {
			values = values[:0]
			for _, each := range record.Properties {
				values = append(values, each.Value)
			}
		}
		for _, v := range values {
			c.fixedText(v, key, p)
		}
	}
}

// fixedText tells of the first argument in a text that is no template.
func (c *compiler) fixedText(v ast.Value, key string, p parameters) {
	text, _ := ast.TextOf(v)
	for at := 0; ; {
		open := strings.IndexByte(text[at:], '{')
		if open < 0 {
			return
		}
		at += open + 1
		end := strings.IndexAny(text[at:], "{}")
		if end < 0 {
			return
		}
		if text[at+end] == '{' || !p.has[text[at:at+end]] || at > 1 && text[at-2] == '$' {
			continue
		}
		place := newQuotation(v, text).at(at-1, at+end+1)
		switch key {
		case "shell":
			c.diags.Errorf(place, diag.CodeInvalidTemplate,
				"the shell would run what the model writes here as code; the arguments come as JSON on standard input, or write run: [\"program\", \"{%s}\"]", clip(text[at:at+end]))
		default:
			c.diags.Errorf(place, diag.CodeInvalidTemplate, "an argument cannot stand in %s", key)
		}
		return
	}
}
