package compile

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
)

// toolProperties are those that mean something on a tool. Nobody changes them.
var toolProperties = []string{"description", "timeout", "retryable", "strict", "deprecated"}

// tool lowers a tool, once. What it returns is whole only if no error was
// told and the compiler is not dry; a signature with errors is nil.
func (c *compiler) tool(t ast.Tool) *Tool {
	lowered := c.lowered[t.Pattern]
	switch {
	case lowered != nil:
		return lowered
	case c.noted == nil:
		lowered = c.lowerTool(t)
	default:
		if lowered = c.again(t); lowered == nil {
			lowered = c.note(t)
		}
	}
	c.lowered[t.Pattern] = lowered
	c.tools = append(c.tools, lowered)
	return lowered
}

func (c *compiler) lowerTool(t ast.Tool) *Tool {
	what := "the tool " + quote(t.Name())
	if t.Name() == "" {
		what = "the tool"
	}
	misspelt := c.unknownProperties(t.Subject.Record, "a tool", toolProperties, "description")
	lowered := &Tool{span: t.Span(), named: nameSpan(t.Pattern), described: nameSpan(t.Pattern)}
	if p := t.Property("description"); p != nil && p.Value != nil {
		lowered.described = p.Value.Span()
	}
	lowered.Name = c.toolName(t)
	lowered.Description = c.toolDescription(t, what, misspelt["description"])
	lowered.TimeoutMS = c.timeout(t.Property("timeout"), what)
	lowered.NoRetry = !c.toolFlag(t.Property("retryable"), true, what)
	lowered.Strict = c.toolFlag(t.Property("strict"), false, what)
	if p := t.Property("deprecated"); p != nil && p.Value != nil {
		c.deprecation(p, what)
	}
	if element := c.toolSignature(t, what); element != nil {
		lowered.Signature = c.signature(element)
		if !c.dry {
			lowered.TypeSignature = signatureText(element)
		}
	}
	return lowered
}

// timeout reads how long a call of a tool may take, in milliseconds: 500ms, 5s,
// 1.5m; 0 when nothing is said.
func (c *compiler) timeout(p *ast.Property, what string) int64 {
	if p == nil || p.Value == nil {
		return 0
	}
	n, ok := p.Value.(*ast.Number)
	unit, known := int64(0), false
	if ok {
		unit, known = map[string]int64{"ms": 1, "s": 1000, "m": 60 * 1000, "h": 60 * 60 * 1000}[n.Unit()]
	}
	if !known {
		c.diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "the timeout of %s must be a time, such as 500ms, 5s or 2m", what)
		return 0
	}
	amount, err := strconv.ParseFloat(n.Digits(), 64)
	ms := amount * float64(unit)
	if err != nil || ms < 1 || ms > maxTimeoutMS {
		c.diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "the timeout of %s must be from 1ms to 24h", what)
		return 0
	}
	return int64(ms)
}

const maxTimeoutMS = 24 * 60 * 60 * 1000

// toolFlag reads true or false, or what holds when nothing is said.
func (c *compiler) toolFlag(p *ast.Property, otherwise bool, what string) bool {
	if p == nil || p.Value == nil {
		return otherwise
	}
	return c.flag(p, what)
}

// maxToolName is the length of the longest name of a tool, in bytes. Providers
// take less; they get another name then, see package target.
const maxToolName = 256

// toolNameProblem returns why a name cannot be that of a tool, "" when it can.
func toolNameProblem(name string) string {
	switch {
	case blank(name):
		return "a tool needs a name"
	case len(name) > maxToolName:
		return fmt.Sprintf("the tool name %s has %d bytes; at most %d are possible", quote(name), len(name), maxToolName)
	}
	if i := hiddenIn(name); i >= 0 {
		return fmt.Sprintf("the tool name %s holds %s, which nobody can see", quote(name), strings.ReplaceAll(strconv.QuoteToASCII(name[i:runeEnd(name, i)]), `"`, "'"))
	}
	return ""
}

// hiddenIn returns where a text holds a character without a picture, -1 when
// it holds none.
func hiddenIn(text string) int {
	return strings.IndexFunc(text, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) })
}

func (c *compiler) toolName(t ast.Tool) string {
	name := t.Name()
	if name == "" {
		d := c.diags.Errorf(nameSpan(t.Pattern), diag.CodeMissingToolName, "the tool has no name; write [name:Tool …]")
		if given, ok := propertyText(t.Pattern, "name"); ok && t.Subject.Identity == nil && toolNameProblem(given) == "" {
			safeFix(d, "write the name before the label", t.Subject.Span().Head(), ast.Print(ast.NewName(given)))
		}
		return ""
	}
	if problem := toolNameProblem(name); problem != "" {
		place := nameSpan(t.Pattern)
		if i := hiddenIn(name); i >= 0 {
			place = newQuotation(t.Subject.Identity, name).at(i, runeEnd(name, i))
		}
		c.diags.Errorf(place, diag.CodeInvalidToolName, "%s", problem)
	}
	return name
}

func propertyText(p *ast.Pattern, key string) (string, bool) {
	if property := p.Property(key); property != nil {
		return ast.TextOf(property.Value)
	}
	return "", false
}

func (c *compiler) toolDescription(t ast.Tool, what string, misspelt *ast.Property) string {
	text, _ := c.requiredText(t.Pattern, required{
		key: "description", example: `description: "…"`, why: "; models choose tools by it",
		missing: diag.CodeMissingToolDescription, notText: diag.CodeMissingToolDescription, empty: diag.CodeEmptyToolDescription,
	}, what, misspelt)
	return text
}

// toolSignature returns the one element of a tool if it can be a signature,
// else nil.
func (c *compiler) toolSignature(t ast.Tool, what string) *ast.Pattern {
	for _, e := range t.Elements {
		if e.Form == ast.FormBad {
			return nil
		}
	}
	switch {
	case len(t.Elements) == 0:
		message := fmt.Sprintf("%s has no signature; write | %s before the bracket closes", what, signatureExample)
		if old := t.Property("typeSignature"); old != nil {
			message = fmt.Sprintf("%s has its signature as a property; write it as an element: | %s", what, signatureExample)
		}
		place := lastByte(t.Span(), "]")
		d := c.diags.Errorf(place, diag.CodeMissingSignature, "%s", message)
		fix(d, "add one without parameters", place.Head(), " | ()==>(::String)")
		return nil
	case len(t.Elements) > 1:
		second := t.Elements[1]
		d := c.diags.Errorf(second.Span(), diag.CodeMultipleSignatures,
			"%s has %d signatures; several parameters stand in one chain: (a::Text)==>(b::Int)==>(::String)", what, len(t.Elements))
		relate(d, t.Elements[0].Span(), "the first")
		return nil
	}
	element := t.Elements[0]
	if element.Form == ast.FormNode || element.Form == ast.FormPath {
		return element
	}
	c.diags.Errorf(element.Span(), diag.CodeMissingSignature,
		"%s needs a signature here, a chain of nodes such as %s", what, signatureExample)
	return nil
}
