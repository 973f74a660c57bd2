package runtime

import (
	"encoding/json"
	"fmt"
	"strings"
)

// AcceptInput returns the Accept of a [ToolConfig] for a tool with Adopt that
// takes certain arguments: it refuses contracts whose input schema says
// something else; see [EqualSchema].
func AcceptInput(input json.RawMessage) func(Contract) error {
	return func(c Contract) error {
		if EqualSchema(c.Input, input) {
			return nil
		}
		return fmt.Errorf("the agent wants another input schema than the library has: %s",
			strings.Join(DiffSchema(c.Input, input), "; "))
	}
}
