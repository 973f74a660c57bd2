package runtime

import (
	"encoding/json"
	"errors"
	"fmt"

	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A Schema is a compiled JSON Schema (draft 2020-12 unless it names another).
// It is immutable and may be shared. A nil *Schema accepts everything.
type Schema struct {
	compiled    *validator.Schema
	root        *jsonschema.Node
	shape       *shape
	hasDefaults bool
}

// CompileSchema compiles a JSON Schema. References may lead to other parts of
// the same schema; nothing is ever loaded from a file or the network.
func CompileSchema(raw json.RawMessage) (*Schema, error) {
	root, _, err := readJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	doc, parts := root.Decode(), 0
	root.Walk(func(n *jsonschema.Node) bool {
		if n.Kind == jsonschema.KindObject {
			parts++
		}
		return true
	})
	if parts > maxSchemaParts {
		return nil, fmt.Errorf("schema: it has %d parts; at most %d are allowed", parts, maxSchemaParts)
	}
	numbers := checker{lenient: true}
	numbers.check(root, nil, 1)
	if err := numbers.err(); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	c := validator.NewCompiler()
	c.DefaultDraft(validator.Draft2020)
	c.AssertFormat()
	c.UseLoader(noLoader{})
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	compiled, err := c.Compile(schemaURL)
	if err != nil {
		return nil, schemaError(err, doc)
	}
	s := &Schema{compiled: compiled, root: root}
	s.shape, s.hasDefaults = shapeOf(root)
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
	var broken *validator.SchemaValidationError
	var cause *validator.ValidationError
	if errors.As(err, &broken) && errors.As(broken.Err, &cause) {
		err = &ValidationError{Problems: problemsOf(cause, doc)}
	}
	return fmt.Errorf("schema: %w", err)
}

// Validate reports every mistake of a JSON value as one *[ValidationError].
func (s *Schema) Validate(value json.RawMessage) error {
	_, err := s.validate(value, false)
	return err
}

// ValidateArgs is Validate for the arguments of a call. They must be an object
// of at most 1 MiB and 64 levels without duplicate keys.
func (s *Schema) ValidateArgs(args json.RawMessage) error {
	_, err := s.validate(args, true)
	return err
}

// arguments returns the arguments that a handler gets: with defaults, validated,
// and without undeclared properties. For a Go function, names that differ from
// declared ones only in case are errors, since Go takes them for those.
func (s *Schema) arguments(args json.RawMessage, goNames bool) (json.RawMessage, error) {
	filled, err := s.FillDefaults(args)
	if err != nil {
		return nil, err
	}
	root, err := s.validate(filled, true)
	if err != nil || s == nil {
		return filled, err
	}
	if goNames {
		var c checker
		c.misspelled(s.shape, root, nil)
		if err := c.err(); err != nil {
			return nil, err
		}
	}
	if declared := declaredOnly(root, s.root, jsonschema.NewResolver(s.root)); declared != root {
		return declared.Append(nil), nil
	}
	return filled, nil
}

func tooLarge(size int) error {
	return &ValidationError{Problems: []Problem{{
		Code:    CodeInvalidValue,
		Message: fmt.Sprintf("the arguments have %d bytes, more than %d", size, maxArgsBytes),
	}}}
}

// validate validates a value and returns its tree. Of a nil schema the tree may
// be nil.
func (s *Schema) validate(text json.RawMessage, args bool) (*jsonschema.Node, error) {
	if args && len(text) > maxArgsBytes {
		return nil, tooLarge(len(text))
	}
	if s == nil && !args && json.Valid(text) {
		return nil, nil
	}
	root, duplicates, err := readJSON(text)
	if err != nil {
		return nil, err
	}
	if args && root.Kind != jsonschema.KindObject {
		return nil, &ValidationError{Problems: []Problem{{
			Code: CodeNotAnObject, Message: "arguments must be an object",
		}}}
	}
	c := checker{args: args}
	c.check(root, nil, 1)
	if args {
		c.checkKeys(root, duplicates)
	}
	if err := c.err(); err != nil || s == nil {
		return root, err
	}
	value := root.Decode()
	var failed *validator.ValidationError
	if errors.As(s.compiled.Validate(value), &failed) {
		return nil, &ValidationError{Problems: problemsOf(failed, value)}
	}
	return root, nil
}
