package runtime

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// An Invocation is the record of one call of a tool, successful or not.
type Invocation struct {
	Tool   string
	Args   json.RawMessage // as the model gave them; text that is not JSON stands here as a JSON string
	Result json.RawMessage // nil after a failure
	Err    *ToolError      // nil after a success
}

type invocationJSON struct {
	Tool   string          `json:"tool_name"`
	Args   json.RawMessage `json:"args"`
	Result resultJSON      `json:"result"`
}

type resultJSON struct {
	Success json.RawMessage `json:"success,omitempty"`
	Error   *string         `json:"error,omitempty"`
}

// MarshalJSON writes {"tool_name": …, "args": …, "result": …}, where the
// result is {"success": value} or {"error": "message"}.
func (i Invocation) MarshalJSON() ([]byte, error) {
	j := invocationJSON{Tool: i.Tool, Args: i.Args}
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

// UnmarshalJSON reads what MarshalJSON writes. The kind of an error is not
// written; it comes back as [ToolExecution].
func (i *Invocation) UnmarshalJSON(data []byte) error {
	var j invocationJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return fmt.Errorf("invocation: %w", err)
	}
	read := Invocation{Tool: j.Tool, Args: j.Args, Result: j.Result.Success}
	switch hasError := j.Result.Error != nil; {
	case j.Tool == "":
		return errors.New("invocation: tool_name is missing")
	case hasError == (j.Result.Success != nil):
		return errors.New(`invocation: the result needs either "success" or "error"`)
	case hasError:
		read.Err = &ToolError{Kind: ToolExecution, Message: *j.Result.Error}
	}
	*i = read
	return nil
}
