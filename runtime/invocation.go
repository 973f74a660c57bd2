package runtime

import (
	"encoding/json"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// An Invocation is the record of one call of a tool, successful or not.
type Invocation struct {
	Tool   string
	Args   json.RawMessage // as the model gave them; text that is not JSON stands here as a JSON string
	Result json.RawMessage // nil after a failure
	Err    *ToolError      // nil after a success
}

// MarshalJSON writes {"tool_name": …, "args": …, "result": …}, where the
// result is {"success": value} or {"error": "message"}.
func (i Invocation) MarshalJSON() ([]byte, error) {
	type result struct {
		Success json.RawMessage `json:"success,omitempty"`
		Error   *string         `json:"error,omitempty"`
	}
	j := struct {
		Tool   string          `json:"tool_name"`
		Args   json.RawMessage `json:"args"`
		Result result          `json:"result"`
	}{Tool: i.Tool, Args: i.Args}
	switch {
	case i.Err != nil:
		j.Result.Error = &i.Err.Message
	case len(i.Result) == 0:
		j.Result.Success = json.RawMessage("null")
	default:
		j.Result.Success = i.Result
	}
	return plainjson.Marshal(j)
}
