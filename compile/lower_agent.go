package compile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// agentProperties are the keys of what an agent can say. They are not changed.
var agentProperties = vocabulary.Keys(vocabulary.OwnerAgent)

// lowerAgent lowers an agent. What it returns is whole only if no error was reported.
func (c *compiler) lowerAgent(a ast.Agent) *Agent {
	what := report.Named("the agent", a.Name())
	if a.Name() == "" {
		what = "the agent"
	}
	reported := len(c.Diags)
	misspelt := c.UnknownProperties(a.Subject.Record, "an agent", agentProperties, "instruction", "model")
	fixAgentTools(c.Diags[reported:], a)
	lowered := &Agent{
		Name:        c.lowerAgentName(a),
		Description: c.lowerAgentDescription(a, what),
		Instruction: c.lowerAgentInstruction(a, what, misspelt["instruction"]),
		Settings:    c.lowerAgentSettings(a, what),
	}
	lowered.Model, lowered.Fallbacks = c.lowerModels(a, what, misspelt["model"])
	c.lowerAgentTools(a, lowered, what)
	c.checkProviders(a, lowered)
	c.checkModels(a, lowered)
	c.checkBudget(a, lowered)
	return lowered
}

// fixAgentTools adds to the problem of a list of tools among the properties of an agent
// the fix that makes elements of them.
func fixAgentTools(problems diag.List, a ast.Agent) {
	p := a.Property("tools")
	if p == nil {
		return
	}
	list, isList := p.Value.(*ast.Array)
	i := slices.IndexFunc(problems, func(d *diag.Diagnostic) bool { return d.Span == p.Key.Span() })
	properties := a.Subject.Record.Properties
	if i < 0 || !isList || len(list.Elements) == 0 || len(properties) < 2 {
		return
	}
	problems[i].Message += "; the tools of an agent are its elements: | tool"
	var names []string
	for _, e := range list.Elements {
		name, isWord := ast.WordOf(e)
		if !isWord {
			return
		}
		names = append(names, ast.Print(ast.NewName(name)))
	}
	place, sign := a.Subject.Span().Tail(), " | "
	if n := len(a.Elements); n > 0 {
		place, sign = a.Elements[n-1].Span().Tail(), ", "
	}
	removed := report.RemoveElement(properties, slices.Index(properties, p))
	problems[i].Fixes = []diag.Fix{{Title: "write them as elements", Edits: []diag.Edit{{Span: removed}, {Span: place, NewText: sign + strings.Join(names, ", ")}}}}
}

const (
	maxTemperature = 2
	maxLimit       = 1_000_000
	maxTotalTokens = 1_000_000_000_000
)

// lowerAgentSettings reads what an agent says of its requests.
func (c *compiler) lowerAgentSettings(a ast.Agent, what string) Settings {
	s := Settings{
		MaxTokens: c.lowerAgentLimit(a.Property("maxTokens"), what, maxLimit), MaxIterations: c.lowerAgentLimit(a.Property("maxIterations"), what, maxLimit),
	}
	c.lowerBudget(a, what, &s)
	if p := a.Property("temperature"); p != nil && p.Value != nil {
		digits, ok := types.PlainNumber(p.Value)
		if t := jsonschema.DecimalOf(digits); !ok || t.Sign() < 0 || t.Compare(jsonschema.DecimalOf(strconv.Itoa(maxTemperature))) > 0 {
			c.InvalidAttribute(p, what, "a number from 0 to 2")
		}
		s.Temperature = json.Number(digits)
	}
	if p := a.Property("returns"); p != nil && p.Value != nil {
		t, optional := c.LowerTypeValue(p, diag.CodeInvalidType, what)
		if optional {
			c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidType, "an answer is never left out; Maybe says nothing here")
		}
		if t == nil {
			return s
		}
		if _, fits := c.SchemaOf(t, "", p.Value.Span(), "the answers"); fits {
			s.Returns = &Returns{agentTypeSource(p.Value), t}
		}
	}
	return s
}

