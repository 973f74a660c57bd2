package runtime

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/invopop/jsonschema"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// reflectInput returns the schema of the arguments that fit t.
func reflectInput(t reflect.Type, names naming) (json.RawMessage, error) {
	base := t
	if base.Kind() == reflect.Pointer {
		base = base.Elem()
	}
	isMap := base.Kind() == reflect.Map && base.Key().Kind() == reflect.String
	if base.Kind() != reflect.Struct && !isMap {
		return nil, fmt.Errorf("must be a struct or a map with string keys, not %v", t)
	}
	s, err := reflectSchema(base, names)
	if err != nil {
		return nil, err
	}
	if s.Type != "object" {
		return nil, fmt.Errorf("%v is written as JSON %s, but arguments are an object", t, s.Type)
	}
	if s.Properties == nil {
		s.Properties = jsonschema.NewProperties()
	}
	if len(s.Required) == 0 { // the field itself is dropped when it is empty
		s.Extras = map[string]any{"required": []string{}}
	}
	return plainjson.Marshal(s)
}

// reflectOutput returns the schema of the results that t can hold; nil for any.
func reflectOutput(t reflect.Type) (json.RawMessage, error) {
	if t.Kind() == reflect.Interface || t == reflect.TypeFor[json.RawMessage]() {
		return nil, nil
	}
	s, err := reflectSchema(t, goNames)
	if err != nil {
		return nil, err
	}
	return plainjson.Marshal(s)
}

// reflectSchema returns the schema of a Go type: in one piece if possible,
// with definitions if the type contains itself.
func reflectSchema(t reflect.Type, names naming) (s *jsonschema.Schema, err error) {
	defer func() {
		if v := recover(); v != nil { // how the reflector refuses channels and functions
			s, err = nil, fmt.Errorf("%v has no JSON schema: %v", t, v)
		}
	}()
	r := jsonschema.Reflector{
		Anonymous:                 true,
		AllowAdditionalProperties: true,
		DoNotReference:            !reflectContainsItself(t, nil),
		Namer:                     reflectDefinitionName,
	}
	s = r.ReflectFromType(t)
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		root := *s.Definitions[name]
		root.Definitions = s.Definitions
		s = &root
	}
	s.Version = ""
	refiner := reflectRefiner{definitions: s.Definitions, seen: map[reflect.Type]bool{}, names: names}
	refiner.refine(t, s)
	return s, nil
}

// reflectDefinitionName returns a name that no other type has and that needs no
// escaping in a reference. Types without a name stay in place.
func reflectDefinitionName(t reflect.Type) string {
	if t.Name() == "" {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '_'
	}, t.PkgPath()+"."+t.Name())
}

// reflectContainsItself reports whether a value of type t can hold another one.
func reflectContainsItself(t reflect.Type, above []reflect.Type) bool {
	if t.Name() != "" {
		if slices.Contains(above, t) {
			return true
		}
		above = append(above, t)
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return reflectContainsItself(t.Elem(), above)
	case reflect.Struct:
		return slices.ContainsFunc(reflect.VisibleFields(t), func(field reflect.StructField) bool {
			return reflectsField(field) && reflectContainsItself(field.Type, above)
		})
	}
	return false
}

// reflectsField reports whether JSON has the field of a struct, or the fields in it.
func reflectsField(field reflect.StructField) bool {
	return field.Tag.Get("json") != "-" && (field.IsExported() || field.Anonymous)
}

// A reflectRefiner adjusts what the reflector makes of Go types.
type reflectRefiner struct {
	definitions jsonschema.Definitions
	seen        map[reflect.Type]bool
	names       naming
}

// A naming chooses the names of fields without a json tag.
type naming uint8

const (
	goNames   naming = iota // PersonName is "PersonName"
	gramNames               // PersonName is "personName", and ISBN is "isbn"
)

// reflectedName returns the name of a Go field as gram files write it.
func reflectedName(field string) string {
	runes := []rune(field)
	for i, c := range runes {
		next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if !unicode.IsUpper(c) || i > 0 && next {
			break
		}
		runes[i] = unicode.ToLower(c)
	}
	return string(runes)
}

func (r *reflectRefiner) refine(t reflect.Type, s *jsonschema.Schema) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		if r.seen[t] {
			return
		}
		r.seen[t] = true
		s = r.definitions[name]
	}
	if len(s.OneOf) == 2 && s.OneOf[1].Type == "null" { // the tag "nullable"
		s = s.OneOf[0]
	}
	switch t.Kind() {
	case reflect.Interface:
		if reflect.DeepEqual(s, &jsonschema.Schema{}) {
			s.Extras = map[string]any{} // so that it is written as {}, not as true
		}
	case reflect.Slice, reflect.Array:
		if s.Items != nil {
			r.refine(t.Elem(), s.Items)
		}
	case reflect.Map:
		if s.AdditionalProperties != nil && t.Key().Kind() == reflect.String {
			r.refine(t.Elem(), s.AdditionalProperties)
		}
	case reflect.Struct:
		if s.Properties != nil {
			r.refineFields(t, s)
		}
	}
}

func (r *reflectRefiner) refineFields(t reflect.Type, s *jsonschema.Schema) {
	renamed := map[string]string{}
	for _, field := range reflect.VisibleFields(t) {
		tagged, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		name := cmp.Or(tagged, field.Name)
		property, ok := s.Properties.Get(name)
		if !ok || !reflectsField(field) {
			continue
		}
		if tagged == "" && r.names == gramNames {
			renamed[name] = reflectedName(name)
		}
		if reflectsAbsent(field.Type, r.names) || property.Default != nil {
			s.Required = slices.DeleteFunc(s.Required, func(n string) bool { return n == name })
		}
		r.refine(field.Type, property)
	}
	if len(renamed) > 0 {
		reflectRenamed(s, renamed)
	}
}

// reflectsAbsent reports whether a Go value shows that its argument is absent: a
// nil pointer does, and for gram names a nil slice or map does too.
func reflectsAbsent(t reflect.Type, names naming) bool {
	switch t.Kind() {
	case reflect.Pointer:
		return true
	case reflect.Slice, reflect.Map:
		return names == gramNames
	}
	return false
}

// reflectRenamed renames properties of a schema.
func reflectRenamed(s *jsonschema.Schema, names map[string]string) {
	old := s.Properties
	s.Properties = jsonschema.NewProperties()
	for p := old.Oldest(); p != nil; p = p.Next() {
		s.Properties.Set(cmp.Or(names[p.Key], p.Key), p.Value)
	}
	for i, name := range s.Required {
		s.Required[i] = cmp.Or(names[name], name)
	}
}
