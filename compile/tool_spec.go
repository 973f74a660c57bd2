package compile

import (
	"encoding/json"

	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// A ToolSpec describes a tool: what it is for, what it takes and what it
// gives. It never holds code.
type ToolSpec struct {
	Name          string
	Description   string
	TypeSignature string           // gram text without comments: (personName::Text)==>(::String)
	Signature     *types.Signature // what that text means
}

// NewToolSpec describes a tool in code. The error reports every mistake in the
// name, the description and the text of the signature, in this order;
// diag.FromError gives them one by one.
func NewToolSpec(name, description, typeSignature string) (*ToolSpec, error) {
	var problems diag.List
	if name == "" {
		problems.Errorf(source.Span{}, diag.CodeMissingToolName, "a tool needs a name")
	} else if problem := types.ToolNameProblem(name); problem != "" {
		problems.Errorf(source.Span{}, diag.CodeInvalidToolName, "%s", problem)
	}
	if report.Blank(description) {
		problems.Errorf(source.Span{}, diag.CodeEmptyToolDescription, "the tool %s needs a description", report.Quote(name))
	}
	pattern, signature, more := types.ParseSignature(typeSignature)
	if err := append(problems, more...).Err(); err != nil {
		return nil, err
	}
	return &ToolSpec{name, description, types.SignatureText(pattern), signature}, nil
}

// Schema returns the JSON Schema of the arguments, made from the signature.
// Do not change its bytes.
func (t *ToolSpec) Schema() json.RawMessage { return t.Signature.InputSchema() }

// OutputSchema returns the JSON Schema of the result. Do not change its
// bytes.
func (t *ToolSpec) OutputSchema() json.RawMessage { return t.Signature.OutputSchema() }

// MarshalJSON writes {"name", "description", "typeSignature", "schema"}.
func (t ToolSpec) MarshalJSON() ([]byte, error) {
	return plainjson.Marshal(struct {
		toolText
		Schema json.RawMessage `json:"schema"`
	}{toolText{t.Name, t.Description, t.TypeSignature}, t.Schema()})
}

// UnmarshalJSON reads what MarshalJSON writes. The schema is not read but made
// again from the signature, and what NewToolSpec refuses is refused.
func (t *ToolSpec) UnmarshalJSON(data []byte) error {
	var text toolText
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	read, err := NewToolSpec(text.Name, text.Description, text.TypeSignature)
	if err != nil {
		return err
	}
	*t = *read
	return nil
}

type toolText struct {
	Name          string `json:"name"`
	Description   string `json:"description"`
	TypeSignature string `json:"typeSignature"`
}