// agentTypeSource returns the text of a type expression.
func agentTypeSource(v ast.Value) string {
	text, _ := ast.WordOf(v)
	return text
}

func (c *compiler) lowerAgentLimit(p *ast.Property, what string, most int64) int64 {
	if p == nil || p.Value == nil {
		return 0
	}
	digits, ok := types.PlainNumber(p.Value)
	n, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || n < 1 || n > most {
		c.InvalidAttribute(p, what, fmt.Sprintf("a whole number from 1 to %d", most))
		return 0
	}
	return n
}

// lowerAgentName returns the identifier. A name property is tolerated, and counts
// where there is no identifier.
func (c *compiler) lowerAgentName(a ast.Agent) string {
	name := a.Identity()
	if report.Blank(name) {
		name = ""
	}
	property := a.Property("name")
	if property == nil || property.Value == nil {
		if name == "" {
			d := c.Diags.Errorf(report.NameSpan(a.Pattern), diag.CodeMissingAgentName, "the agent has no name; write [name:Agent …]")
			if a.Subject.Identity == nil {
				report.Fix(d, "name it", a.Subject.Span().Head(), "agent")
			}
		}
		return name
	}
	text, ok := ast.TextOf(property.Value)
	switch {
	case !ok:
		c.NotText(property, diag.CodeConflictingName, "the agent")
	case name == "" && text == "":
		c.Diags.Errorf(property.Value.Span(), diag.CodeMissingAgentName, "the agent has no name; write [name:Agent …]")
	case name == "":
		d := c.Diags.Warnf(property.Key.Span(), diag.CodeMissingAgentName,
			"the agent %s has its name only as a property; write [%s:Agent …]", report.Quote(text), ast.Print(ast.NewName(text)))
		if a.Subject.Identity == nil {
			report.SafeFix(d, "write it before the label", a.Subject.Span().Head(), ast.Print(ast.NewName(text)))
		}
		return text
	case name != text:
		d := c.Diags.Errorf(property.Value.Span(), diag.CodeConflictingName,
			"the agent is called %s, but its name property says %s", report.Quote(name), report.Quote(text))
		report.Relate(d, report.NameSpan(a.Pattern), "the name of the agent")
	}
	return name
}

func (c *compiler) lowerAgentDescription(a ast.Agent, what string) *string {
	p := a.Property("description")
	if p == nil || p.Value == nil {
		return nil
	}
	text, ok := ast.TextOf(p.Value)
	if !ok {
		c.NotText(p, diag.CodeInvalidDescription, what)
	}
	return &text
}

func (c *compiler) lowerAgentInstruction(a ast.Agent, what string, misspelt *ast.Property) string {
	text, _ := c.RequiredTextProperty(a.Pattern, types.Required{
		Key: "instruction", Example: `instruction: "You are a helpful assistant."`,
		Missing: diag.CodeMissingInstruction, NotText: diag.CodeInvalidInstruction, Empty: diag.CodeEmptyInstruction,
	}, what, misspelt)
	return text
}

func (c *compiler) lowerAgentModel(a ast.Agent, what string, misspelt *ast.Property) Model {
	text, p := c.RequiredTextProperty(a.Pattern, types.Required{
		Key: "model", Example: `model: "OpenAI/gpt-5.4-mini"`,
		Missing: diag.CodeMissingModel, NotText: diag.CodeInvalidModel,
	}, what, misspelt)
	if p == nil {
		return Model{}
	}
	return c.lowerModelNamed(p.Value, text)
}

