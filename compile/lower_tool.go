package compile

import (
	"fmt"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// toolProperties are the keys of what a tool can say. They are not changed.
var toolProperties = vocabulary.Keys(vocabulary.OwnerTool)

// lowerToolOnce lowers a tool, once. What it returns is whole only if no error was
// reported and the compiler is not dry; a signature with errors is nil.
func (c *compiler) lowerToolOnce(t ast.Tool) *Tool {
	if lowered := c.lowered[t.Pattern]; lowered != nil {
		return lowered
	}
	lowered := c.lowerTool(t)
	c.lowered[t.Pattern] = lowered
	c.tools = append(c.tools, lowered)
	return lowered
}

func (c *compiler) lowerTool(t ast.Tool) *Tool {
	what := report.Named("the tool", t.Name())
	if t.Name() == "" {
		what = "the tool"
	}
	parameters, chain := toolParameters(t)
	known := toolProperties
	if parameters != nil {
		known = append(slices.Clip(known), parameters.Key.Text)
	}
	misspelt := c.UnknownProperties(t.Subject.Record, "a tool", known, "description")
	lowered := &Tool{span: t.Span(), named: report.NameSpan(t.Pattern), described: report.NameSpan(t.Pattern)}
	if p := t.Property("description"); p != nil && p.Value != nil {
		lowered.described = p.Value.Span()
	}
	lowered.Name = c.lowerToolName(t)
	lowered.Description = c.lowerToolDescription(t, what, misspelt["description"])
	lowered.TimeoutMS = c.Timeout(t.Property("timeout"), what)
	lowered.NoRetry = !c.ToolFlag(t.Property("retryable"), true, what)
	lowered.Repeat = c.Word(t.Property("repeat"), what, vocabulary.Values(vocabulary.OwnerTool, "repeat"), "once")
	lowered.Strict = c.ToolFlag(t.Property("strict"), false, what)
	if p := t.Property("deprecated"); p != nil && p.Value != nil {
		c.deprecated = true
		c.Deprecation(p, what)
	}
	if parameters != nil {
		c.reportToolParameters(t, what, parameters, chain)
	} else if element := c.lowerToolSignature(t, what); element != nil {
		lowered.Signature = c.LowerSignature(element)
		if !c.Dry {
			lowered.TypeSignature = types.SignatureText(element)
		}
	}
	return lowered
}

func (c *compiler) lowerToolName(t ast.Tool) string {
	name := t.Name()
	if name == "" {
		d := c.Diags.Errorf(report.NameSpan(t.Pattern), diag.CodeMissingToolName, "the tool has no name; write [name:Tool …]")
		if given, ok := toolPropertyText(t.Pattern, "name"); ok && t.Subject.Identity == nil && types.ToolNameProblem(given) == "" {
			report.SafeFix(d, "write the name before the label", t.Subject.Span().Head(), ast.Print(ast.NewName(given)))
		}
		return ""
	}
	if problem := types.ToolNameProblem(name); problem != "" {
		place := report.NameSpan(t.Pattern)
		if i := types.HiddenInName(name); i >= 0 {
			place = report.NewQuotation(t.Subject.Identity, name).At(i, report.RuneEnd(name, i))
		}
		c.Diags.Errorf(place, diag.CodeInvalidToolName, "%s", problem)
	}
	return name
}

func toolPropertyText(p *ast.Pattern, key string) (string, bool) {
	if property := p.Property(key); property != nil {
		return ast.TextOf(property.Value)
	}
	return "", false
}

func (c *compiler) lowerToolDescription(t ast.Tool, what string, misspelt *ast.Property) string {
	text, _ := c.RequiredTextProperty(t.Pattern, types.Required{
		Key: "description", Example: `description: "…"`, Why: "; models choose tools by it",
		Missing: diag.CodeMissingToolDescription, NotText: diag.CodeMissingToolDescription, Empty: diag.CodeEmptyToolDescription,
	}, what, misspelt)
	return text
}

// lowerToolSignature returns the one element of a tool if it can be a signature,
// else nil.
func (c *compiler) lowerToolSignature(t ast.Tool, what string) *ast.Pattern {
	for _, e := range t.Elements {
		if e.Form == ast.FormBad {
			return nil
		}
	}
	switch {
	case len(t.Elements) == 0:
		message := fmt.Sprintf("%s has no signature; write | %s before the bracket closes", what, types.SignatureExample)
		if old := t.Property("typeSignature"); old != nil {
			message = fmt.Sprintf("%s has its signature as a property; write it as an element: | %s", what, types.SignatureExample)
		}
		place := report.LastByte(t.Span(), "]")
		d := c.Diags.Errorf(place, diag.CodeMissingSignature, "%s", message)
		report.Fix(d, "add one without parameters", place.Head(), " | ()==>(::String)")
		return nil
	case len(t.Elements) > 1:
		second := t.Elements[1]
		d := c.Diags.Errorf(second.Span(), diag.CodeMultipleSignatures,
			"%s has %d signatures; several parameters stand in one chain: (a::Text)==>(b::Int)==>(::String)", what, len(t.Elements))
		report.Relate(d, t.Elements[0].Span(), "the first")
		types.FixSeveralSignatures(d, t.Elements)
		return nil
	}
	element := t.Elements[0]
	if element.Form == ast.FormNode || element.Form == ast.FormPath {
		return element
	}
	c.Diags.Errorf(element.Span(), diag.CodeMissingSignature,
		"%s needs a signature here, a chain of nodes such as %s", what, types.SignatureExample)
	return nil
}
