package jsonschema

// A Form is what the value of a keyword is.
type Form uint8

// The forms.
const (
	FormAny       Form = iota // any value
	FormText                  // a string
	FormBool                  // true or false
	FormNumber                // a number
	FormStep                  // a number above 0
	FormCount                 // an integer from 0
	FormRegexp                // a string that is a regular expression
	FormList                  // an array of any values
	FormEnum                  // an array of at least one value
	FormTexts                 // an array of strings
	FormTypes                 // a type or an array of types
	FormTextsMap              // an object of arrays of strings
	FormSchema                // a schema
	FormSchemas               // an array of schemas
	FormSchemaMap             // an object of schemas
)

// A Role is what a keyword does.
type Role uint8

// The roles.
const (
	Assertion  Role = iota // limits the values
	Annotation             // describes the values, and allows all of them
	Identity               // names, holds or finds schemas: $id, $defs, $ref
)

// A Keyword is what is known of a keyword of JSON Schema 2020-12, and of the
// older keywords that are still in use.
type Keyword struct {
	Name string
	Role Role
	On   Types // the types of the values that it applies to
	Form Form

	// Group is the keyword with which it has to be read; most have none.
	Group string
}

// HasSchemas reports whether there are schemas in the value of the keyword.
func (k Keyword) HasSchemas() bool { return k.Form >= FormSchema }

// IsNote reports whether the keyword only names or describes the schema. A default
// and examples are not notes.
func (k Keyword) IsNote() bool {
	switch k.Name {
	case "$schema", "$id", "title", "description":
		return true
	}
	return false
}

// KeywordNamed returns the entry of a keyword; ok is false, and the keyword an
// Annotation of any value, for one that is not in the table.
func KeywordNamed(name string) (k Keyword, ok bool) {
	if k, ok = keywordsByName[name]; !ok {
		k = Keyword{Name: name, Role: Annotation, On: AnyType}
	}
	return k, ok
}

var keywordsByName = func() map[string]Keyword {
	named := make(map[string]Keyword, len(keywords))
	for _, k := range keywords {
		named[k.Name] = k
	}
	return named
}()

