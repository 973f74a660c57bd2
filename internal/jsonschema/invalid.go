package jsonschema

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
)

// Invalid finds the first keyword in a schema, or in the schemas in it, that has
// no place there or whose value is not what wanted says; wanted is "" if there is
// none. References are invalid: the schema stands by itself.
func Invalid(schema *Node) (at *Location, wanted string) { return invalidSchema(schema, nil) }

func invalidSchema(schema *Node, at *Location) (*Location, string) {
	if !schema.Is(KindObject) {
		if schema.IsBool() {
			return nil, ""
		}
		return at, "a schema"
	}
	for _, m := range schema.Members {
		if where, wanted := invalidKeyword(m, at.Key(m.Key)); wanted != "" {
			return where, wanted
		}
	}
	return nil, ""
}

func invalidKeyword(m Member, at *Location) (*Location, string) {
	k, _ := KeywordNamed(m.Key)
	switch {
	case k.Role == Identity && k.Name != "$comment", strings.HasSuffix(strings.ToLower(k.Name), "ref") && k.Role == Assertion:
		return at, "no references and no parts with names"
	case k.Name == "items" && m.Value.Is(KindArray):
		k.Form = FormSchemas
	}
	if wanted := k.Wanted(m.Value); wanted != "" {
		return at, wanted
	}
	switch k.Form {
	case FormSchema:
		return invalidSchema(m.Value, at)
	case FormSchemas:
		for i, item := range m.Value.Items {
			if where, wanted := invalidSchema(item, at.Item(i)); wanted != "" {
				return where, wanted
			}
		}
	case FormSchemaMap:
		for _, inner := range m.Value.Members {
			if where, wanted := invalidSchema(inner.Value, at.Key(inner.Key)); wanted != "" {
				return where, wanted
			}
		}
	}
	return nil, ""
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
		_, ok = readTypes(Object(NewMember("type", v)))
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

// CompileRegexp compiles a regular expression of a schema. It is nil for one that
// looks around or back, which Go cannot do in linear time: then any text is taken
// to match.
func CompileRegexp(text string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(text)
	var wrong *syntax.Error
	if errors.As(err, &wrong) && (wrong.Code == syntax.ErrInvalidPerlOp || wrong.Code == syntax.ErrInvalidEscape) {
		return nil, nil
	}
	return re, err
}
