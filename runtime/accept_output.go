package runtime

import (
	"encoding/json"
	"fmt"
)

// AcceptOutput returns an Accept for [ToolConfig] that refuses every contract
// whose results the tool cannot give, of which example is one. A contract that
// wants text takes any result.
func AcceptOutput(example json.RawMessage) func(Contract) error {
	return func(c Contract) error {
		if !saysMoreThanText(c.Output) {
			return nil
		}
		wanted, err := CompileSchema(c.Output)
		if err != nil {
			return err
		}
		if err := wanted.Validate(example); err != nil {
			return fmt.Errorf("the tool returns what the agent does not take, such as %s: %w", example, err)
		}
		return nil
	}
}
