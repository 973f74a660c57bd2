package provider

import (
	"fmt"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/models"
)

// A Target is one way in which tools and schemas are given to a model.
type Target string

// The targets.
const (
	Plain           Target = "plain"         // JSON Schema as it is
	OpenAI          Target = "openai"        // function calling without strict mode
	OpenAIStrict    Target = "openai-strict" // structured outputs: the model can give nothing else
	Anthropic       Target = "anthropic"
	AnthropicStrict Target = "anthropic-strict" // structured outputs: strict tools, and the format of an answer
	Gemini          Target = "gemini"           // function declarations: a part of OpenAPI 3.0
	MCP             Target = "mcp"              // tools of the Model Context Protocol
)

// AllTargets returns every target, Plain first.
func AllTargets() []Target {
	return []Target{Plain, OpenAI, OpenAIStrict, Anthropic, AnthropicStrict, Gemini, MCP}
}

// TargetOf returns the target of the requests that are sent to a provider. With strict, it is
// the target of a strict tool, where the provider supports it. A provider that is
// unknown, nil, is taken for OpenAI.
func TargetOf(p *models.Provider, strict bool) Target {
	switch {
	case p != nil && p.Dialect == models.Messages && strict && p.Strict:
		return AnthropicStrict
	case p != nil && p.Dialect == models.Messages:
		return Anthropic
	case p != nil && p.Dialect == models.Gemini:
		return Gemini
	case strict && (p == nil || p.Strict):
		return OpenAIStrict
	}
	return OpenAI
}

// TargetNamed is [TargetOf] for a provider of the built-in table, as gram files call it.
func TargetNamed(name string, strict bool) Target {
	p, _ := models.Builtin().Provider(name)
	return TargetOf(p, strict)
}

// Title returns the name for people, such as "OpenAI strict".
func (t Target) Title() string { return t.limits().title }

// limits returns the row of the table; an unknown target is taken for Plain.
func (t Target) limits() *limits {
	if l, ok := table[t]; ok {
		return &l
	}
	l := table[Plain]
	return &l
}

// A Severity is whether a schema can be sent in spite of a problem.
type Severity uint8

// The severities.
const (
	Error   Severity = iota + 1 // the target refuses the schema
	Warning                     // a part of the schema is not sent
)

// The codes of a [Problem].
const (
	CodeNotASchema  = "not-a-schema"     // the text, or a part of it, is no JSON Schema
	CodeTooDeep     = "too-deep"         // nested deeper than the target, or we, can follow
	CodeTooLarge    = "too-large"        // more parts than the target takes
	CodeRoot        = "root-object"      // the root is no object
	CodeRootUnion   = "root-union"       // the root has alternatives
	CodeRef         = "unknown-ref"      // a reference that leads nowhere, or nowhere the target looks
	CodeRecursion   = "recursion"        // a type that contains itself
	CodeMap         = "map"              // an object whose fields have no names
	CodeKeyword     = "keyword"          // a keyword that cannot be left out
	CodeField       = "undeclared-field" // a required field without a schema
	CodeFieldName   = "field-name"       // a name of a field that the target refuses
	CodeDescription = "long-description" // a description that is too long
	CodeDropped     = "dropped"          // a limit that is checked after the call alone
	CodeMoved       = "moved"            // a limit that is moved to the description
	CodeLeftOut     = "left-out"         // a note that the model does not see
	CodeStrictMap   = "strict-map"       // map, in strict mode
	CodeStrictOpen  = "strict-open"      // an object without declared fields, in strict mode
	CodeStrictAny   = "strict-any"       // a value of any type, in strict mode
	CodeStrictItems = "strict-items"     // an array of anything, in strict mode
	CodeStrictLimit = "strict-limit"     // one of the limits on size, in strict mode
	CodeStrictUnion = "strict-union"     // alternatives beside fields of their own, in strict mode
)

// A Problem is something in a schema that a target does not take.
type Problem struct {
	Pointer  string // JSON pointer into the schema that was given; "" is the whole
	Code     string
	Severity Severity
	Message  string // with the way to fix it
}

// String returns "pointer: message".
func (p Problem) String() string {
	if p.Pointer == "" {
		return p.Message
	}
	return p.Pointer + ": " + p.Message
}

// CheckTargetDescription returns the problem of a tool whose description is longer
// than the target takes; none for most targets.
func CheckTargetDescription(text string, t Target) []Problem {
	most := t.limits().description
	if most == 0 || excerpt.Runes(text, most) == text {
		return nil
	}
	return []Problem{{
		Code: CodeDescription, Severity: Error,
		Message: fmt.Sprintf("%s takes at most %d characters for the description of a tool; move the rest to the instruction", t.Title(), most),
	}}
}
