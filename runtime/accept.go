package runtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// AcceptInput returns an Accept for [ToolConfig] that refuses every contract
// whose input schema is not the one given, in the sense of [EqualSchema]. A
// tool with it takes its description from the contract, but its arguments from
// nobody.
func AcceptInput(input json.RawMessage) func(Contract) error {
	input = bytes.Clone(input)
	return func(c Contract) error {
		if EqualSchema(c.Input, input) {
			return nil
		}
		return fmt.Errorf("the agent wants another input schema than the tool has: %s",
			strings.Join(DiffSchema(c.Input, input), "; "))
	}
}
