package compile

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/source"
)

// This file compares the arguments that an entry speaks of with the parameters
// that there are: those of its signature, or of the tool that it works for.

// parameters are the names of what a tool takes.
type parameters struct {
	names []string
	has   map[string]*Param // nil where nothing more is known
	whose string            // "the signature", "the tool "x" of the agent"
	place source.Span       // where they are declared; may be zero
}

// declared reports whether there is a parameter of that name.
func (p *parameters) declared(name string) bool {
	_, there := p.has[name]
	return there
}

// parametersOf returns the parameters of a signature.
func parametersOf(s *Signature, whose string, place source.Span) parameters {
	p := parameters{names: paramNames(s.Params), has: make(map[string]*Param, len(s.Params)), whose: whose, place: place}
	for _, param := range s.Params {
		p.has[param.Name] = param
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
		r.entryArguments(e, parametersOf(e.Signature, "the signature", source.Span{}))
	case e.Kind == EntryBuiltin:
		if names, known := builtinParameters(e.Builtin.Builtin); known {
			has := make(map[string]*Param, len(names))
			for _, name := range names {
				has[name] = nil
			}
			r.entryArguments(e, parameters{names: names, has: has, whose: "the built-in " + e.Builtin.Builtin})
		}
	}
}

// builtinRequired returns the arguments that a built-in must get.
func builtinRequired(name string) []string {
	schema, _ := BuiltinInput(name)
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
func builtinParameters(name string) (names []string, known bool) {
	schema, known := BuiltinInput(name)
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
		for i, part := range t.Template {
			switch {
			case part.Kind != template.Argument:
			case !p.declared(part.Text):
				c.unknownArgument(t.spans[i], part.Text, p, "{%s}")
			case e.HTTP != nil:
				c.fitsURL(t.spans[i], p.has[part.Text])
			}
		}
	}
	for _, key := range ruleKeys(e.pattern) {
		if !p.declared(key.Text) {
			c.unknownArgument(key.Span(), key.Text, p, "%s")
		}
	}
	if e.Kind != EntryBuiltin {
		c.fixedTexts(e, p)
	}
}

// fitsURL tells of a parameter that cannot stand in the url: one that may be
// missing there, or that is no plain value.
func (c *compiler) fitsURL(s source.Span, p *Param) {
	var d *diag.Diagnostic
	switch kind := p.Type.resolved().Kind; {
	case kind == KindObject || kind == KindArray:
		d = c.diags.Errorf(s, diag.CodeInvalidTemplate, "the parameter %s is %s; only texts, numbers and booleans fit into a url", quote(p.Name), typeWord(p.Type))
	case p.Optional && len(p.Default) == 0:
		d = c.diags.Errorf(s, diag.CodeInvalidTemplate,
			"the parameter %s is optional, and nothing would stand here; give it a default, or leave it out here: it is sent anyway when it is there", quote(p.Name))
	default:
		return
	}
	relate(d, p.Span, "the parameter")
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
		if text[at+end] == '{' || !p.declared(text[at:at+end]) || at > 1 && text[at-2] == '$' {
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
