package compile

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// ProviderInput returns the schema of the arguments as a target takes it, and what
// the target cannot carry, each at its place. The schema is nil when there is
// an error in the list.
func (t *Tool) ProviderInput(to provider.Target) (json.RawMessage, diag.List) {
	lowered, problems := provider.Lower(t.Schema(), to)
	list := providerDiagnostics(problems, t.Signature.Arguments(), t.named, to, t.providerToolName())
	for _, p := range provider.CheckTargetDescription(t.Description, to) {
		list = append(list, providerDiagnostics([]provider.Problem{p}, &types.Type{}, t.described, to, t.providerToolName())...)
	}
	list.Sort()
	return lowered, list
}

// ProviderOutput is ProviderInput for the schema of the result.
func (t *Tool) ProviderOutput(to provider.Target) (json.RawMessage, diag.List) {
	return providerSchema(t.OutputSchema(), t.Signature.Return.Type, t.Signature.Return.Span, to, "the result of "+t.providerToolName())
}

// providerToolName returns how a message calls the tool.
func (t *Tool) providerToolName() string {
	if t.Name == "" {
		return "the signature"
	}
	return report.Named("the tool", t.Name)
}

// ProviderAnswer is ProviderInput for the schema of the answers of an agent that returns more
// than text. It gets an object as its root.
func (a *Agent) ProviderAnswer(to provider.Target) (json.RawMessage, diag.List) {
	wrapped, _ := provider.Wrap(a.Returns.Schema())
	lower := provider.Lower
	if to == provider.AnthropicStrict {
		lower = provider.LowerFormat
	}
	lowered, problems := lower(wrapped, to)
	return lowered, sortedProviderDiagnostics(problems, a.Returns.Type, a.Returns.Type.Span, to, "the answer of the agent "+report.Quote(a.Name))
}

// ProviderType is ProviderInput for the schema of a named type.
func ProviderType(t *types.Type, to provider.Target) (json.RawMessage, diag.List) {
	return providerSchema(t.Schema(""), t, t.Span, to, "the type "+report.Quote(t.Name))
}

func providerSchema(schema json.RawMessage, t *types.Type, place source.Span, to provider.Target, what string) (json.RawMessage, diag.List) {
	lowered, problems := provider.Lower(schema, to)
	return lowered, sortedProviderDiagnostics(problems, t, place, to, what)
}

func sortedProviderDiagnostics(problems []provider.Problem, t *types.Type, place source.Span, to provider.Target, what string) diag.List {
	list := providerDiagnostics(problems, t, place, to, what)
	list.Sort()
	return list
}

// providerDiagnostics turns the problems of a schema into diagnostics at the parts of the
// type that it was made of. What stands in another file is reported where that is
// used.
func providerDiagnostics(problems []provider.Problem, t *types.Type, place source.Span, to provider.Target, what string) diag.List {
	var list diag.List
	if len(problems) == 0 {
		return nil
	}
	spans := t.SchemaSpans()
	for _, p := range problems {
		places := append([]source.Span{place}, spans(p.Pointer)...)
		at := places[len(places)-1]
		for i := len(places) - 1; !place.IsZero() && places[i].File != place.File; i-- {
			at = places[i-1]
		}
		var d *diag.Diagnostic
		if p.Severity == provider.Error {
			d = list.Errorf(at, diag.CodeTargetRefuses, "%s cannot be sent to %s: %s", what, to.Title(), p.Message)
		} else {
			d = list.Warnf(at, diag.CodeTargetDrops, "%s: %s", what, p.Message)
		}
		if last := places[len(places)-1]; last != at {
			report.Relate(d, last, "the part of its type")
		}
	}
	return list.Unique() // a type that is used twice has its problems once
}

// checkProviders reports which tools and answers of an agent its providers would
// refuse.
func (c *compiler) checkProviders(a ast.Agent, lowered *Agent) {
	var checked []string
	for _, m := range lowered.Models() {
		if m.Provider != "" && !slices.Contains(checked, m.Provider) {
			checked = append(checked, m.Provider)
			c.checkProvider(a, lowered, m)
		}
	}
}

