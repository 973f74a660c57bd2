package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A Reason is why a tool cannot be made or bound.
type Reason string

// The reasons.
const (
	ReasonNotFound            Reason = "tool-not-found"         // the library has no tool of that name
	ReasonDescriptionMismatch Reason = "description-mismatch"   // the descriptions of contract and tool differ
	ReasonSchemaMismatch      Reason = "schema-mismatch"        // contract and tool take different arguments
	ReasonNameMismatch        Reason = "name-mismatch"          // the tool is added under another name than its own
	ReasonEmptyName           Reason = "empty-tool-name"        // the name is empty
	ReasonEmptyDescription    Reason = "empty-tool-description" // the description is empty
	ReasonInvalidSchema       Reason = "invalid-schema"         // the schema is not a JSON Schema, or not one for arguments
	ReasonNoHandler           Reason = "no-handler"             // the tool has no function to execute
	ReasonInvalidTimeout      Reason = "invalid-timeout"        // the time limit is negative
	ReasonMissingEnvironment  Reason = "missing-environment"    // this machine has no such program or folder
)

// The two classes of binding errors, for [errors.Is].
var (
	ErrToolNotFound = errors.New("tool not found")
	ErrMismatch     = errors.New("tool does not match its contract")
)

// A BindError is why a tool cannot be made, or bound to a contract.
type BindError struct {
	Tool   string
	Reason Reason
	Detail string
	Err    error // may be nil
}

// Error returns the tool, the reason and the detail.
func (e *BindError) Error() string { return fmt.Sprintf("tool %q: %s: %s", e.Tool, e.Reason, e.Detail) }

// Unwrap returns the cause.
func (e *BindError) Unwrap() error { return e.Err }

