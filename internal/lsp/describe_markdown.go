package lsp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// This file writes descriptions in Markdown, for hover and completion.

// A markdownPage is Markdown that is being written.
type markdownPage struct{ strings.Builder }

// para adds a paragraph.
func (p *markdownPage) para(format string, args ...any) {
	if p.Len() > 0 {
		p.WriteString("\n\n")
	}
	fmt.Fprintf(p, format, args...)
}

// line adds a line of a list.
func (p *markdownPage) line(format string, args ...any) {
	p.WriteString("\n- ")
	fmt.Fprintf(p, format, args...)
}

// heading adds the name of a pattern, what it is, and its description.
func (p *markdownPage) heading(of *ast.Pattern, what string) {
	p.para("**%s** · %s", plainMarkdown(of.Identity()), what)
	if d := patternPropertyText(of, "description"); d != "" {
		p.para("%s", plainMarkdown(d))
	}
}

// code adds a block of code.
func (p *markdownPage) code(language, text string) {
	p.para("```%s\n%s\n```", language, strings.TrimRight(text, "\n"))
}

// maxSchemaLines is how much of a schema is shown.
const maxSchemaLines = 60

// schema adds a JSON Schema, or the beginning of it.
func (p *markdownPage) schema(schema json.RawMessage) {
	if len(schema) == 0 {
		return
	}
	lines := strings.SplitAfter(string(compile.Indent(schema)), "\n")
	if len(lines) > maxSchemaLines {
		lines = append(lines[:maxSchemaLines:maxSchemaLines], "…")
	}
	p.code("json", strings.Join(lines, ""))
}

