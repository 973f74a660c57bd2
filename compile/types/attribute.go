package types

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// attributes holds by their keys the properties of parameters. Most of them are
// attributes of a type, {min: 0, max: 130}, and keywords of its schema. It is not
// changed, nor the keys of what a parameter, a field and a type can have.
var (
	attributes    = attributesByKey()
	parameterKeys = vocabulary.Keys(vocabulary.OwnerParameter)
	argumentsKeys = vocabulary.Keys(vocabulary.OwnerArguments)
	resultKeys    = vocabulary.Keys(vocabulary.OwnerResult)
	declaredKeys  = vocabulary.Keys(vocabulary.OwnerField)
	fieldKeys     = append([]string{"name"}, declaredKeys...)
	namedKeys     = vocabulary.Keys(vocabulary.OwnerType)
	typeKeys      = vocabulary.Keys(vocabulary.OwnerAlias)
	enumKeys      = vocabulary.Keys(vocabulary.OwnerEnum)
	unionKeys     = vocabulary.Keys(vocabulary.OwnerUnion)
	formats       = vocabulary.Values(vocabulary.OwnerAlias, "format")
)

func attributesByKey() map[string]*vocabulary.Property {
	all := map[string]*vocabulary.Property{}
	for _, p := range vocabulary.Properties(vocabulary.OwnerParameter) {
		all[p.Key] = &p
	}
	return all
}

// readAttributes adds to t the keywords that the attributes in r stand for. Skip
// names those that mean something else there, as the default of a parameter.
// T is nil when the type is wrong; then nothing is checked.
func (c *Checker) readAttributes(t *Type, r *ast.Record, what string, skip ...string) {
	if t == nil || r == nil {
		return
	}
	if p := attributeIn(r, "nullable"); p != nil {
		t.Nullable = c.Flag(p, what) || t.Nullable
	}
	for s := range afterwards {
		for _, p := range r.Properties {
			if attributeStage(p.Key.Text) != s || slices.Contains(skip, p.Key.Text) {
				continue
			}
			a := attributes[p.Key.Text]
			switch {
			case a == nil || a.Form == vocabulary.FormOther || p.Value == nil || DeclaresField(p):
			case c.Named.current == nil:
				c.readAttribute(t, p, a, what)
			default:
				c.whenNamedTypesLowered(s, func() { c.readAttribute(t, p, a, what) })
			}
		}
	}
	switch {
	case len(r.Properties) < 2 && t.Def == nil:
	case c.Named.current == nil:
		c.checkAttributeBounds(t, r, what)
	default:
		c.whenNamedTypesLowered(compare, func() { c.checkAttributeBounds(t, r, what) })
	}
}

// attributeStage returns when an attribute is read: values must fit what the attributes
// before them say.
func attributeStage(key string) stage {
	switch key {
	case "enum", "const", "schema":
		return enumerate
	case "default", "examples":
		return compare
	}
	return constrain
}

// readAttribute adds the keywords of one attribute.
func (c *Checker) readAttribute(t *Type, p *ast.Property, a *vocabulary.Property, what string) {
	base := t.Resolved()
	if base == nil {
		return
	}
	if a.Types != nil && !slices.Contains(a.Types, string(base.Kind)) {
		c.Diags.Errorf(p.Key.Span(), diag.CodeInvalidConstraint, "%s applies to %s, but %s is %s", a.Key, kindWords(a.Types), what, TypeWord(t))
		return
	}
	switch a.Form {
	case vocabulary.FormRange:
		c.readRangeAttribute(t, p, what)
		return
	case vocabulary.FormKeywords:
		c.rawKeywords(t, p, what)
		return
	}
	if value := c.readAttributeValue(a, p, t, what); value != nil {
		c.addKeyword(t, Keyword{a.Keyword, value, p.Key.Span()}, what)
	}
}

// readAttributeValue returns the value of the keyword of an attribute, nil when it is
// wrong.
func (c *Checker) readAttributeValue(a *vocabulary.Property, p *ast.Property, t *Type, what string) json.RawMessage {
	switch a.Form {
	case vocabulary.FormBool:
		return c.readBoolAttribute(p, t, what)
	case vocabulary.FormNumber, vocabulary.FormStep, vocabulary.FormCount:
		return c.readNumberAttribute(a.Form, p, what)
	case vocabulary.FormRegexp:
		return c.readRegexpAttribute(p, what)
	case vocabulary.FormFormat:
		return c.readFormatAttribute(p, t, what)
	case vocabulary.FormTypes:
		return c.readTypesAttribute(p, what)
	case vocabulary.FormEnum:
		return c.readEnumAttribute(p, t, what)
	case vocabulary.FormList:
		return c.readValuesAttribute(p, t, what, "example")
	case vocabulary.FormValue:
		return c.typedValue(p.Value, t, what, p.Key.Text)
	}
	text, ok := ast.TextOf(p.Value)
	if !ok {
		c.NotText(p, diag.CodeInvalidDescription, what)
		return nil
	}
	return schemaString(nil, text)
}

