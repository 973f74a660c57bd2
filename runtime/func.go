package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// Func makes a tool of a Go function. Both schemas come from the Go types: the
// names of the fields from their json tags, descriptions, defaults and limits
// from their jsonschema tags (as in package invopop/jsonschema). A field must
// be given unless it is a pointer, has omitempty or omitzero, or has a
// default. In must be a struct, or a map with string keys. A string result
// becomes a JSON string.
//
//	type greeting struct {
//		PersonName string `json:"personName" jsonschema:"default=world"`
//	}
//	hello, err := runtime.Func("hello", "Greets a person",
//		func(_ context.Context, in greeting) (string, error) { return "Hello, " + in.PersonName, nil })
func Func[In, Out any](name, description string, fn func(context.Context, In) (Out, error)) (Tool, error) {
	return typedFuncTool(ToolConfig{Name: name, Description: description}, goNames, fn)
}

// Implement is [Func] for a tool that a gram file describes. Its description is
// that of the contract that it is bound to, and fields without a json tag have the
// names of gram files: PersonName is "personName", ISBN is "isbn". Slices and
// maps can be absent, and are nil then.
func Implement[In, Out any](name string, fn func(context.Context, In) (Out, error)) (Tool, error) {
	return typedFuncTool(ToolConfig{Name: name, AdoptDescription: true}, gramNames, fn)
}

func typedFuncTool[In, Out any](c ToolConfig, names naming, fn func(context.Context, In) (Out, error)) (Tool, error) {
	refuse := func(err error) (Tool, error) {
		return Tool{}, &BindError{Tool: c.Name, Reason: ReasonInvalidSchema, Detail: err.Error(), Err: err}
	}
	input, err := reflectInput(reflect.TypeFor[In](), names)
	if err != nil {
		return refuse(fmt.Errorf("the input: %w", err))
	}
	output, err := reflectOutput(reflect.TypeFor[Out]())
	if err != nil {
		return refuse(fmt.Errorf("the result: %w", err))
	}
	if fn != nil {
		c.Execute = func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			var in In
			if err := decodeFuncArgs(args, &in); err != nil {
				return nil, &ToolError{Kind: ToolValidation, Message: "invalid arguments: " + err.Error(), Err: err}
			}
			out, err := fn(ctx, in)
			if err != nil {
				return nil, err
			}
			return encodeFuncResult(out)
		}
	}
	c.Input, c.Output = input, output
	t, err := NewTool(c)
	if err != nil {
		return Tool{}, err
	}
	t.typed = true
	return t, nil
}

// decodeFuncArgs decodes into a Go value. JSON Schema takes 42.0 for an integer and
// Go does not, so such numbers are rewritten if decoding fails.
func decodeFuncArgs[In any](args json.RawMessage, in *In) error {
	err := json.Unmarshal(args, in)
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) || !strings.HasPrefix(wrong.Value, "number") {
		return err
	}
	root, _, invalid := readJSON(args)
	if invalid != nil {
		return err
	}
	var again In
	if json.Unmarshal(rewriteFuncIntegers(0, "", root).Append(nil), &again) != nil {
		return err
	}
	*in = again
	return nil
}

// rewriteFuncIntegers returns the value with its integers written without fractions and exponents: 1e2 becomes 100.
func rewriteFuncIntegers(_ int, _ string, n *jsonschema.Node) *jsonschema.Node {
	if n.Kind == jsonschema.KindNumber && strings.ContainsAny(n.Raw(), ".eE") {
		if r, ok := new(big.Rat).SetString(n.Raw()); ok && r.IsInt() {
			return jsonschema.Number(r.Num().String())
		}
	}
	return n.Map(rewriteFuncIntegers)
}

// encodeFuncResult writes a nil slice as [] and a nil map as {}, as their schemas ask.
func encodeFuncResult(out any) (json.RawMessage, error) {
	switch v := reflect.ValueOf(out); {
	case v.Kind() == reflect.Slice && v.IsNil() && v.Type() != reflect.TypeFor[json.RawMessage]():
		return json.RawMessage("[]"), nil
	case v.Kind() == reflect.Map && v.IsNil():
		return json.RawMessage("{}"), nil
	}
	text, err := plainjson.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("the result cannot be written as JSON: %w", err)
	}
	return text, nil
}

// AddFunc returns the library with a Go function as one more tool; see [Func].
func AddFunc[In, Out any](l Library, name, description string, fn func(context.Context, In) (Out, error)) (Library, error) {
	t, err := Func(name, description, fn)
	if err != nil {
		return l, err
	}
	return l.Add(name, t)
}