// checkProvider reports which tools and answers of an agent the provider of a model
// would refuse, and which two tools it would take for one.
func (c *compiler) checkProvider(a ast.Agent, lowered *Agent, m Model) {
	server, _ := c.opts.Models.Provider(m.Provider)
	names := make([]string, len(lowered.Tools))
	for i, t := range lowered.Tools {
		names[i] = t.Name
		if t.Signature == nil {
			continue
		}
		to := provider.TargetOf(server, t.Strict)
		if t.takenBy == to || providerTakes(t.Signature.Params, to) && len(t.Description) < shortDescription {
			t.takenBy = to
			continue
		}
		key := delivery{t, to}
		if c.delivered[key] {
			continue
		}
		c.delivered[key] = true
		_, problems := t.ProviderInput(to)
		for _, d := range providerErrors(problems) {
			if e := c.providerElement(a, t.Name); e.Form == ast.FormRef {
				report.Relate(d, e.Span(), fmt.Sprintf("the agent %s has this tool and the model %s", report.Quote(lowered.Name), m))
			}
			c.Diags = append(c.Diags, d)
		}
	}
	c.checkStrictTools(a, lowered, provider.TargetOf(server, true))
	to := provider.TargetOf(server, false)
	if lowered.Returns != nil && !lowered.fitsProviderFormat(to) {
		_, problems := lowered.ProviderAnswer(to)
		c.Diags = append(c.Diags, providerErrors(problems)...)
	}
	_, collisions := provider.Names(names, to)
	for _, collision := range collisions {
		first, second := report.NameSpan(c.providerElement(a, collision.First)), report.NameSpan(c.providerElement(a, collision.Second))
		d := c.Diags.Errorf(second, diag.CodeToolNameCollision, "%s knows the tools %s and %s by one name, %s",
			to.Title(), report.Quote(collision.First), report.Quote(collision.Second), report.Clip(collision.Name))
		report.Relate(d, first, "the other tool")
	}
}

// checkStrictTools reports strict tools that the target of strict tools refuses together.
func (c *compiler) checkStrictTools(a ast.Agent, lowered *Agent, to provider.Target) {
	for _, p := range provider.CheckStrictTogether(lowered.strictTools(), nil, to) {
		c.Diags.Errorf(report.NameSpan(a.Pattern), diag.CodeTargetRefuses, "the strict tools of the agent %s cannot be sent to %s: %s", report.Quote(lowered.Name), to.Title(), p.Message)
	}
}

// strictTools returns the schemas of the tools that are to be strict.
func (a *Agent) strictTools() (schemas []json.RawMessage) {
	for _, t := range a.Tools {
		if t.Strict && t.Signature != nil {
			schemas = append(schemas, t.Schema())
		}
	}
	return schemas
}

func providerErrors(list diag.List) diag.List {
	return slices.DeleteFunc(list, func(d *diag.Diagnostic) bool { return d.Severity != diag.Error })
}

// shortDescription is a length that every provider takes.
const shortDescription = 1000

// providerTakes reports whether a target takes parameters for a reason that is
// seen at a glance: it takes nearly all that there is, and they are plain. It
// saves the time to lower the schema of nearly every tool.
func providerTakes(params []*types.Param, to provider.Target) bool {
	if to != provider.OpenAI && to != provider.Anthropic || len(params) > 100 {
		return false
	}
	for _, p := range params {
		if len(p.Name) > 60 || p.Name == "" || !report.IsPlain(p.Name) || !providerTakesType(p.Type, to) {
			return false
		}
	}
	return true
}

func providerTakesType(t *types.Type, to provider.Target) bool {
	if t.Def != nil && !t.Def.ByReference() {
		t = t.Def.Type
	}
	return t.Def == nil && t.Union == nil && t.Rest == nil && providerTakes(t.Fields, to) && (t.Elem == nil || providerTakesType(t.Elem, to))
}

// A delivery is a tool that was looked at for a target.
type delivery struct {
	tool *Tool
	to   provider.Target
}

// providerElement returns the element of an agent that is a tool or refers to it.
func (c *compiler) providerElement(a ast.Agent, tool string) *ast.Pattern {
	for e := range a.Tools() {
		if t, ok := c.names.Tool(e); ok && t.Name() == tool {
			return e
		}
	}
	return a.Pattern
}

