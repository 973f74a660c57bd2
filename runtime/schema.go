package runtime

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/validator"
)

// A Schema is a compiled JSON Schema (draft 2020-12 unless it names another).
// It is immutable and may be shared. A nil *Schema accepts everything.
type Schema struct {
	compiled *validator.Schema
	root     *jsonschema.Node
}

// CompileSchema compiles a JSON Schema. References may lead to other parts of
// the same schema; nothing is ever loaded from a file or the network.
func CompileSchema(raw json.RawMessage) (*Schema, error) {
	root, duplicates, err := readJSON(raw)
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	if duplicates != nil {
		root = root.Distinct()
	}
	parts := 0
	root.Walk(func(n *jsonschema.Node) bool {
		if n.Kind == jsonschema.KindObject {
			parts++
		}
		return true
	})
	if parts > maxSchemaParts {
		return nil, fmt.Errorf("schema: it has %d parts; at most %d are allowed", parts, maxSchemaParts)
	}
	numbers := jsonChecker{lenient: true}
	numbers.check(root, nil, 1)
	if err := numbers.err(); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	compiled, err := validator.Compile(root)
	var invalid *validator.InvalidError
	if errors.As(err, &invalid) {
		err = &ValidationError{Problems: problemsOf(invalid.Failure)}
	}
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return &Schema{compiled: compiled, root: root}, nil
}

// maxSchemaParts limits the objects in a schema: no provider accepts more.
const maxSchemaParts = 5000

// Validate reports every mistake of a JSON value as one *[ValidationError].
func (s *Schema) Validate(value json.RawMessage) error {
	if s == nil && json.Valid(value) {
		return nil
	}
	if text := string(value); s != nil && jsonschema.IsPlain(text, isJSONInRange) { // without a tree
		return s.mistakes(text)
	}
	_, err := s.complete(value, 0)
	return err
}

// mistakes validates a value whose text is JSON with different keys.
func (s *Schema) mistakes(text string) error {
	if failure := s.compiled.Validate(text); failure != nil {
		return &ValidationError{Problems: problemsOf(failure)}
	}
	return nil
}

// ValidateArgs is Validate for the arguments of a call. They must be an object
// of at most 1 MiB and 64 levels without duplicate keys.
func (s *Schema) ValidateArgs(args json.RawMessage) error {
	_, err := s.complete(args, areArguments)
	return err
}

// Complete returns a value with the declared defaults of all absent fields: of
// the object itself, and of the objects and arrays that are present in it. Of
// alternatives, only one counts that the type of the value, or a field with one
// value, leaves alone. The error is a *[ValidationError] with every mistake of
// the completed value, or says that it is larger than 1 MiB.
func (s *Schema) Complete(value json.RawMessage) (json.RawMessage, error) {
	return s.text(s.complete(value, withDefaults))
}

// CompleteArgs is Complete for the arguments of a call, see [Schema.ValidateArgs].
// Arguments that look like a misspelt property are errors.
func (s *Schema) CompleteArgs(args json.RawMessage) (json.RawMessage, error) {
	return s.text(s.complete(args, areArguments|withDefaults))
}

func (s *Schema) text(value *jsonschema.Node, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	return value.Append(nil), nil
}

// arguments returns the arguments that a handler gets: with defaults, validated,
// and without undeclared properties.
func (s *Schema) arguments(args json.RawMessage) (json.RawMessage, error) {
	return s.text(s.complete(args, areArguments|withDefaults|onlyDeclared))
}

// A reading is how a value is read.
type reading uint8

const (
	areArguments reading = 1 << iota // limits apply, and keys occur once
	withDefaults                     // defaults are filled in before the value is validated
	onlyDeclared                     // undeclared properties of closed objects are left out
)

// complete reads a value once, validates it and returns its tree.
func (s *Schema) complete(text json.RawMessage, how reading) (*jsonschema.Node, error) {
	args := how&areArguments != 0
	if args && len(text) > maxArgsBytes {
		return nil, jsonTooLarge(len(text))
	}
	value, duplicates, err := readJSON(text)
	if err != nil {
		return nil, err
	}
	if args && value.Kind != jsonschema.KindObject {
		return nil, &ValidationError{Problems: []Problem{{
			Code: CodeNotAnObject, Message: "arguments must be an object",
		}}}
	}
	c := conformer{jsonChecker: jsonChecker{args: args}, how: how, size: len(text)}
	if args {
		c.checkKeys(value, duplicates)
	}
	if s != nil && how&(withDefaults|onlyDeclared) != 0 {
		c.refs = jsonschema.NewResolver(s.root)
		value = c.conform(s.root, value, nil)
		if c.size > max(len(text), maxArgsBytes) {
			return nil, jsonTooLarge(c.size)
		}
	}
	c.check(value, nil, 1)
	if err := c.err(); err != nil || s == nil {
		return value, err
	}
	different := value
	if duplicates != nil {
		different = value.Distinct()
	}
	return value, s.mistakes(different.Raw())
}