// checkAgentNamesProvider warns of a model without a provider whose id says nothing of one.
func (c *compiler) checkAgentNamesProvider(v ast.Value, text string, m Model) {
	if !isGuess(m, text, c.opts.Models) {
		return
	}
	said := fmt.Sprintf("the model %s names no provider and is taken as %s", report.Quote(text), m)
	if server, ok := c.opts.Models.ServerOf(text); ok {
		d := c.Diags.Warnf(v.Span(), diag.CodeNoProvider, "%s; did you mean %s/%s?", said, server.Name, text)
		report.Fix(d, "name the provider", report.NewQuotation(v, text).At(0, 0), server.Name+"/")
		return
	}
	p, _ := c.opts.Models.Provider(m.Provider)
	if p != nil && (p.OwnAddress || p.Meant(m.ID) != "") { // a misspelt id has a warning of its own
		return
	}
	c.Diags.Warnf(v.Span(), diag.CodeNoProvider, "%s; write its provider before it", said)
}

// lowerAgentTools lowers the elements of an agent.
func (c *compiler) lowerAgentTools(a ast.Agent, lowered *Agent, what string) {
	lowered.Tools = make([]*Tool, 0, len(a.Elements))
	seen, complete := make(map[string]*ast.Pattern, len(a.Elements)), true
	for e := range a.Tools() {
		t, ok := c.names.Tool(e)
		if !ok {
			complete = false
			c.notAgentTool(e, what)
			continue
		}
		name := t.Name()
		if first := seen[name]; first != nil && name != "" {
			d := c.Diags.Errorf(report.NameSpan(e), diag.CodeDuplicateTool, "%s has the tool %s twice", what, report.Quote(name))
			report.Relate(d, report.NameSpan(first), "first here")
			if e.Form == ast.FormRef || ast.Print(e) == ast.Print(first) {
				report.RemoveRepeated(d, a.Elements, slices.Index(a.Elements, e))
			}
			c.reported[e] = true
			continue
		}
		seen[name] = e
		if same := c.names.sameName[name]; len(same) > 1 && c.IsImported(report.NameSpan(same[0])) {
			c.duplicateTools(same)
		}
		tool := c.lowerToolOnce(t)
		tool.used = true
		lowered.Tools = append(lowered.Tools, tool)
	}
	if complete {
		c.elements[lowered] = seen
	}
}

// notAgentTool reports why an element of an agent is no tool.
func (c *compiler) notAgentTool(e *ast.Pattern, what string) {
	name := report.Quote(e.Identity())
	switch e.Form {
	case ast.FormRef:
		c.notDefinedAgentTool(e, what)
	case ast.FormPath:
		c.Diags.Errorf(e.Span(), diag.CodeMissingToolLabel,
			`a path stands among the tools of %s; write [name:Tool {description: "…"} | %s]`, what, report.Clip(ast.Print(e)))
	case ast.FormNode:
		d := c.Diags.Errorf(e.Span(), diag.CodeMissingToolLabel,
			`the node %s is not a tool; a tool is written [name:Tool {description: "…"} | signature]`, report.Clip(ast.Print(e)))
		if same := c.names.sameName[e.Identity()]; len(same) > 0 {
			report.Fix(d, "refer to the tool "+name, e.Span(), ast.Print(e.Subject.Identity))
			if len(e.Subject.Labels) == 0 && e.Subject.Record == nil && len(d.Fixes) > 0 {
				d.MarkSafe()
			}
			report.Relate(d, report.NameSpan(same[0]), "the tool")
		}
	case ast.FormBracket:
		if _, isAgent := ast.AsAgent(e); isAgent {
			c.Diags.Errorf(report.NameSpan(e), diag.CodeMissingToolLabel, "the agent %s stands among the tools of %s", name, what)
			return
		}
		if c.libraries.MisplacedInAgent(e, what) {
			return
		}
		c.reportLabel(e, cmp.Or(misspeltToolLabel(e), ast.LabelTool), diag.CodeMissingToolLabel)
	}
}

// agentElementIsSignature reports whether a pattern is a chain of nodes, or a result.
func agentElementIsSignature(p *ast.Pattern) bool {
	return p.Form == ast.FormPath && !p.Broken || p.Form == ast.FormNode && len(p.Subject.Labels) > 0
}

