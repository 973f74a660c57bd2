package compile

import (
	"encoding/json"

	"github.com/invopop/jsonschema"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// InputSchema returns the JSON Schema of the arguments: an object with one
// property for each parameter, in their order. Nobody may change its bytes.
func (s *Signature) InputSchema() json.RawMessage {
	if s.input == nil {
		return appendType(nil, s.arguments(), "", nil)
	}
	return s.input
}

// OutputSchema returns the JSON Schema of the result. Nobody may change its
// bytes.
func (s *Signature) OutputSchema() json.RawMessage {
	if s.output == nil {
		return appendType(nil, s.Return.Type, s.Return.Description, nil)
	}
	return s.output
}

// arguments returns the type of all arguments together.
func (s *Signature) arguments() *Type {
	fields := s.Params
	if fields == nil {
		fields = []*Param{}
	}
	return &Type{Kind: KindObject, Fields: fields}
}

// TypeSignatureToJSONSchema returns the schema of the arguments of a signature
// as a model that can be changed. It marshals to the value of InputSchema.
func TypeSignatureToJSONSchema(text string) (*jsonschema.Schema, error) {
	signature, problems := ParseTypeSignature(text)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return schemaModel(signature.arguments(), "", nil), nil
}

// appendType appends the schema of t. It is written by hand because what
// encoding/json makes of nested Marshalers takes time for each level, escapes
// <, > and &, and loses an empty list of required properties.
func appendType(b []byte, t *Type, description string, value json.RawMessage) []byte {
	b = append(b, `{"type":"`...)
	b = append(b, t.Kind...)
	b = append(b, '"')
	if description != "" {
		b = appendString(append(b, `,"description":`...), description)
	}
	switch {
	case t.Kind == KindArray && t.Elem == nil:
		b = append(b, `,"items":{}`...) // providers refuse an array without items
	case t.Kind == KindArray:
		b = appendType(append(b, `,"items":`...), t.Elem, "", nil)
	case t.Fields != nil:
		b = appendFields(b, t.Fields)
	}
	if value != nil {
		b = append(append(b, `,"default":`...), value...)
	}
	return append(b, '}')
}

func appendFields(b []byte, fields []*Param) []byte {
	b = append(b, `,"properties":{`...)
	for i, f := range fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, f.Name), ':')
		b = appendType(b, f.Type, f.Description, f.Default)
	}
	b = append(b, `},"required":[`...)
	first := true
	for _, f := range fields {
		if f.Optional {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		b, first = appendString(b, f.Name), false
	}
	return append(b, ']')
}

// appendString appends text as a JSON string.
func appendString(b []byte, text string) []byte { return append(b, plainjson.String(text)...) }

// schemaModel returns the same schema as appendType, as a model.
func schemaModel(t *Type, description string, value json.RawMessage) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: string(t.Kind), Description: description, Extras: map[string]any{}}
	if value != nil {
		s.Default = value
	}
	switch {
	case t.Kind == KindArray && t.Elem == nil:
		s.Extras["items"] = struct{}{} // an empty model is written as true
	case t.Kind == KindArray:
		s.Items = schemaModel(t.Elem, "", nil)
	case t.Fields != nil:
		s.Properties = jsonschema.NewProperties()
		for _, f := range t.Fields {
			s.Properties.Set(f.Name, schemaModel(f.Type, f.Description, f.Default))
			if !f.Optional {
				s.Required = append(s.Required, f.Name)
			}
		}
		if s.Required == nil {
			s.Extras["required"] = []string{} // the model drops an empty list
		}
	}
	return s
}
