package ast

import (
	"iter"
	"slices"
)

// Labels that make a pattern an agent, a tool, a named type, a library or a test.
const (
	LabelAgent             = "Agent"
	LabelTool              = "Tool"
	LabelToolSpecification = "ToolSpecification" // the older word for Tool
	LabelType              = "Type"
	LabelEnum              = "Enum"
	LabelUnion             = "Union"
	LabelLibrary           = "Library"
	LabelProvider          = "Provider"
	LabelTest              = "Test"
)

// An Agent is the view of a pattern labelled Agent:
//
//	[name:Agent {description: "…", instruction: "…", model: "Provider/id"} | tool, …]
type Agent struct{ *Pattern }

// AsAgent returns the view of p, and whether p is an agent at all.
func AsAgent(p *Pattern) (Agent, bool) {
	return Agent{p}, p.Form == FormBracket && p.HasLabel(LabelAgent)
}

// NewAgent makes an agent in code. An empty description is left out.
func NewAgent(name, description, instruction, model string, tools ...*Pattern) Agent {
	properties := []*Property{newPatternProperty("instruction", instruction), newPatternProperty("model", model)}
	if description != "" {
		properties = slices.Insert(properties, 0, newPatternProperty("description", description))
	}
	return Agent{newPatternBracket(name, LabelAgent, properties, tools)}
}

// Name returns the identifier of the agent; only where that is missing the
// text of its name property.
func (a Agent) Name() string {
	if a.Subject.Identity == nil {
		return a.text("name")
	}
	return a.Identity()
}

// Description returns the description, and whether there is one.
func (a Agent) Description() (string, bool) { return a.lookup("description") }

// Instruction returns the instruction, "" when there is none.
func (a Agent) Instruction() string { return a.text("instruction") }

// Model returns the model as written, "" when there is none.
func (a Agent) Model() string { return a.text("model") }

// Models returns the models as written, in their order: the property models, or else
// model. Those that are not text are left out.
func (a Agent) Models() []string {
	p := a.Property("models")
	if p == nil {
		p = a.Property("model")
	}
	if p == nil {
		return nil
	}
	values := []Value{p.Value}
	if list, ok := p.Value.(*Array); ok {
		values = list.Elements
	}
	var texts []string
	for _, v := range values {
		if text, ok := TextOf(v); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// Tools returns the elements of the agent: tools, and references to tools.
func (a Agent) Tools() iter.Seq[*Pattern] { return slices.Values(a.Elements) }

// The setters return copies that share what they do not change, and keep the
// span of the original.

// WithName returns a copy of the agent with another identifier.
func (a Agent) WithName(name string) Agent { return Agent{a.withIdentity(name)} }

// WithDescription returns a copy of the agent with another description.
func (a Agent) WithDescription(text string) Agent { return Agent{a.withText("description", text)} }

// WithInstruction returns a copy of the agent with another instruction.
func (a Agent) WithInstruction(text string) Agent { return Agent{a.withText("instruction", text)} }

// WithModel returns a copy of the agent with another model.
func (a Agent) WithModel(model string) Agent { return Agent{a.withText("model", model)} }

// WithTools returns a copy of the agent with other elements.
func (a Agent) WithTools(tools ...*Pattern) Agent { return Agent{a.withElements(tools)} }