// notDefinedAgentTool reports that a reference does not refer to a tool.
func (c *compiler) notDefinedAgentTool(e *ast.Pattern, what string) {
	name := e.Identity()
	if other := c.names.others[name]; other != nil {
		if label := misspeltToolLabel(other); label != "" && !c.IsImported(other.Span()) {
			c.reportLabel(other, label, diag.CodeMissingToolLabel)
			return
		}
		d := c.Diags.Errorf(e.Span(), diag.CodeMissingToolLabel, "%s, which %s refers to, is not labelled Tool", report.Quote(name), what)
		report.Relate(d, report.NameSpan(other), "defined here")
		return
	}
	c.Broken = c.Broken || c.opts.Incomplete || c.opts.Unlinked
	if c.IsLikelyImported(name) {
		return
	}
	d := c.Diags.Errorf(e.Span(), diag.CodeUndefinedReference, "%s refers to %s, which is not defined", what, report.Quote(name))
	if c.SuggestImport != nil && c.SuggestImport(d, name) {
		return
	}
	if c.toolNames == nil {
		c.toolNames = c.names.toolNames()
	}
	if near := c.Guess(name, c.toolNames); near != "" {
		d.Message += fmt.Sprintf("; did you mean %s?", near)
		report.Fix(d, "write "+near, e.Span(), ast.Print(ast.NewName(near)))
	} else if c.opts.Incomplete {
		c.MayBeImported(d)
	}
}

// unlabelledAgents warns of the patterns that have all that an agent has, but not its
// label. Where such a pattern is the only thing to compile, noAgent makes it an
// error.
func (c *compiler) unlabelledAgents(f *ast.File) {
	for _, p := range f.Patterns {
		_, isAgent := ast.AsAgent(p)
		_, isTool := ast.AsTool(p)
		if p.Form == ast.FormBracket && !isAgent && !isTool && p.Property("instruction") != nil && (p.Property("model") != nil || p.Property("models") != nil) {
			c.noAgentLabel(p).Severity = diag.Warning
		}
		if p.Form == ast.FormNode && p.HasLabel(ast.LabelAgent) && p.Property("instruction") != nil {
			c.agentInParentheses(p)
		}
	}
}

func (c *compiler) noAgentLabel(p *ast.Pattern) *diag.Diagnostic {
	name := report.Quote(p.Identity())
	if p.Subject.Identity == nil {
		name = "the pattern"
	}
	d := c.Diags.Errorf(report.NameSpan(p), diag.CodeMissingAgentLabel, "%s looks like an agent but is not labelled Agent", name)
	c.FixLabel(d, p, ast.LabelAgent)
	return d
}

func (c *compiler) agentInParentheses(p *ast.Pattern) *diag.Diagnostic {
	d := c.Diags.Errorf(p.Span(), diag.CodeNoAgent, "an agent stands in square brackets: [name:Agent {…}]")
	report.Fix(d, "write square brackets", p.Span(), "["+p.Subject.Span().Text()+"]")
	return d
}

// noAgent reports that a file has no agent, if possible at the pattern that was
// meant to be one.
func (c *compiler) noAgent(f *ast.File) {
	for _, p := range f.Patterns {
		switch {
		case p.Form == ast.FormNode && p.HasLabel(ast.LabelAgent):
			c.agentInParentheses(p)
			return
		case p.Form == ast.FormBracket && (p.Property("instruction") != nil || p.Property("model") != nil):
			c.noAgentLabel(p)
			return
		}
	}
	c.Diags.Errorf(f.Span().Head(), diag.CodeNoAgent,
		`there is no agent; write [name:Agent {instruction: "…", model: "OpenAI/gpt-5.4-mini"}]`)
}

// LowerAgent lowers one agent of a file, with the tools and types that it has.
// The agent is nil when there is an error in the list, which is about these
// alone, or when part of them did not parse.
func LowerAgent(f *ast.File, a ast.Agent, o *Options) (lowered *Agent, problems diag.List) {
	withLazyTypes(f, o, func(c *compiler) { lowered, problems = c.oneAgent(a) })
	return lowered, problems
}