// markdownCode returns text as code in a line of Markdown.
func markdownCode(text string) string {
	text = strings.ReplaceAll(text, "\n", " ")
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

// plainMarkdown returns text of a file as Markdown that shows it as it is.
func plainMarkdown(text string) string {
	const special = "\\`*_{}[]<>#|"
	var b strings.Builder
	text = diag.Escape(text)
	for i, r := range text {
		inWord := r == '_' && i > 0 && i+1 < len(text) && isWordByte(text[i-1]) && isWordByte(text[i+1]) // which is no emphasis
		if strings.ContainsRune(special, r) && !inWord {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// property adds what a property means.
func (p *markdownPage) property(d vocabulary.Property) {
	p.para("**%s**", d.Key)
	if d.Required {
		p.WriteString(" · required")
	}
	p.para("%s", strings.ReplaceAll(d.Meaning, "*", `\*`))
	if d.Default != "" {
		p.para("Default: %s.", d.Default)
	}
	if len(d.Types) > 0 {
		words := make([]string, len(d.Types))
		for i, k := range d.Types {
			words[i] = (&types.Type{Kind: types.Kind(k)}).Word()
		}
		p.para("For %s.", strings.Join(words, ", "))
	}
	if len(d.Values) > 0 && d.Values[0] != "true" {
		p.para("One of %s.", strings.Join(d.Values, ", "))
	}
	p.code("gram", "{"+d.Example+"}")
}

// tool adds the description, parameters and result of a tool, and its schema.
func (p *markdownPage) tool(t *compile.Tool, pattern *ast.Pattern) {
	p.para("**%s**", plainMarkdown(t.Name))
	if t.Description != "" {
		p.WriteString(" " + plainMarkdown(t.Description))
	}
	p.deprecation(pattern)
	if tool, ok := ast.AsTool(pattern); ok && tool.Signature() != nil {
		p.code("gram", signatureMarkdown(tool.Signature()))
	}
	if t.Signature == nil {
		return
	}
	p.signature(t.Signature)
	p.schema(t.Schema())
}

// signatureMarkdown returns a signature on one line, or cut where it is very long.
func signatureMarkdown(s *ast.Pattern) string {
	bare := *s
	bare.Annotations = nil
	text := []rune(ast.Print(&bare))
	if len(text) > 2000 {
		return string(text[:2000]) + "…"
	}
	return string(text)
}

// maxShown is how many parameters or fields are listed.
const maxShown = 40

// signature adds the parameters and the result.
func (p *markdownPage) signature(s *types.Signature) {
	if len(s.Params) == 0 {
		p.para("No parameters.")
	} else {
		p.para("Parameters:")
		p.params(s.Params)
	}
	p.para("Returns %s", markdownCode(s.Return.Type.Word()))
	if d := cutMarkdown(s.Return.Description); d != "" {
		p.WriteString(": " + plainMarkdown(d))
	}
}

// params adds parameters or fields as a list.
func (p *markdownPage) params(list []*types.Param) {
	for i, param := range list {
		if i == maxShown {
			p.line("… and %d more", len(list)-i)
			return
		}
		p.line("%s", paramMarkdown(param))
	}
}

// paramMarkdown describes a parameter or a field.
func paramMarkdown(param *types.Param) string {
	text := "**" + plainMarkdown(param.Name) + "** " + markdownCode(param.Type.Word())
	switch {
	case param.Default != nil:
		text += ", default " + markdownCode(cutMarkdown(string(param.Default)))
	case param.Optional:
		text += ", optional"
	default:
		text += ", required"
	}
	if d := cutMarkdown(param.Description); d != "" {
		text += ": " + plainMarkdown(d)
	}
	return text
}

// cutMarkdown returns text that is not too long for a line.
func cutMarkdown(text string) string {
	const most = 300
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// namedType adds what a named type is.
func (p *markdownPage) namedType(def *types.TypeDef) {
	pattern := def.Pattern
	p.para("**%s**", plainMarkdown(def.Name))
	if d := patternPropertyText(pattern, "description"); d != "" {
		p.WriteString(" " + plainMarkdown(d))
	}
	p.deprecation(pattern)
	if def.Type == nil {
		p.code("gram", cutMarkdown(ast.Print(pattern)))
		return
	}
	p.typ(def.Type)
	p.schema(def.Type.Schema(""))
}

// typ describes a type.
func (p *markdownPage) typ(t *types.Type) {
	whole := t.Resolved()
	switch {
	case whole == nil:
	case whole.Kind == types.KindObject && len(whole.Fields) > 0:
		p.para("An object with")
		p.params(whole.Fields)
	case len(whole.Union) > 0:
		p.para("One of")
		for _, alternative := range whole.Union[:min(len(whole.Union), maxShown)] {
			p.line("%s", markdownCode(alternative.Word()))
		}
	default:
		if values := markdownJSONTexts(t.Keyword("enum")); len(values) > 0 {
			p.para("One of %s", markdownCode(cutMarkdown(strings.Join(values, ", "))))
			return
		}
		p.para("%s", markdownCode(t.JSONWord()))
	}
}

// markdownJSONTexts returns the elements of a JSON array as they are written.
func markdownJSONTexts(array []byte) []string {
	var list []json.RawMessage
	if json.Unmarshal(array, &list) != nil {
		return nil
	}
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = string(bytes.TrimSpace(v))
	}
	return texts
}

// model adds what is known of a model.
func (p *markdownPage) model(m compile.Model, t *models.Table) {
	p.para("**%s** · a model of %s", plainMarkdown(m.ID), plainMarkdown(m.Provider))
	if known, ok := t.Model(m.Provider, m.ID); ok {
		p.knownModel(known)
	} else {
		p.para("gramc does not know this model. It is asked for by this name.")
	}
	if len(m.Provider) > 0 {
		server, _ := t.Provider(m.Provider)
		p.para("Requests follow the rules of %s.", provider.TargetOf(server, false).Title())
	}
}

// knownModel adds the facts of a model: what is unknown is left out.
func (p *markdownPage) knownModel(m *models.Model) {
	if m.Deprecated {
		text := "Deprecated"
		if m.Retired != "" {
			text += ", ends on " + m.Retired
		}
		if m.Successor != "" {
			text += "; its successor is " + markdownCode(m.Successor)
		}
		p.para("%s", text)
	}
	if m.Context > 0 {
		p.line("context: %d tokens", m.Context)
	}
	if m.Output > 0 {
		p.line("answer: at most %d tokens", m.Output)
	}
	if m.MaxTools > 0 {
		p.line("at most %d tools", m.MaxTools)
	}
	var takes []string
	for _, fact := range []struct {
		support models.Support
		what    string
	}{{m.Tools, "tools"}, {m.Images, "images"}, {m.Files, "files"}, {m.Schema, "a schema of the answer"}, {m.Temperature, "a temperature"}} {
		if fact.support == models.Yes {
			takes = append(takes, fact.what)
		}
	}
	if len(takes) > 0 {
		p.line("takes %s", strings.Join(takes, ", "))
	}
	if m.Prices != nil {
		p.line("%s input and %s output for a million tokens", plainMarkdown(m.Prices.Input.OfMillion()), plainMarkdown(m.Prices.Output.OfMillion()))
	}
	p.line("as of %s, [source](%s)", m.Date, m.Source)
}

// pattern adds what a regular expression matches.
func (p *markdownPage) pattern(text string) {
	p.code("regexp", text)
	expression, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		p.para("This is no regular expression of Go: %s", plainMarkdown(err.Error()))
		return
	}
	parts := []*syntax.Regexp{expression}
	if expression.Op == syntax.OpConcat {
		parts = expression.Sub
	}
	starts, ends := parts[0].Op == syntax.OpBeginText, parts[len(parts)-1].Op == syntax.OpEndText
	switch {
	case starts && ends:
		p.para("All of the text must match.")
	case starts:
		p.para("The text must begin with a match.")
	case ends:
		p.para("The text must end with a match.")
	default:
		p.para("Some part of the text must match. Write ^ and $ around it to match all of it.")
	}
}

// enumValue adds which value one of a list is, and the others.
func (p *markdownPage) enumValue(text string, list *ast.Property) {
	var others []string
	if array, ok := list.Value.(*ast.Array); ok {
		for _, e := range array.Elements {
			if other, _ := ast.WordOf(e); other != text {
				others = append(others, markdownCode(ast.Print(e)))
			}
		}
	}
	p.para("**%s** · one of %d values", plainMarkdown(text), len(others)+1)
	if len(others) > 0 {
		p.para("The others: %s.", cutMarkdown(strings.Join(others, ", ")))
	}
}

// builtin adds what a built-in does.
func (p *markdownPage) builtin(b library.BuiltinTool) {
	p.para("**%s** · a built-in\n\n%s", plainMarkdown(b.Name), b.Meaning)
	if b.Signature != nil {
		p.para("Parameters:")
		p.params(b.Signature.Params)
	}
	if len(b.Properties) > 0 {
		p.para("Properties of its entry:")
	}
	for _, key := range b.Properties {
		if d, ok := vocabulary.PropertyOf(vocabulary.OwnerBuiltin, key); ok {
			needed := ""
			if slices.Contains(b.Required, key) {
				needed = " (required)"
			}
			p.line("`%s`%s: %s", key, needed, d.Meaning)
		}
	}
	if b.Signature != nil {
		p.schema(b.Signature.InputSchema())
	}
}

// limits adds what the provider of a model cannot take of a tool.
func (p *markdownPage) limits(t *compile.Tool, m compile.Model, table *models.Table) {
	if t.Signature == nil || m.Provider == "" {
		return
	}
	server, _ := table.Provider(m.Provider)
	to := provider.TargetOf(server, t.Strict)
	_, problems := t.ProviderInput(to)
	name := provider.Name(t.Name, to)
	if len(problems) == 0 && name == t.Name {
		return
	}
	p.para("For %s", to.Title())
	if name != t.Name {
		p.line("it is called %s", markdownCode(name))
	}
	for i, d := range problems {
		if i == 10 {
			p.line("… and %d more", len(problems)-i)
			break
		}
		p.line("%s", plainMarkdown(d.Message))
	}
}

// explanation adds a problem, its severity for the user, and the link to its
// explanation.
func (p *markdownPage) explanation(d *diag.Diagnostic, severity diag.Severity) {
	p.para("%s: %s — [%s](%s%s)", severity, plainMarkdown(d.Message), d.Code, explanations, d.Code)
	for _, e := range diag.Explain(string(d.Code)) {
		p.para("%s", e.Title)
	}
}

// builtinNamed adds what a built-in does, and reports whether there is one of
// that name.
func (p *markdownPage) builtinNamed(name string) bool {
	b, known := library.BuiltinNamed(name)
	if known {
		p.builtin(b)
	}
	return known
}

// word adds what a label or a type of the language means, and reports whether it
// means anything.
func (p *markdownPage) word(word string) bool {
	for _, w := range slices.Concat(vocabulary.Labels(), vocabulary.EntryLabels(), vocabulary.RuleLabels(), vocabulary.StepLabels()) {
		if w.Name == word {
			p.para("**%s**\n\n%s", w.Name, w.Meaning)
			return true
		}
	}
	for _, t := range vocabulary.TypeNames() {
		if t.Name == word {
			p.para("**%s**: %s", t.Name, t.Meaning)
			p.schema(ownerView().TypeOf(t.Name).Schema(""))
			return true
		}
	}
	return false
}

// markdown returns a text as the protocol has Markdown.
func markdown(text string) *protocol.MarkupContent {
	return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}
}
