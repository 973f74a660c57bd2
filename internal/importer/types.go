package importer

import "github.com/gram-lang/gramc/source"

// A typ is a type on its way from JSON Schema to gram.
type typ struct {
	kind      string   // as gram calls it: Text, Int, Number, Bool, Object, Array, Null, Any
	types     []string // of Any: the type list of the schema
	nullable  bool
	attrs     []attr   // all but the default, in the order of the schema
	value     *node    // the default
	elem      *typ     // of an Array; nil = anything
	rest      *typ     // of an Object: what other fields hold
	fields    []*field // of an Object
	declared  bool     // of an Object: there are properties, maybe none
	union     []*typ
	exclusive bool
	ref       *shared // then kind is "" and only notes stand beside it
	span      source.Span

	texts bool   // an alternative behind the name may take the word null for text
	name  string // of the named type that stands for its structure
	whole string // of the named type that stands for all of it
	outer *typ   // the same with its structure behind a name, once there is one
	text  string // its expression, once there is one
	uses  []string
}

// An attr is a keyword as gram calls it.
type attr struct {
	key   string
	value *node
}

// A field is a field of an object, or a parameter.
type field struct {
	name     string
	typ      *typ
	required bool
}

// A shared is what $ref refers to: a type that stands once.
type shared struct {
	key     string // in $defs
	own     bool   // the reference says #/$defs/key, or #/definitions/key
	target  *node
	place   *place
	typ     *typ   // nil while it is read
	name    string // in gram, "" until it is written
	same    bool   // it was compared with what comes back
	writing bool
}

// get returns the value of an attribute, nil when there is none.
func (t *typ) get(key string) *node {
	for _, a := range t.attrs {
		if a.key == key {
			return a.value
		}
	}
	return nil
}

// knowsNull reports whether the word null is null for t, where that is one of
// its values. An alternative of a union may take it for text.
func (t *typ) knowsNull() bool {
	return !t.texts && (t.union == nil && t.ref == nil || t.takesNull(0))
}

// drop takes an attribute away.
func (t *typ) drop(key string) {
	for i, a := range t.attrs {
		if a.key == key {
			t.attrs = append(t.attrs[:i:i], t.attrs[i+1:]...)
			return
		}
	}
}

// isNote reports whether an attribute says nothing of what is valid.
func isNote(key string) bool {
	switch key {
	case "title", "description", "examples", "deprecated", "readOnly", "writeOnly":
		return true
	}
	return false
}

// An attribute says what a keyword of JSON Schema is called in gram, what its
// value must be, and on which types it stands.
type attribute struct {
	key  string
	form valueForm
	on   string // kinds, "" = all
}

// A valueForm is what the value of a keyword must be.
type valueForm uint8

const (
	formText valueForm = iota
	formBool
	formNumber
	formStep  // a number above 0
	formCount // 0, 1, 2 …
	formPattern
	formFormat
	formAny
	formList
	formEnum // a list that is not empty
)

// attributeOf returns the attribute for a keyword, and false for a keyword that
// is none.
func attributeOf(keyword string) (attribute, bool) {
	switch keyword {
	case "title", "description":
		return attribute{keyword, formText, ""}, true
	case "deprecated", "readOnly", "writeOnly":
		return attribute{keyword, formBool, ""}, true
	case "examples":
		return attribute{keyword, formList, ""}, true
	case "enum":
		return attribute{keyword, formEnum, ""}, true
	case "const":
		return attribute{keyword, formAny, ""}, true
	case "minimum":
		return attribute{"min", formNumber, "number"}, true
	case "maximum":
		return attribute{"max", formNumber, "number"}, true
	case "exclusiveMinimum":
		return attribute{"exclusiveMin", formNumber, "number"}, true
	case "exclusiveMaximum":
		return attribute{"exclusiveMax", formNumber, "number"}, true
	case "multipleOf":
		return attribute{keyword, formStep, "number"}, true
	case "minLength", "maxLength":
		return attribute{keyword, formCount, "string"}, true
	case "pattern":
		return attribute{keyword, formPattern, "string"}, true
	case "format":
		return attribute{keyword, formFormat, "string"}, true
	case "contentEncoding", "contentMediaType":
		return attribute{keyword, formText, "string"}, true
	case "minItems", "maxItems":
		return attribute{keyword, formCount, "array"}, true
	case "uniqueItems":
		return attribute{"unique", formBool, "array"}, true
	case "minProperties":
		return attribute{"minFields", formCount, "object"}, true
	case "maxProperties":
		return attribute{"maxFields", formCount, "object"}, true
	}
	return attribute{}, false
}

// gramKind returns what gram calls a type of JSON Schema, "" for none.
func gramKind(name string) string {
	switch name {
	case "string":
		return "Text"
	case "integer":
		return "Int"
	case "number":
		return "Number"
	case "boolean":
		return "Bool"
	case "object":
		return "Object"
	case "array":
		return "Array"
	case "null":
		return "Null"
	}
	return ""
}

// standsOn reports whether an attribute for a JSON type says something of a
// gram type.
func (a attribute) standsOn(kind string) bool {
	switch a.on {
	case "":
		return true
	case "number":
		return kind == "Int" || kind == "Number"
	case "string":
		return kind == "Text" || a.form == formFormat && (kind == "Int" || kind == "Number")
	}
	return kind == gramKind(a.on)
}

// meantKind returns the kind of which something is said where no type is
// given.
func (a attribute) meantKind() string { return gramKind(a.on) }
