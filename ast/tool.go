package ast

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
	properties := []*Property{newPatternProperty("description", description)}
	return Tool{newPatternBracket(name, LabelTool, properties, []*Pattern{signature})}
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