// ProviderRequest returns the part of a request to a target that the agent
// determines, and a diagnostic for everything that the target cannot carry. The
// request is nil when the list has an error.
func (a *Agent) ProviderRequest(to provider.Target) (*provider.Request, diag.List) {
	r := &provider.Request{
		Model: a.Model.ID, Instruction: a.Instruction, Temperature: a.Temperature, MaxTokens: a.MaxTokens,
	}
	var problems diag.List
	names := make([]string, len(a.Tools))
	for i, t := range a.Tools {
		names[i] = t.Name
	}
	names, collisions := provider.Names(names, to)
	for _, c := range collisions {
		problems.Errorf(a.providerToolSpan(c.Second), diag.CodeToolNameCollision, "%s", c.Error()).
			Relate(a.providerToolSpan(c.First), "the other tool")
	}
	for i, t := range a.Tools {
		at := a.toolTarget(to, t.Strict)
		input, more := t.ProviderInput(at)
		problems = append(problems, more...)
		sent := provider.Tool{Name: names[i], Description: t.Description, Input: input, Strict: at == provider.OpenAIStrict || at == provider.AnthropicStrict}
		if to == provider.MCP {
			output, more := t.ProviderOutput(to)
			sent.Output = output
			if more.HasErrors() { // MCP takes objects, and a tool without a schema of its result
				sent.Output = nil
			}
		}
		r.Tools = append(r.Tools, sent)
	}
	problems = append(problems, a.addProviderAnswer(to, r)...)
	problems.Sort()
	if problems.HasErrors() {
		return nil, problems
	}
	return r, problems
}

// toolTarget returns the target of a tool in a request to a target.
func (a *Agent) toolTarget(to provider.Target, strict bool) provider.Target {
	server, _ := models.Builtin().Provider(a.Model.Provider)
	switch {
	case to == provider.OpenAI && server != nil && server.Dialect != models.Chat:
		return provider.TargetOf(server, false) // its chat completions have no strict tools
	case to == provider.OpenAI:
		return provider.TargetOf(server, strict)
	case to == provider.Anthropic && strict:
		return provider.AnthropicStrict
	}
	return to
}

// addProviderAnswer adds the schema of the answer to a request, as a run does: strict unless
// the strict mode of OpenAI cannot express it.
func (a *Agent) addProviderAnswer(to provider.Target, r *provider.Request) (problems diag.List) {
	switch {
	case a.Returns == nil || to == provider.MCP:
		return nil
	case to == provider.Anthropic:
		return a.addProviderFormat(r)
	case to != provider.OpenAI && to != provider.Plain:
		r.Answer, problems = a.ProviderAnswer(to)
		if to == provider.Gemini && r.Answer != nil && len(r.Tools) > 0 && !provider.GeminiFamilyOf(r.Model).SchemaBeside {
			r.Tools = append(r.Tools, providerAnswerTool(r.Answer, r.Tools))
			r.Answer = nil
		}
		return problems
	}
	var refused diag.List
	if r.Answer, refused = a.ProviderAnswer(provider.OpenAIStrict); r.Answer != nil {
		return refused
	}
	r.AnswerLoose = true
	r.Answer, problems = a.ProviderAnswer(to)
	d := *providerErrors(refused)[0]
	d.Severity, d.Code, d.Message = diag.Warning, diag.CodeTargetDrops, d.Message+"; it is sent without strict mode"
	return append(problems, &d)
}

// fitsProviderFormat reports whether the answer of an agent fits the format of a response that
// the API of Anthropic has.
func (a *Agent) fitsProviderFormat(to provider.Target) bool {
	if to != provider.Anthropic {
		return false
	}
	schema, _ := a.ProviderAnswer(provider.AnthropicStrict)
	return schema != nil
}

// addProviderFormat adds the schema of the answer to a request to Anthropic: as the format of
// the response, or else as a tool, which takes nearly every schema.
func (a *Agent) addProviderFormat(r *provider.Request) diag.List {
	schema, problems := a.ProviderAnswer(provider.AnthropicStrict)
	if schema != nil {
		r.Answer = schema
		return problems
	}
	refused := *providerErrors(problems)[0]
	refused.Severity, refused.Code, refused.Message = diag.Warning, diag.CodeTargetDrops, refused.Message+"; the model answers by calling a tool instead"
	schema, problems = a.ProviderAnswer(provider.Anthropic)
	r.Tools = append(r.Tools, providerAnswerTool(schema, r.Tools))
	return append(problems, &refused)
}

// providerAnswerTool returns the tool that takes the answer, beside others.
func providerAnswerTool(schema json.RawMessage, others []provider.Tool) provider.Tool {
	var names []string
	for _, t := range others {
		names = append(names, t.Name)
	}
	return provider.AnswerTool(schema, names...)
}

// providerToolSpan returns the place of a tool.
func (a *Agent) providerToolSpan(name string) source.Span {
	for _, t := range a.Tools {
		if t.Name == name {
			return t.span
		}
	}
	return source.Span{}
}
