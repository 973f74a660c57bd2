package library

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// An Entry is one tool of a library, or a server that has tools. Of Command,
// HTTP, MCP and Builtin one is set, as Kind says.
type Entry struct {
	Name        string    `json:"name"` // of the tool; of an MCP entry that of the server
	Kind        EntryKind `json:"kind"`
	Description string    `json:"description,omitempty"` // "" takes that of the agent's tool
	TimeoutMS   int64     `json:"timeoutMs,omitempty"`   // 0 when nothing is said
	Retryable   *bool     `json:"retryable,omitempty"`   // nil when nothing is said
	Repeat      string    `json:"repeat,omitempty"`      // "safe", "keyed" or "once"; "" when nothing is said
	Parallel    *bool     `json:"parallel,omitempty"`    // whether calls may run beside others; nil when nothing is said
	Approve     Approval  `json:"approve,omitempty"`     // "" when nothing is said
	Rules       []Rule    `json:"rules,omitempty"`       // the first that matches decides, before Approve
	Traits      []Trait   `json:"traits,omitzero"`       // nil when nothing is said; empty for none
	Secret      *bool     `json:"secret,omitempty"`      // whether its environment variables are; nil when nothing is said
	Replaces    bool      `json:"replaces,omitempty"`    // it is meant to replace what an earlier library has

	TypeSignature string           `json:"typeSignature,omitempty"` // "" takes the schemas of the agent's tool
	Signature     *types.Signature `json:"-"`                       // nil exactly without TypeSignature

	Command *Command     `json:"command,omitempty"`
	HTTP    *HTTP        `json:"http,omitempty"`
	MCP     *MCP         `json:"mcp,omitempty"`
	Builtin *Builtin     `json:"builtin,omitempty"`
	Place   source.Place `json:"span,omitzero"`

	Pattern *ast.Pattern `json:"-"` // nil in a program that was read
}

// An EntryKind says what does the work of an entry: its label in gram.
type EntryKind string

// Schema returns the JSON Schema of the arguments, nil without a signature.
// Do not change its bytes.
func (e *Entry) Schema() json.RawMessage {
	if e.Signature == nil {
		return nil
	}
	return e.Signature.InputSchema()
}

// OutputSchema returns the JSON Schema of the result, nil without a signature.
// Do not change its bytes.
func (e *Entry) OutputSchema() json.RawMessage {
	if e.Signature == nil {
		return nil
	}
	return e.Signature.OutputSchema()
}

// Span returns where a property of the entry stands, such as run: its value.
// Without such a property it is the name of the entry. It is zero for an entry
// that was read from a program.
func (e *Entry) Span(property string) source.Span {
	if e.Pattern == nil {
		return source.Span{}
	}
	if p := e.Pattern.Property(property); p != nil && p.Value != nil {
		return p.Value.Span()
	}
	return report.NameSpan(e.Pattern)
}

// Tools returns the names of the tools that the entry is known to have.
func (e *Entry) Tools() []string {
	if e.MCP == nil {
		return []string{e.Name}
	}
	names := make([]string, 0, len(e.MCP.Allow))
	for _, name := range e.MCP.Allow {
		names = append(names, e.MCP.Prefix+name)
	}
	return names
}

// ToolSpans returns where the names of the tools stand that the entry is known
// to have.
func (e *Entry) ToolSpans() []source.Span {
	if e.MCP == nil {
		return []source.Span{e.Span("")}
	}
	spans := make([]source.Span, len(e.MCP.Allow))
	if e.Pattern == nil || len(spans) == 0 {
		return spans
	}
	list, _ := e.Pattern.Property("allow").Value.(*ast.Array)
	next := 0
	for _, item := range list.Elements {
		if name, ok := ast.WordOf(item); ok && !report.Blank(name) {
			spans[next] = item.Span()
			next++
		}
	}
	return spans
}

// MarshalJSON writes the entry, with the schemas of its signature.
func (e *Entry) MarshalJSON() ([]byte, error) {
	type plain Entry
	return plainjson.Marshal(struct {
		*plain
		Schema       json.RawMessage `json:"schema,omitempty"`
		OutputSchema json.RawMessage `json:"outputSchema,omitempty"`
		Place        source.Place    `json:"span,omitzero"` // behind them
	}{(*plain)(e), e.Schema(), e.OutputSchema(), e.Place})
}

// AssumedTraits returns what the tools of an entry do: what the entry says, or
// else what is known of its kind. Nothing is known of programs.
func (e *Entry) AssumedTraits() []Trait {
	switch {
	case e.Traits != nil:
		return e.Traits
	case e.Builtin != nil:
		b, _ := BuiltinNamed(e.Builtin.Builtin)
		return b.Traits
	case e.HTTP != nil, e.MCP != nil && !e.MCP.URL.IsZero():
		return []Trait{TraitUntrusted, TraitOutbound}
	}
	return nil
}

// Asks reports whether no call of an entry of a library is made unseen.
func (e *Entry) Asks(l *Library) bool {
	approve := cmp.Or(e.Approve, l.Approve)
	allows := func(r Rule) bool { return r.Approve == ApproveAllow }
	return (approve == ApproveAsk || approve == ApproveDeny) && !slices.ContainsFunc(e.Rules, allows)
}