// InvalidAttribute reports that the value of an attribute is not what it must be.
func (c *Checker) InvalidAttribute(p *ast.Property, what, wanted string) {
	d := c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "%s of %s is %s; it must be %s", p.Key.Text, what, report.KindOf(p.Value), wanted)
	if text, ok := ast.TextOf(p.Value); ok && numberForm().MatchString(text) {
		report.SafeFix(d, "write "+text, p.Value.Span(), text)
	}
}

// numberForm is a number, or a range.
var numberForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?(\.\.-?[0-9]+(\.[0-9]+)?)?$`)
})

func (c *Checker) readBoolAttribute(p *ast.Property, t *Type, what string) json.RawMessage {
	yes := false
	switch {
	case p.Key.Text == "deprecated":
		yes = c.Deprecation(p, what)
	case p.Key.Text != "closed":
		yes = c.Flag(p, what)
	case t.Resolved().Rest != nil:
		c.Diags.Errorf(p.Key.Span(), diag.CodeInvalidConstraint, "%s has a type for its other fields already", what)
		return nil
	default: // closed: no additional properties
		yes = !c.Flag(p, what)
	}
	return strconv.AppendBool(nil, yes)
}

func (c *Checker) readNumberAttribute(form vocabulary.Form, p *ast.Property, what string) json.RawMessage {
	digits, ok := PlainNumber(p.Value)
	if form == vocabulary.FormCount {
		if _, err := strconv.ParseUint(digits, 10, 53); err != nil {
			c.InvalidAttribute(p, what, "a count: 0, 1, 2 …")
			return nil
		}
		return json.RawMessage(digits)
	}
	switch {
	case form == vocabulary.FormStep && (!ok || jsonschema.DecimalOf(digits).Sign() <= 0):
		c.InvalidAttribute(p, what, "a number above 0")
	case !ok:
		c.InvalidAttribute(p, what, "a number")
	case len(digits) > maxDigits:
		c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "%s of %s has more than %d digits", p.Key.Text, what, maxDigits)
	default:
		return json.RawMessage(digits)
	}
	return nil
}

func (c *Checker) readFormatAttribute(p *ast.Property, t *Type, what string) json.RawMessage {
	text, ok := ast.WordOf(p.Value)
	if !ok {
		c.NotText(p, diag.CodeInvalidConstraint, what)
		return nil
	}
	if t.Resolved().Kind == KindString && !slices.Contains(formats, text) && text != "guid" { // which services of .NET say
		if near := c.Guess(text, formats); near != "" {
			d := c.Diags.Warnf(p.Value.Span(), diag.CodeUnknownFormat, "the format %s is not known and says nothing; did you mean %s?", report.Quote(text), near)
			report.Respell(d, p.Value.Span(), text, near)
		}
	}
	return schemaString(nil, text)
}

// readTypesAttribute reads {types:[Text, Int]}, a list of kinds as RawJSON Schema has it.
func (c *Checker) readTypesAttribute(p *ast.Property, what string) json.RawMessage {
	list, ok := p.Value.(*ast.Array)
	if !ok || len(list.Elements) == 0 {
		c.InvalidAttribute(p, what, "a list of types: [Text, Int]")
		return nil
	}
	kinds := make([]Kind, 0, len(list.Elements))
	for _, e := range list.Elements {
		name, ok := ast.WordOf(e)
		kind, known := kindNamed(name)
		if !ok || !known || kind == KindAny || slices.Contains(kinds, kind) {
			c.Diags.Errorf(e.Span(), diag.CodeInvalidConstraint, "types of %s has %s here; it lists different types such as Text, Int and Null", what, report.KindOf(e))
			return nil
		}
		kinds = append(kinds, kind)
	}
	text, _ := json.Marshal(kinds) // strings always marshal
	return text
}

// readEnumAttribute reads the values of an enum. Bare words are text there.
func (c *Checker) readEnumAttribute(p *ast.Property, t *Type, what string) json.RawMessage {
	text := c.readValuesAttribute(p, t, what, "enum value")
	if string(text) == "[]" {
		c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "the enum of %s is empty; it must list at least one value", what)
		return nil
	}
	return text
}

// readValuesAttribute reads an array of values of the type.
func (c *Checker) readValuesAttribute(p *ast.Property, t *Type, what, word string) json.RawMessage {
	value, literal := p.Value, false
	if tagged, ok := value.(*ast.Tagged); ok && tagged.Tag == tagJSON {
		if value = c.literalJSON(tagged, what, word); value == nil {
			return nil
		}
		literal = true
	}
	list, ok := value.(*ast.Array)
	if !ok {
		c.InvalidAttribute(p, what, `a list, such as ["a", "b"]`)
		return nil
	}
	text := []byte{'['}
	seen := make(map[string]bool, len(list.Elements))
	for i, e := range list.Elements {
		value := c.fittingValue(e, t, what, word, literal)
		if value == nil {
			return nil
		}
		if seen[string(value)] && word == "enum value" {
			d := c.Diags.Warnf(e.Span(), diag.CodeInvalidConstraint, "%s occurs twice in the enum of %s", report.Clip(string(value)), what)
			report.RemoveRepeated(d, list.Elements, i)
		}
		seen[string(value)] = true
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, value...)
	}
	return append(text, ']')
}

// readRangeAttribute reads {range:0..130}: both bounds are values.
func (c *Checker) readRangeAttribute(t *Type, p *ast.Property, what string) {
	v, ok := p.Value.(*ast.Range)
	if !ok {
		c.InvalidAttribute(p, what, "a range, such as 0..130")
		if list, isList := p.Value.(*ast.Array); isList && len(list.Elements) == 2 {
			low, isLow := list.Elements[0].(*ast.Number)
			high, isHigh := list.Elements[1].(*ast.Number)
			if isLow && isHigh {
				report.SafeFix(c.Diags[len(c.Diags)-1], "write "+low.Raw+".."+high.Raw, p.Value.Span(), low.Raw+".."+high.Raw)
			}
		}
		return
	}
	for _, bound := range []struct {
		keyword string
		number  *ast.Number
	}{{"minimum", v.Lower}, {"maximum", v.Upper}} {
		if bound.number == nil {
			continue
		}
		digits, ok := PlainNumber(bound.number)
		if !ok {
			c.Diags.Errorf(bound.number.Span(), diag.CodeInvalidConstraint, "the range of %s has a measurement as bound; it must be a number", what)
			return
		}
		c.addKeyword(t, Keyword{bound.keyword, json.RawMessage(digits), p.Key.Span()}, what)
	}
}

// checkAttributeBounds reports when a lower bound is above the upper one.
func (c *Checker) checkAttributeBounds(t *Type, r *ast.Record, what string) {
	if t.Resolved() == nil || len(t.Keywords) < 2 && t.Def == nil {
		return
	}
	whole := t.expanded()
	for _, pair := range [][2]string{
		{"minimum", "maximum"}, {"minimum", "exclusiveMaximum"}, {"exclusiveMinimum", "maximum"}, {"exclusiveMinimum", "exclusiveMaximum"},
		{"minLength", "maxLength"}, {"minItems", "maxItems"}, {"minProperties", "maxProperties"},
	} {
		order, both := compareNumbers(whole.keyword(pair[0]), whole.keyword(pair[1]))
		if !both || order < 0 || order == 0 && !strings.Contains(pair[0]+pair[1], "exclusive") {
			continue
		}
		place := r.Span()
		for _, k := range t.Keywords {
			if k.Name == pair[1] {
				place = k.Span
			}
		}
		c.Diags.Errorf(place, diag.CodeInvalidConstraint, "no value of %s is possible: %s", what,
			fmt.Sprintf("%s is %s and %s is %s", attributeOf(pair[0]), whole.keyword(pair[0]), attributeOf(pair[1]), whole.keyword(pair[1])))
		return
	}
}

// foreignAttribute returns the attribute that RawJSON Schema calls differently, ""
// where there is none.
func foreignAttribute(keyword string) string {
	switch attribute := attributeOf(keyword); {
	case keyword == "items":
		return "of"
	case attribute != keyword && keyword != "type":
		return attribute
	}
	return ""
}

// attributeOf returns the attribute that stands for a keyword.
func attributeOf(keyword string) string {
	for key, a := range attributes {
		if keyword != "" && a.Keyword == keyword {
			return key
		}
	}
	return keyword
}

// attributeIn returns the attribute of that key in a record; nil where there is
// none, or none that parsed, or the key is that of a field.
func attributeIn(r *ast.Record, key string) *ast.Property {
	if p := r.Get(key); p != nil && p.Value != nil && !DeclaresField(p) {
		return p
	}
	return nil
}

// AttributeHasFields reports whether an attribute has values of the type that it is of,
// in which fields are named.
func AttributeHasFields(key string) bool {
	switch key {
	case "default", "examples", "enum", "const":
		return true
	}
	return false
}
