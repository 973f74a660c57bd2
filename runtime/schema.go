package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	refs "github.com/gram-lang/gramc/internal/jsonschema"
)

// A Schema is a compiled JSON Schema (draft 2020-12 unless it names another).
// It is immutable and may be shared. A nil *Schema accepts everything.
type Schema struct {
	compiled    *jsonschema.Schema
	node        *refs.Node
	shape       *shape
	hasDefaults bool
}

// CompileSchema compiles a JSON Schema. References may lead to other parts of
// the same schema; nothing is ever loaded from a file or the network.
func CompileSchema(raw json.RawMessage) (*Schema, error) {
	root, err := parseElement(raw)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if n := root.objects(); n > maxSchemaParts {
		return nil, fmt.Errorf("schema: it has %d parts; at most %d are allowed", n, maxSchemaParts)
	}
	numbers := checker{lenient: true}
	if numbers.check(&root, "", 1); len(numbers.problems) > 0 {
		return nil, fmt.Errorf("schema: %w", &ValidationError{Problems: numbers.problems})
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseLoader(noLoader{})
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	compiled, err := c.Compile(schemaURL)
	if err != nil {
		return nil, schemaError(err, doc)
	}
	s := &Schema{compiled: compiled}
	s.shape, s.hasDefaults = shapeOf(&root)
	if s.node, err = refs.Read(raw, &refs.ReadOptions{Accept: refs.AcceptAll}); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return s, nil
}

// maxSchemaParts is how many objects a schema may be made of: the compiler
// takes quadratic time, and no provider takes more.
const maxSchemaParts = 5000

const schemaURL = "schema:///tool"

// noLoader keeps the schema compiler from reading files.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is not part of the schema, and nothing is loaded from outside", url)
}

func schemaError(err error, doc any) error {
	var broken *jsonschema.SchemaValidationError
	var cause *jsonschema.ValidationError
	if errors.As(err, &broken) && errors.As(broken.Err, &cause) {
		err = &ValidationError{Problems: problemsOf(cause, doc)}
	}
	return fmt.Errorf("schema: %w", err)
}

// Validate reports every mistake of a JSON value as one *[ValidationError].
func (s *Schema) Validate(value json.RawMessage) error {
	return s.validate(value, false)
}

// ValidateArgs is Validate for the arguments of a call. They must be an object
// of at most 1 MiB and 64 levels without duplicate keys.
func (s *Schema) ValidateArgs(args json.RawMessage) error {
	if len(args) > maxArgsBytes {
		return tooLarge(len(args))
	}
	return s.validate(args, true)
}

func tooLarge(size int) error {
	return &ValidationError{Problems: []Problem{{
		Code:    CodeInvalidValue,
		Message: fmt.Sprintf("the arguments have %d bytes, more than %d", size, maxArgsBytes),
	}}}
}

func (s *Schema) validate(text json.RawMessage, args bool) error {
	if s == nil && !args && json.Valid(text) {
		return nil
	}
	root, err := parseElement(text)
	if err != nil {
		return err
	}
	if args && !root.isObject() {
		return &ValidationError{Problems: []Problem{{
			Code: CodeNotAnObject, Message: "arguments must be an object",
		}}}
	}
	c := checker{args: args}
	if c.check(&root, "", 1); len(c.problems) > 0 {
		return &ValidationError{Problems: c.problems}
	}
	if s == nil {
		return nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return invalidJSON(text)
	}
	var failed *jsonschema.ValidationError
	if errors.As(s.compiled.Validate(value), &failed) {
		return &ValidationError{Problems: problemsOf(failed, value)}
	}
	return nil
}
