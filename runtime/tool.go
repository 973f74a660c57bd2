package runtime

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A Contract is what an agent expects of a tool. It is plain data, made
// from a gram file; of it, a model sees the name, the description and Input.
type Contract struct {
	Name        string
	Description string
	Input       json.RawMessage // JSON Schema of the arguments, an object
	Output      json.RawMessage // JSON Schema of the result; empty means anything
	Timeout     time.Duration   // how long a call may take; 0 leaves it to the tool
	NoRetry     bool            // after a failure the model may not call it again
	Strict      bool            // the provider enforces Input, where it can
	Repeat      Repeat          // the most that the agent allows; "" leaves it to the tool
}

// WantsMoreThanText reports whether Output asks for anything but any string.
func (c Contract) WantsMoreThanText() bool { return bindAsksMoreThanText(c.Output) }

// A Handler does the work of a tool: JSON in, JSON out. The arguments have
// been validated, with defaults filled in, and are owned by the handler. It should
// stop when ctx ends; after that nothing waits for it. It may return a
// [*ToolError] to choose the kind of its failure.
type Handler func(ctx context.Context, args json.RawMessage) (json.RawMessage, error)

// A ToolConfig describes a tool to [NewTool].
type ToolConfig struct {
	Name        string
	Description string
	Input       json.RawMessage // JSON Schema of the arguments
	Output      json.RawMessage // JSON Schema of the result; empty means anything
	Execute     Handler
	Timeout     time.Duration // 0 means the limit of the run
	NoRetry     bool          // after one failure the tool is not called again in a turn
	Concurrent  bool          // calls may run in parallel with others of the same response
	Repeat      Repeat        // whether a call may be made again; "" leaves it to the contract
	Approval    Approval      // which calls may be made; the zero value allows all

	// AdoptDescription lets the tool take its description from the contract
	// that it is bound to. It may then be empty here.
	AdoptDescription bool

	// Adopt lets the tool take its description and its schemas from the
	// contract that it is bound to. They may then be empty here.
	Adopt bool

	// Example is one result, if every result has the same form. Contracts that
	// it does not fit are refused.
	Example json.RawMessage

	// Accept refuses, with its error, contracts whose description and schemas
	// fit. Nil accepts every contract. A [*BindError] has the reason with it; any other
	// error is a [ReasonSchemaMismatch].
	Accept func(Contract) error

	// For returns the handler for the contract that the tool is bound to, for
	// tools whose work depends on it. The Repeat of that contract is what counts of both.
	// Nil leaves the work to Execute.
	For func(Contract) Handler
}

// A Tool is an executable tool. It is immutable and may be shared if its
// handler may. The zero Tool has no name and cannot be called.
type Tool struct {
	config   ToolConfig
	in, out  *Schema // nil accepts everything
	called   *Schema // the input schema of the contract, if it differs from the tool's own
	typed    bool    // made of a Go function; its types guarantee the result
	promised bool    // the output schema is that of the contract
}

// NewTool checks a configuration and returns the tool. Its error is a
// *[BindError].
func NewTool(c ToolConfig) (Tool, error) {
	refuse := func(reason Reason, detail string, err error) (Tool, error) {
		return Tool{}, &BindError{Tool: c.Name, Reason: reason, Detail: detail, Err: err}
	}
	c.Input, c.Output = bytes.Clone(c.Input), bytes.Clone(c.Output)
	t := Tool{config: c}
	switch {
	case c.Name == "":
		return refuse(ReasonEmptyName, "the name is empty", nil)
	case c.Execute == nil:
		return refuse(ReasonNoHandler, "the tool has no function to execute", nil)
	case c.Timeout < 0:
		return refuse(ReasonInvalidTimeout, "the timeout is negative; use 0 for the limit of the run", nil)
	case c.Description == "" && !c.Adopt && !c.AdoptDescription:
		return refuse(ReasonEmptyDescription, "the description is empty; the model needs it to choose the tool", nil)
	case len(c.Input) == 0 && !c.Adopt:
		return refuse(ReasonInvalidSchema, "the input schema is missing", nil)
	}
	if err := t.compile(); err != nil {
		return refuse(ReasonInvalidSchema, err.Error(), err)
	}
	return t, nil
}

// Repeat returns whether a call may be made again; never "".
func (t Tool) Repeat() Repeat { return cmp.Or(t.config.Repeat, RepeatOnce) }

// Config returns the configuration of the tool, from which [NewTool] makes another
// one. Its bytes must not be changed.
func (t *Tool) Config() ToolConfig { return t.config }

// compile compiles the schemas that are not yet; empty ones accept everything.
func (t *Tool) compile() (err error) {
	if t.in == nil && len(t.config.Input) > 0 {
		if t.in, err = CompileSchema(t.config.Input); err != nil {
			return fmt.Errorf("input %w", err)
		}
		if types := t.in.root.TypeList(); !t.in.root.Is(jsonschema.KindObject) || types != nil && !slices.Equal(types, []string{"object"}) {
			return errors.New(`input schema: its type must be "object"`)
		}
	}
	if t.out == nil && len(t.config.Output) > 0 {
		if t.out, err = CompileSchema(t.config.Output); err != nil {
			return fmt.Errorf("output %w", err)
		}
	}
	return nil
}

// Name returns the name by which models and gram files know the tool.
func (t Tool) Name() string { return t.config.Name }

// Description returns what the tool does, as the model reads it.
func (t Tool) Description() string { return t.config.Description }

// Input returns the JSON Schema of the arguments. It must not be changed.
func (t Tool) Input() json.RawMessage { return t.config.Input }

// Output returns the JSON Schema of the result; empty means anything. It must
// not be changed.
func (t Tool) Output() json.RawMessage { return t.config.Output }

// MarshalJSON always fails, since a tool holds code. Its [Contract] can be
// written.
func (t Tool) MarshalJSON() ([]byte, error) {
	return nil, fmt.Errorf("tool %q: code cannot be written as JSON; write its contract", t.config.Name)
}
