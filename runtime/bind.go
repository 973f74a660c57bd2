package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A Reason says why a tool cannot be made or bound.
type Reason string

// The reasons.
const (
	ReasonNotFound            Reason = "tool-not-found"         // the library has no tool of that name
	ReasonDescriptionMismatch Reason = "description-mismatch"   // contract and tool describe themselves differently
	ReasonSchemaMismatch      Reason = "schema-mismatch"        // contract and tool take different arguments
	ReasonNameMismatch        Reason = "name-mismatch"          // the tool stands under a name that is not its own
	ReasonEmptyName           Reason = "empty-tool-name"        // the name is empty
	ReasonEmptyDescription    Reason = "empty-tool-description" // the description is empty
	ReasonInvalidSchema       Reason = "invalid-schema"         // the schema is not a JSON Schema, or not one for arguments
	ReasonNoHandler           Reason = "no-handler"             // there is no function to execute
	ReasonInvalidTimeout      Reason = "invalid-timeout"        // the time limit is negative
)

// The two classes of binding errors, for [errors.Is].
var (
	ErrToolNotFound = errors.New("tool not found")
	ErrMismatch     = errors.New("tool does not match its contract")
)

// A BindError says why one contract has no tool.
type BindError struct {
	Tool   string
	Reason Reason
	Detail string
}

// Error returns the tool, the reason and the detail.
func (e *BindError) Error() string { return fmt.Sprintf("tool %q: %s: %s", e.Tool, e.Reason, e.Detail) }

// Is sorts the reasons into [ErrToolNotFound] and [ErrMismatch].
func (e *BindError) Is(target error) bool {
	switch target {
	case ErrToolNotFound:
		return e.Reason == ReasonNotFound
	case ErrMismatch:
		return e.Reason != ReasonNotFound
	}
	return false
}

// BindErrors are all reasons why an agent cannot run, in the order of its
// contracts.
type BindErrors []*BindError

// Error returns all errors, separated by semicolons.
func (e BindErrors) Error() string {
	texts := make([]string, len(e))
	for i, err := range e {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns the errors one by one.
func (e BindErrors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

// BindOptions change how tools are bound. The zero value is the default.
type BindOptions struct {
	// NameOnly takes any tool of the right name, as if each had Adopt set:
	// description and schemas are those of the contract.
	NameOnly bool
}

// Bind finds a tool for each contract, in order. Name, description and input
// schema must match, unless the tool has Adopt set. Results are checked
// against the output schema of the contract if that says more than "text",
// which anything can be told as, and otherwise against the tool's own.
//
// The error is of type [BindErrors] and names every failure.
func (l Library) Bind(contracts []Contract, o *BindOptions) ([]Tool, error) {
	nameOnly := o != nil && o.NameOnly
	var failed BindErrors
	tools := make([]Tool, len(contracts))
	for i := range contracts {
		t, errs := l.bind(&contracts[i], nameOnly)
		tools[i] = t
		failed = append(failed, errs...)
	}
	if len(failed) > 0 {
		return nil, failed
	}
	return tools, nil
}

func (l Library) bind(c *Contract, nameOnly bool) (Tool, BindErrors) {
	if c.Name == "" {
		return Tool{}, BindErrors{{Reason: ReasonEmptyName, Detail: "the name is empty"}}
	}
	t, ok := l.tools[c.Name]
	if !ok {
		return Tool{}, BindErrors{{Tool: c.Name, Reason: ReasonNotFound, Detail: notFound(c.Name, l.Names())}}
	}
	if last := t.last.Load(); last.covers(c, nameOnly) {
		return last.tool, nil
	}
	bound, errs := t.bindTo(c, nameOnly)
	if len(errs) == 0 {
		kept := *c // the caller may change its bytes
		kept.Input, kept.Output = bytes.Clone(c.Input), bytes.Clone(c.Output)
		t.last.Store(&binding{contract: kept, nameOnly: nameOnly, tool: bound})
	}
	return bound, errs
}

// A binding remembers a success, because a tool is bound again for each turn
// and compiling schemas is slow.
type binding struct {
	contract Contract
	nameOnly bool
	tool     Tool
}

func (b *binding) covers(c *Contract, nameOnly bool) bool {
	return b != nil && b.nameOnly == nameOnly && b.contract.Description == c.Description &&
		b.contract.Timeout == c.Timeout && b.contract.NoRetry == c.NoRetry && bytes.Equal(b.contract.Input, c.Input) && bytes.Equal(b.contract.Output, c.Output)
}

func (t Tool) bindTo(c *Contract, nameOnly bool) (Tool, BindErrors) {
	var errs BindErrors
	fail := func(reason Reason, format string, args ...any) {
		errs = append(errs, &BindError{Tool: c.Name, Reason: reason, Detail: fmt.Sprintf(format, args...)})
	}
	bound := t
	if t.adopt || nameOnly {
		bound.description, bound.input, bound.in = c.Description, bytes.Clone(c.Input), nil
		if c.Description == "" {
			fail(ReasonEmptyDescription, "the description is empty")
		}
		if len(c.Input) == 0 {
			fail(ReasonInvalidSchema, "the input schema is missing")
		}
	} else {
		if t.described {
			bound.description = c.Description
		} else if t.description != c.Description {
			fail(ReasonDescriptionMismatch, "the description is %q in the agent, but %q in the library",
				c.Description, t.description)
		}
		if !EqualSchema(c.Input, t.input) {
			fail(ReasonSchemaMismatch, "the agent wants another input schema than the library has: %s",
				strings.Join(DiffSchema(c.Input, t.input), "; "))
		}
	}
	if t.accept != nil && !nameOnly && len(errs) == 0 {
		if err := t.accept(*c); err != nil {
			fail(ReasonSchemaMismatch, "%v", err)
		}
	}
	if c.Timeout > 0 {
		bound.timeout = c.Timeout
	}
	bound.noRetry = t.noRetry || c.NoRetry
	if t.handlerFor != nil && !nameOnly {
		bound.run = t.handlerFor(*c)
	}
	if saysMoreThanText(c.Output) {
		bound.output, bound.out, bound.typed = bytes.Clone(c.Output), nil, false
	}
	if len(errs) == 0 {
		if err := bound.compile(); err != nil {
			fail(ReasonInvalidSchema, "%v", err)
		}
	}
	return bound, errs
}

// saysMoreThanText reports whether a schema asks for anything but a string of
// any kind.
func saysMoreThanText(schema json.RawMessage) bool {
	var keywords map[string]any
	if len(schema) == 0 || json.Unmarshal(schema, &keywords) != nil {
		return len(schema) > 0
	}
	for keyword, value := range keywords {
		if !isNote(keyword) && (keyword != "type" || value != "string") {
			return true
		}
	}
	return false
}