// keywords is the table, by what the keywords are for.
var keywords = [...]Keyword{
	{"$schema", Identity, AnyType, FormText, ""},
	{"$id", Identity, AnyType, FormText, ""},
	{"$anchor", Identity, AnyType, FormText, ""},
	{"$dynamicAnchor", Identity, AnyType, FormText, ""},
	{"$vocabulary", Identity, AnyType, FormAny, ""},
	{"$defs", Identity, AnyType, FormSchemaMap, ""},
	{"definitions", Identity, AnyType, FormSchemaMap, ""},
	{"$comment", Identity, AnyType, FormText, ""},
	{"$ref", Assertion, AnyType, FormText, ""},
	{"$dynamicRef", Assertion, AnyType, FormText, ""},
	{"$recursiveRef", Assertion, AnyType, FormText, ""},

	{"title", Annotation, AnyType, FormText, ""},
	{"description", Annotation, AnyType, FormText, ""},
	{"default", Annotation, AnyType, FormAny, ""},
	{"examples", Annotation, AnyType, FormList, ""},
	{"example", Annotation, AnyType, FormAny, ""},
	{"deprecated", Annotation, AnyType, FormBool, ""},
	{"readOnly", Annotation, AnyType, FormBool, ""},
	{"writeOnly", Annotation, AnyType, FormBool, ""},
	{"contentEncoding", Annotation, StringType, FormText, ""},
	{"contentMediaType", Annotation, StringType, FormText, ""},
	{"contentSchema", Annotation, StringType, FormSchema, ""},

	{"type", Assertion, AnyType, FormTypes, ""},
	{"enum", Assertion, AnyType, FormEnum, ""},
	{"const", Assertion, AnyType, FormAny, ""},

	{"minimum", Assertion, NumberType, FormNumber, ""},
	{"maximum", Assertion, NumberType, FormNumber, ""},
	{"exclusiveMinimum", Assertion, NumberType, FormNumber, ""},
	{"exclusiveMaximum", Assertion, NumberType, FormNumber, ""},
	{"multipleOf", Assertion, NumberType, FormStep, ""},

	{"minLength", Assertion, StringType, FormCount, ""},
	{"maxLength", Assertion, StringType, FormCount, ""},
	{"pattern", Assertion, StringType, FormRegexp, ""},
	{"format", Assertion, StringType, FormText, ""},

	{"items", Assertion, ArrayType, FormSchema, ""},
	{"prefixItems", Assertion, ArrayType, FormSchemas, ""},
	{"additionalItems", Assertion, ArrayType, FormSchema, "prefixItems"},
	{"unevaluatedItems", Assertion, ArrayType, FormSchema, ""},
	{"minItems", Assertion, ArrayType, FormCount, ""},
	{"maxItems", Assertion, ArrayType, FormCount, ""},
	{"uniqueItems", Assertion, ArrayType, FormBool, ""},
	{"contains", Assertion, ArrayType, FormSchema, "contains"},
	{"minContains", Assertion, ArrayType, FormCount, "contains"},
	{"maxContains", Assertion, ArrayType, FormCount, "contains"},

	{"properties", Assertion, ObjectType, FormSchemaMap, ""},
	{"patternProperties", Assertion, ObjectType, FormSchemaMap, ""},
	{"additionalProperties", Assertion, ObjectType, FormSchema, ""},
	{"unevaluatedProperties", Assertion, ObjectType, FormSchema, ""},
	{"propertyNames", Assertion, ObjectType, FormSchema, ""},
	{"required", Assertion, ObjectType, FormTexts, ""},
	{"minProperties", Assertion, ObjectType, FormCount, ""},
	{"maxProperties", Assertion, ObjectType, FormCount, ""},
	{"dependentRequired", Assertion, ObjectType, FormTextsMap, ""},
	{"dependentSchemas", Assertion, ObjectType, FormSchemaMap, ""},
	{"dependencies", Assertion, ObjectType, FormAny, ""},

	{"allOf", Assertion, AnyType, FormSchemas, ""},
	{"anyOf", Assertion, AnyType, FormSchemas, ""},
	{"oneOf", Assertion, AnyType, FormSchemas, ""},
	{"not", Assertion, AnyType, FormSchema, ""},
	{"if", Assertion, AnyType, FormSchema, "if"},
	{"then", Assertion, AnyType, FormSchema, "if"},
	{"else", Assertion, AnyType, FormSchema, "if"},
}

// AnnotationNames returns the keywords of schemas that do not limit the values,
// sorted.
func AnnotationNames(schemas ...*Schema) []string {
	return namesOf(schemas, func(p *Schema) []string { return sortedKeys(p.annotations) })
}

// Wanted returns what the value of the keyword must be instead, "" if it is that.
// It does not look into schemas.
func (k Keyword) Wanted(v *Node) string {
	ok, wanted := true, ""
	switch k.Form {
	case FormText:
		ok, wanted = v.Is(KindString), "a string"
	case FormRegexp:
		_, err := CompileRegexp(v.Text())
		ok, wanted = v.Is(KindString) && err == nil, "a regular expression"
	case FormBool:
		ok, wanted = v.IsBool(), "true or false"
	case FormNumber:
		ok, wanted = v.Is(KindNumber), "a number"
	case FormStep:
		ok, wanted = v.Is(KindNumber) && DecimalOf(v.Raw()).Sign() > 0, "a positive number"
	case FormCount:
		ok, wanted = v.Is(KindNumber) && DecimalOf(v.Raw()).IsInteger() && DecimalOf(v.Raw()).Sign() >= 0, "an integer from 0"
	case FormList:
		ok, wanted = v.Is(KindArray), "an array"
	case FormEnum:
		ok, wanted = v.Is(KindArray) && len(v.Items) > 0, "an array of at least one value"
	case FormTexts:
		_, ok = v.Texts()
		wanted = "an array of strings"
	case FormTypes:
		_, ok = readDocumentTypes(Object(NewMember("type", v)))
		wanted = "a type or an array of types"
	case FormTextsMap, FormSchemaMap:
		ok, wanted = v.Is(KindObject), "an object"
	case FormSchemas:
		ok, wanted = v.Is(KindArray) && len(v.Items) > 0, "an array of schemas"
	}
	if ok {
		return ""
	}
	return wanted
}
