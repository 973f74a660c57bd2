package ast

import (
	"iter"
	"slices"
	"strings"
)

// Labels that make a pattern an agent, a tool, a named type or a library.
const (
	LabelAgent             = "Agent"
	LabelTool              = "Tool"
	LabelToolSpecification = "ToolSpecification" // the older word for Tool
	LabelType              = "Type"
	LabelEnum              = "Enum"
	LabelUnion             = "Union"
	LabelLibrary           = "Library"
)

// IsNamedType reports whether a pattern defines a type: a bracket with one of
// the labels Type, Enum and Union.
func IsNamedType(p *Pattern) bool {
	return p.Form == FormBracket && (p.HasLabel(LabelType) || p.HasLabel(LabelEnum) || p.HasLabel(LabelUnion))
}

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
	properties := []*Property{newProperty("instruction", instruction), newProperty("model", model)}
	if description != "" {
		properties = slices.Insert(properties, 0, newProperty("description", description))
	}
	return Agent{newBracket(name, LabelAgent, properties, tools)}
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

// A Tool is the view of a pattern labelled Tool or ToolSpecification:
//
//	[name:Tool {description: "…"} | (param::Text)==>(::String)]
type Tool struct{ *Pattern }

// AsTool returns the view of p, and whether p is a tool at all.
func AsTool(p *Pattern) (Tool, bool) {
	return Tool{p}, p.Form == FormBracket && (p.HasLabel(LabelTool) || p.HasLabel(LabelToolSpecification))
}

// NewTool makes a tool in code from its signature, a path or a node.
func NewTool(name, description string, signature *Pattern) Tool {
	properties := []*Property{newProperty("description", description)}
	return Tool{newBracket(name, LabelTool, properties, []*Pattern{signature})}
}

// Name returns the identifier of the tool. A name property does not count.
func (t Tool) Name() string { return t.Identity() }

// Description returns the description, "" when there is none.
func (t Tool) Description() string { return t.text("description") }

// Signature returns the first element, nil when there is none.
func (t Tool) Signature() *Pattern {
	if len(t.Elements) == 0 {
		return nil
	}
	return t.Elements[0]
}

// WithName returns a copy of the tool with another identifier.
func (t Tool) WithName(name string) Tool { return Tool{t.withIdentity(name)} }

// WithDescription returns a copy of the tool with another description.
func (t Tool) WithDescription(text string) Tool { return Tool{t.withText("description", text)} }

// WithSignature returns a copy of the tool with another signature.
func (t Tool) WithSignature(signature *Pattern) Tool {
	return Tool{t.withElements([]*Pattern{signature})}
}

// NewName makes a name, quoted where it is not a symbol.
func NewName(text string) *Name {
	n := &Name{Text: text}
	if !isSymbol(text) {
		n.Kind = NameQuoted
	}
	return n
}

func isSymbol(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	return text != "" && strings.IndexByte(letters, text[0]) >= 0 && strings.Trim(text, letters+"0123456789.@-") == ""
}

func newProperty(key, text string) *Property {
	return &Property{Key: NewName(key), Separator: ":", Value: &String{Text: text}}
}

func newBracket(name, label string, properties []*Property, elements []*Pattern) *Pattern {
	labels := []*Label{{Separator: ":", Name: NewName(label)}}
	subject := &Subject{Identity: NewName(name), Labels: labels, Record: &Record{Properties: properties}}
	return &Pattern{Form: FormBracket, Subject: subject, Elements: elements}
}

func (p *Pattern) lookup(key string) (string, bool) {
	if prop := p.Property(key); prop != nil {
		return TextOf(prop.Value)
	}
	return "", false
}

func (p *Pattern) text(key string) string {
	text, _ := p.lookup(key)
	return text
}

// withIdentity copies the pattern down to what changes and shares the rest.
func (p *Pattern) withIdentity(name string) *Pattern {
	copied, subject := *p, *p.Subject
	subject.Identity = NewName(name)
	copied.Subject = &subject
	return &copied
}

func (p *Pattern) withElements(elements []*Pattern) *Pattern {
	copied := *p
	copied.Elements = elements
	return &copied
}

func (p *Pattern) withText(key, text string) *Pattern {
	copied, subject, record, changed := *p, *p.Subject, Record{}, newProperty(key, text)
	if subject.Record != nil {
		record = *subject.Record
	}
	record.Properties = slices.Clone(record.Properties)
	if at := slices.Index(record.Properties, p.Property(key)); at >= 0 {
		old := *record.Properties[at]
		old.Value = changed.Value
		record.Properties[at] = &old
	} else {
		record.Properties = append(record.Properties, changed)
	}
	subject.Record, copied.Subject = &record, &subject
	return &copied
}