// Is reports whether target is the class of e: [ErrToolNotFound] or [ErrMismatch].
func (e *BindError) Is(target error) bool {
	switch target {
	case ErrToolNotFound:
		return e.Reason == ReasonNotFound
	case ErrMismatch:
		return e.Reason != ReasonNotFound && e.Reason != ReasonMissingEnvironment
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

// A BindMode is what a tool must have in common with its contract.
type BindMode uint8

// The modes.
const (
	BindCompatible BindMode = iota // the tool takes every call that the contract allows
	BindStrict                     // the input schemas mean the same
	BindName                       // only the name: description and schemas are those of the contract
)

// BindOptions change how tools are bound. The zero value is the default.
type BindOptions struct{ Mode BindMode }

// A Binding is a tool that is bound to a contract.
type Binding struct {
	Tool
	Fit Fit

	// Differences are the differences between the input schemas of the contract
	// and the tool, a line each; none for tools that adopt that of the contract.
	Differences []string
}

// Bind finds a tool for each contract, in order. The description must be that
// of the contract, and the tool must take every call that the contract allows,
// unless it adopts them; see [ToolConfig]. Results are validated against the
// output schema of the contract if that asks for more than text, which every
// result can be written as, and otherwise against that of the tool.
//
// The error is of type [BindErrors] and has every failure.
func (l Library) Bind(contracts []Contract, o *BindOptions) ([]Binding, error) {
	mode := BindCompatible
	if o != nil {
		mode = o.Mode
	}
	var failed BindErrors
	bindings := make([]Binding, len(contracts))
	for i := range contracts {
		b, errs := l.bind(&contracts[i], mode)
		bindings[i] = b
		failed = append(failed, errs...)
	}
	if len(failed) > 0 {
		return nil, failed
	}
	return bindings, nil
}

func (l Library) bind(c *Contract, mode BindMode) (Binding, BindErrors) {
	if c.Name == "" {
		return Binding{}, BindErrors{{Reason: ReasonEmptyName, Detail: "the name is empty"}}
	}
	t, ok := l.tools[c.Name]
	if !ok {
		return Binding{}, BindErrors{{Tool: c.Name, Reason: ReasonNotFound, Detail: notFound(c.Name, l.Names())}}
	}
	b := toolBinder{contract: c, mode: mode, Binding: Binding{Tool: t, Fit: FitEqual}}
	if mode == BindName {
		b.config.Adopt, b.config.Example, b.config.Accept, b.config.For = true, nil, nil, nil
	}
	b.bind()
	return b.Binding, b.errs
}

// A toolBinder binds one tool to one contract.
type toolBinder struct {
	Binding
	contract *Contract
	mode     BindMode
	errs     BindErrors
}

func (b *toolBinder) fail(reason Reason, format string, args ...any) {
	b.errs = append(b.errs, &BindError{Tool: b.contract.Name, Reason: reason, Detail: fmt.Sprintf(format, args...)})
}

func (b *toolBinder) bind() {
	c := b.contract
	b.bindDescription()
	b.bindInput()
	b.bindOutput()
	if len(b.errs) == 0 {
		if err := b.config.bindAccepts(*c); err != nil {
			refused := &BindError{Reason: ReasonSchemaMismatch, Detail: err.Error()}
			errors.As(err, &refused)
			b.fail(refused.Reason, "%s", refused.Detail)
		}
	}
	b.config.Repeat = b.config.Repeat.Stricter(c.Repeat)
	if b.config.For != nil {
		bound := *c
		bound.Repeat = b.config.Repeat
		b.config.Execute = b.config.For(bound)
	}
	if c.Timeout > 0 {
		b.config.Timeout = c.Timeout
	}
	b.config.NoRetry = b.config.NoRetry || c.NoRetry
	if len(b.errs) == 0 {
		if err := b.compile(); err != nil {
			b.fail(ReasonInvalidSchema, "%v", err)
		}
	}
}

func (b *toolBinder) bindDescription() {
	switch description := b.contract.Description; {
	case !b.config.Adopt && !b.config.AdoptDescription:
		if b.config.Description != description {
			b.fail(ReasonDescriptionMismatch, "the description is %q in the agent, but %q in the library", description, b.config.Description)
		}
	case description == "":
		b.fail(ReasonEmptyDescription, "the description is empty")
	default:
		b.config.Description = description
	}
}

func (b *toolBinder) bindInput() {
	c := b.contract
	if b.config.Adopt {
		b.config.Input, b.in = bytes.Clone(c.Input), nil
		if len(c.Input) == 0 {
			b.fail(ReasonInvalidSchema, "the input schema is missing")
		}
		return
	}
	b.Fit, b.Differences = fitInput(c.Input, b.config.Input, b.typed)
	switch {
	case b.mode == BindStrict && b.Fit != FitEqual:
		b.fail(ReasonSchemaMismatch, "the agent has another input schema than the library: %s", strings.Join(jsonschema.Diff(c.Input, b.config.Input), "; "))
	case b.Fit == "":
		b.fail(ReasonSchemaMismatch, "the tool does not take every call of the agent: %s", strings.Join(b.Differences, "; "))
	case b.Fit != FitEqual:
		var err error
		if b.called, err = CompileSchema(c.Input); err != nil {
			b.fail(ReasonInvalidSchema, "%v", err)
		}
	}
}

func (b *toolBinder) bindOutput() {
	if !bindAsksMoreThanText(b.contract.Output) {
		return
	}
	if b.mode != BindName {
		if have, want, ok := fitOutput(b.config.Output, b.contract.Output); !ok {
			b.fail(ReasonSchemaMismatch, "the tool returns %s, but the agent expects %s", have, want)
		}
	}
	b.config.Output, b.out, b.promised = bytes.Clone(b.contract.Output), nil, true
}

// bindAccepts returns why the tool refuses a contract whose description and schemas
// fit.
func (t *ToolConfig) bindAccepts(c Contract) error {
	if len(t.Example) > 0 && bindAsksMoreThanText(c.Output) {
		wanted, err := CompileSchema(c.Output)
		if err != nil {
			return err
		}
		if err := wanted.Validate(t.Example); err != nil {
			return fmt.Errorf("the tool returns what the agent does not take, such as %s: %w", t.Example, err)
		}
	}
	if t.Accept != nil {
		return t.Accept(c)
	}
	return nil
}

// bindAsksMoreThanText reports whether a schema asks for anything but any string.
func bindAsksMoreThanText(schema json.RawMessage) bool {
	if len(schema) == 0 {
		return false
	}
	root, err := jsonschema.Read(schema, &jsonschema.ReadOptions{Accept: jsonschema.AcceptAll})
	if err != nil {
		return true
	}
	if root.Kind != jsonschema.KindObject {
		return true
	}
	return slices.ContainsFunc(root.Members, func(m jsonschema.Member) bool {
		k, _ := jsonschema.KeywordNamed(m.Key)
		return !k.IsNote() && (m.Key != "type" || m.Value.Text() != "string")
	})
}
