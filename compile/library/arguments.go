package library

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/source"
)

// This file compares the arguments that an entry mentions with the parameters
// that there are: those of its signature, or of the tool that it works for.

// arguments checks what the entry says of its arguments, where it is known what
// they are.
func (r *entryReader) arguments() {
	e := r.entry
	switch {
	case r.unsigned || e.Kind == EntryMCP:
	case e.Signature != nil:
		r.CheckArguments(e, ParametersOf(e.Signature, "the signature", source.Span{}))
	case e.Kind == EntryBuiltin:
		if b, _ := BuiltinNamed(e.Builtin.Builtin); b.Signature != nil {
			r.CheckArguments(e, ParametersOf(b.Signature, "the built-in "+b.Name, source.Span{}))
		}
	}
}

// CheckArguments reports arguments in templates and rules that are no
// parameters, and of parameters where arguments have no place.
func (c *Lowerer) CheckArguments(e *Entry, p parameters) {
	for n, t := range e.argumentTemplates() {
		for i, part := range t.Template {
			switch {
			case part.Kind != template.Argument:
			case !p.declared(part.Text):
				c.unknownArgument(t.spans[i], part.Text, p, "{%s}")
			case e.HTTP != nil:
				c.argumentFitsHTTP(t.spans[i], p.has[part.Text], n == 0)
			}
		}
	}
	for _, key := range []string{"query", "body"} {
		if property := e.Pattern.Property(key); e.HTTP != nil && property != nil {
			eachHTTPText(property.Value, func(v *ast.String) {
				for _, word := range Arguments(v) {
					if !p.declared(word.Text) {
						c.unknownArgument(word.Span, word.Text, p, "%s")
					}
				}
			})
		}
	}
	for _, key := range ruleKeys(e.Pattern) {
		if !p.declared(key.Text) {
			c.unknownArgument(key.Span(), key.Text, p, "%s")
		}
	}
	if e.Kind != EntryBuiltin {
		c.argumentsInFixedTexts(e, p)
	}
}

// argumentFitsHTTP reports a parameter that cannot stand in the url or a header: one that is
// no plain value, or that may be missing in the url.
func (c *Lowerer) argumentFitsHTTP(s source.Span, p *types.Param, inURL bool) {
	var d *diag.Diagnostic
	place := "header"
	if inURL {
		place = "url"
	}
	switch kind := p.Type.Resolved().Kind; {
	case kind == types.KindObject:
		d = c.Diags.Errorf(s, diag.CodeInvalidTemplate, "the parameter %s is %s; only texts, numbers, booleans and lists of these fit into a %s", report.Quote(p.Name), types.TypeWord(p.Type), place)
	case inURL && p.Optional && len(p.Default) == 0:
		d = c.Diags.Errorf(s, diag.CodeInvalidTemplate,
			"the parameter %s is optional, and nothing would stand here; give it a default, or leave it out here: it is sent anyway when it is there", report.Quote(p.Name))
	default:
		return
	}
	report.Relate(d, p.Span, "the parameter")
}

// argumentTemplates returns the texts of an entry in which arguments may stand.
func (e *Entry) argumentTemplates() []Text {
	switch {
	case e.Command != nil && len(e.Command.Run) > 0:
		return e.Command.Run[1:]
	case e.HTTP != nil:
		return append([]Text{e.HTTP.URL}, e.HTTP.headerTexts()...)
	}
	return nil
}

// unknownArgument reports that something names no parameter; written is how it
// names one.
func (c *Lowerer) unknownArgument(s source.Span, name string, p parameters, written string) {
	d := c.Diags.Errorf(s, diag.CodeUnknownVariable, "%s has no parameter %s", p.whose, report.Quote(name))
	report.Relate(d, p.place, "the tool")
	if near := c.Guess(name, p.names); near != "" {
		d.Message += fmt.Sprintf("; did you mean %s?", report.Clip(near))
		text := fmt.Sprintf(written, near)
		report.Fix(d, "write "+report.Clip(text), s, text)
		return
	}
	if len(p.names) == 0 {
		d.Message += "; it has none"
		return
	}
	const most = 10
	d.Message += "; it has " + report.Clip(strings.Join(p.names[:min(len(p.names), most)], ", "))
}

// argumentsInFixedTexts reports arguments in texts that are no templates.
func (c *Lowerer) argumentsInFixedTexts(e *Entry, p parameters) {
	for _, key := range []string{"shell", "dir", "env", "headers"} {
		property := e.Pattern.Property(key)
		if property == nil || key == "headers" && e.HTTP != nil {
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
			c.argumentInFixedText(v, key, p)
		}
	}
}

// argumentInFixedText reports the first argument in a text that is no template.
func (c *Lowerer) argumentInFixedText(v ast.Value, key string, p parameters) {
	text, _ := ast.TextOf(v)
	parts, ranges, _ := template.Parse(text, true)
	i := slices.IndexFunc(parts, func(part template.Part) bool { return part.Kind == template.Argument && p.declared(part.Text) })
	if i < 0 {
		return
	}
	place := report.NewQuotation(v, text).At(ranges[i].Start, ranges[i].End)
	if key == "shell" {
		c.Diags.Errorf(place, diag.CodeInvalidTemplate,
			"the shell would run what the model writes here as code; the arguments come as JSON on standard input, or write run: [\"program\", \"{%s}\"]", report.Clip(parts[i].Text))
		return
	}
	c.Diags.Errorf(place, diag.CodeInvalidTemplate, "an argument cannot stand in %s", key)
}

// Arguments returns the arguments {name} of a text of a library that is a
// template.
func Arguments(v ast.Value) []report.Reference {
	text, ok := ast.TextOf(v)
	if !ok || strings.IndexByte(text, '{') < 0 {
		return nil
	}
	parts, ranges, _ := template.Parse(text, true)
	quotation := report.NewQuotation(v, text)
	var words []report.Reference
	for i, part := range parts {
		if s := quotation.At(ranges[i].Start, ranges[i].End); part.Kind == template.Argument && !s.IsZero() {
			raw := s.Text()
			s.Start, s.End = s.Start+strings.IndexByte(raw, '{')+1, s.Start+strings.LastIndexByte(raw, '}')
			words = append(words, report.Reference{Text: part.Text, Span: s})
		}
	}
	return words
}
