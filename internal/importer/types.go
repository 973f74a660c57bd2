package importer

import (
	"slices"
	"sync"

	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// A typ is a type between JSON Schema and gram.
type typ struct {
	kind      string   // as gram calls it: Text, Int, Number, Bool, Object, Array, Null, Any; "" for a reference
	types     []string // of Any: the type list of the schema
	nullable  bool
	attrs     []attr              // all but the default, in the order of the schema
	raw       []jsonschema.Member // keywords for which gram has no word
	value     *jsonschema.Node    // the default
	elem      *typ                // of an Array; nil = anything
	rest      *typ                // of an Object: the type of undeclared fields
	fields    []*field            // of an Object
	declared  bool                // of an Object: it has properties, even if none is listed
	union     []*typ
	exclusive bool
	ref       *shared
}

// An attr is an attribute of a type with its value.
type attr struct {
	attribute
	value *jsonschema.Node
}

// A field is a field of an object, or a parameter.
type field struct {
	name     string
	typ      *typ
	required bool
}

// A shared is the type that a $ref leads to. It is read once.
type shared struct {
	key     string // in $defs
	own     bool   // the reference is #/$defs/key, or #/definitions/key
	target  *jsonschema.Node
	at      *jsonschema.Location
	typ     *typ   // nil while it is read
	name    string // in gram, "" until it is written
	same    bool   // it was compared with what comes back
	writing bool
}

// attr returns the value of an attribute, nil if there is none.
func (t *typ) attr(key string) *jsonschema.Node {
	for _, a := range t.attrs {
		if a.key == key {
			return a.value
		}
	}
	return nil
}

// drop removes an attribute.
func (t *typ) drop(key string) {
	t.attrs = slices.DeleteFunc(t.attrs, func(a attr) bool { return a.key == key })
}

// isClosed reports whether an object has only its declared fields.
func (t *typ) isClosed() bool { return t.attr("closed").Is(jsonschema.KindTrue) }

// knowsNull reports whether the word null is null as a value of t.
func (t *typ) knowsNull() bool {
	isNull := func(u *typ) bool { return u.kind == "Null" }
	return t.nullable || t.kind == "Null" || t.kind == "Any" && t.types == nil && t.union == nil || slices.Contains(t.types, "Null") || slices.ContainsFunc(t.union, isNull)
}

// isTooLarge reports whether the schema of a type has more parts than gram takes.
// Shared types count once.
func (t *typ) isTooLarge() bool {
	parts, seen := 0, map[*shared]bool{}
	var count func(t *typ)
	count = func(t *typ) {
		if t == nil || parts > types.MaxParts {
			return
		}
		parts++
		if t.ref != nil && !seen[t.ref] {
			seen[t.ref] = true
			count(t.ref.typ)
		}
		count(t.elem)
		count(t.rest)
		for _, f := range t.fields {
			count(f.typ)
		}
		for _, u := range t.union {
			count(u)
		}
	}
	count(t)
	return parts > types.MaxParts
}

// An attribute is a keyword of JSON Schema that gram has as an attribute of
// types.
type attribute struct {
	jsonschema.Keyword
	key string   // in gram
	on  []string // the JSON types that it applies to; nil = all
}

// attributesByKeyword returns the attributes. The type, the default and
// what other fields an object has are read apart.
var attributesByKeyword = sync.OnceValue(func() map[string]attribute {
	all := map[string]attribute{}
	for _, p := range vocabulary.Properties(vocabulary.OwnerAlias) {
		switch p.Keyword {
		case "", "type", "default", "additionalProperties":
		default:
			k, _ := jsonschema.KeywordNamed(p.Keyword)
			all[p.Keyword] = attribute{k, p.Key, p.Types}
		}
	}
	return all
})

func attributeOf(keyword string) attribute { return attributesByKeyword()[keyword] }

// appliesTo reports whether an attribute applies to values of a gram type.
func (a attribute) appliesTo(kind string) bool {
	return a.on == nil || slices.ContainsFunc(a.on, func(name string) bool { return gramTypeOf(name) == kind })
}

// typeForKeyword returns the gram type that a keyword which gram can express is for, ""
// for any.
func typeForKeyword(keyword string) string {
	switch keyword {
	case "properties", "required", "additionalProperties", "items":
	default:
		if _, known := attributesByKeyword()[keyword]; !known {
			return ""
		}
	}
	k, _ := jsonschema.KeywordNamed(keyword)
	if k.On == jsonschema.AnyType {
		return ""
	}
	return gramTypeOf(k.On.Names()[0])
}

// isNoteType reports whether an attribute only describes values.
func isNoteType(key string) bool {
	k, known := jsonschema.KeywordNamed(key)
	return known && k.Role == jsonschema.Annotation && k.On == jsonschema.AnyType && key != "default" && key != "example"
}

// gramTypeOf returns the gram type for a type of JSON Schema, "" for none.
func gramTypeOf(name string) string {
	if jsonschema.TypeNamed(name) == 0 {
		return ""
	}
	return types.TypeWord(&types.Type{Kind: types.Kind(name)})
}
