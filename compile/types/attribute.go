package types

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/report"
	"github.com/gram-lang/gramc/compile/vocabulary"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// An attributed is a type whose attributes are read.
type attributed struct {
	*Type
	what string // "the parameter …", for messages
}

var (
	onNumbers = []Kind{KindInteger, KindNumber}
	onText    = []Kind{KindString}
	onArrays  = []Kind{KindArray}
	onObjects = []Kind{KindObject}
)

// An attribute is a property that says more of a type, {min: 0, max: 130}, and
// is a keyword of its schema.
type attribute struct {
	key     string
	keyword string // of JSON Schema
	on      []Kind // the types that it applies to; nil = all
}

// keywordOrder is the order in which keywords stand in a schema.
var keywordOrder = strings.Fields(`title description type enum const minimum maximum exclusiveMinimum exclusiveMaximum
	multipleOf minLength maxLength pattern format contentEncoding contentMediaType minItems maxItems uniqueItems
	minProperties maxProperties additionalProperties default examples deprecated readOnly writeOnly`)

// attributes holds the attributes by their keys. It is not changed, nor the
// keys of what a parameter, a field and a type can have.
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

func attributesByKey() map[string]*attribute {
	all := map[string]*attribute{}
	for _, p := range vocabulary.Properties(vocabulary.OwnerParameter) {
		if p.Keyword == "" {
			continue
		}
		a := &attribute{key: p.Key, keyword: p.Keyword}
		for _, on := range p.Types {
			a.on = append(a.on, Kind(on))
		}
		all[p.Key] = a
	}
	return all
}

// isAttribute reports whether a key is an attribute of some type, a parameter
// or a field.
func isAttribute(key string) bool {
	return attributes[key] != nil || slices.Contains(parameterKeys, key)
}

// read returns the value of the keyword of an attribute, nil when it is wrong.
func (c *Checker) read(a *attribute, p *ast.Property, t *attributed) json.RawMessage {
	switch a.key {
	case "types":
		return readTypes(c, p, t)
	case "enum":
		return readEnum(c, p, t)
	case "const", "default":
		return readValue(c, p, t)
	case "examples":
		return readExamples(c, p, t)
	case "min", "max", "exclusiveMin", "exclusiveMax":
		return readNumber(c, p, t)
	case "multipleOf":
		return readStep(c, p, t)
	case "minLength", "maxLength", "minItems", "maxItems", "minFields", "maxFields":
		return readCount(c, p, t)
	case "pattern":
		return readRegexp(c, p, t)
	case "format":
		return readFormat(c, p, t)
	case "unique", "readOnly", "writeOnly":
		return readBool(c, p, t)
	case "closed":
		return readClosed(c, p, t)
	case "deprecated":
		return readDeprecated(c, p, t)
	}
	return readText(c, p, t)
}

// keywords adds to t the keywords that the attributes in r stand for. Skip
// names those that mean something else there, as the default of a parameter.
// T is nil when the type is wrong; then nothing is checked.
func (c *Checker) keywords(t *Type, r *ast.Record, what string, skip ...string) {
	if t == nil || r == nil {
		return
	}
	if p := attributeIn(r, "nullable"); p != nil {
		t.Nullable = c.Flag(p, what) || t.Nullable
	}
	var lists, values []*ast.Property // must fit what the attributes before them say
	for _, p := range r.Properties {
		key := p.Key.Text
		if p.Value == nil || slices.Contains(skip, key) || DeclaresField(p) {
			continue
		}
		switch a := attributes[key]; {
		case key == "enum" || key == "const":
			lists = append(lists, p)
		case key == "default" || key == "examples":
			values = append(values, p)
		case a != nil:
			c.attribute(t, p, a, what, constrain)
		case key == "range":
			c.soon(constrain, func() { c.rangeAttribute(t, p, what) })
		}
	}
	for _, p := range lists {
		c.attribute(t, p, attributes[p.Key.Text], what, enumerate)
	}
	for _, p := range values {
		c.attribute(t, p, attributes[p.Key.Text], what, compare)
	}
	c.soon(compare, func() { c.bounds(t, r, what) })
}

// attribute adds one keyword.
func (c *Checker) attribute(t *Type, p *ast.Property, a *attribute, what string, s stage) {
	c.soon(s, func() {
		base := t.Resolved()
		if base == nil {
			return
		}
		if a.on != nil && !slices.Contains(a.on, base.Kind) {
			c.misplaced(t, p, a.key, a.on, what)
			return
		}
		if value := c.read(a, p, &attributed{t, what}); value != nil {
			c.addKeyword(t, Keyword{a.keyword, value, p.Key.Span()}, what)
		}
	})
}

// addKeyword adds a keyword that t and the named type behind it do not have.
func (c *Checker) addKeyword(t *Type, k Keyword, what string) {
	if !isNote(k.Name) && t.expanded().keyword(k.Name) != nil {
		c.Diags.Errorf(k.Span, diag.CodeInvalidConstraint, "%s has its %s already", what, attributeOf(k.Name))
		return
	}
	t.setKeyword(k)
	sortKeywords(t.Keywords)
}

// sortKeywords puts keywords into the order in which they stand in a schema.
func sortKeywords(list []Keyword) {
	slices.SortStableFunc(list, func(a, b Keyword) int { return rank(a.Name) - rank(b.Name) })
}

// rank returns the position of a keyword in a schema.
func rank(keyword string) int {
	return slices.Index(keywordOrder, keyword)
}

// isNote reports whether a keyword does not restrict what is valid.
func isNote(keyword string) bool {
	switch keyword {
	case "title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly":
		return true
	}
	return false
}

// misplaced reports that an attribute does not apply to a type.
func (c *Checker) misplaced(t *Type, p *ast.Property, key string, on []Kind, what string) {
	c.Diags.Errorf(p.Key.Span(), diag.CodeInvalidConstraint, "%s applies to %s, but %s is %s", key, kindWords(on), what, TypeWord(t))
}

// TypeWord returns how a message calls a type.
func TypeWord(t *Type) string {
	if t.Name != "" {
		return report.Clip(t.Name)
	}
	return kindWords([]Kind{t.Kind})
}

// kindWords returns the types of these kinds as gram calls them.
func kindWords(kinds []Kind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = map[Kind]string{
			KindString: "Text", KindInteger: "Int", KindNumber: "Number", KindBoolean: "Bool",
			KindObject: "Object", KindArray: "Array", KindAny: "Any", KindNull: "Null",
		}[k]
	}
	if len(words) > 1 {
		return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
	}
	return words[0]
}

// Invalid reports that the value of an attribute is not what it must be.
func (c *Checker) Invalid(p *ast.Property, what, wanted string) {
	c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "%s of %s is %s; it must be %s", p.Key.Text, what, report.KindOf(p.Value), wanted)
}

func readText(c *Checker, p *ast.Property, a *attributed) json.RawMessage {
	text, ok := ast.TextOf(p.Value)
	if !ok {
		c.NotText(p, diag.CodeInvalidDescription, a.what)
		return nil
	}
	return appendString(nil, text)
}

func readBool(c *Checker, p *ast.Property, a *attributed) json.RawMessage {
	return strconv.AppendBool(nil, c.Flag(p, a.what))
}

func readClosed(c *Checker, p *ast.Property, a *attributed) json.RawMessage {
	if a.Resolved().Rest != nil {
		c.Diags.Errorf(p.Key.Span(), diag.CodeInvalidConstraint, "%s has a type for its other fields already", a.what)
		return nil
	}
	return strconv.AppendBool(nil, !c.Flag(p, a.what))
}

// PlainNumber returns the digits of a number that JSON has too.
func PlainNumber(v ast.Value) (string, bool) {
	n, ok := v.(*ast.Number)
	if !ok || n == nil || n.Kind == ast.Measurement {
		return "", false
	}
	return n.Digits(), true
}

func readNumber(c *Checker, p *ast.Property, a *attributed) json.RawMessage {
	digits, ok := PlainNumber(p.Value)
	switch {
	case !ok:
		c.Invalid(p, a.what, "a number")
		return nil
	case Rational(json.RawMessage(digits)) == nil:
		c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "%s of %s has more than %d digits", p.Key.Text, a.what, maxDigits)
		return nil
	}
	return json.RawMessage(digits)
}

func readStep(c *Checker, p *ast.Property, a *attributed) json.RawMessage {
	digits, ok := PlainNumber(p.Value)
	if step := Rational(json.RawMessage(digits)); !ok || step == nil || step.Sign() <= 0 {
		c.Invalid(p, a.what, "a number above 0")
		return nil
	}
	return json.RawMessage(digits)
}

func readCount(c *Checker, p *ast.Property, a *attributed) json.RawMessage {
	digits, ok := PlainNumber(p.Value)
	if _, err := strconv.ParseUint(digits, 10, 53); !ok || err != nil {
		c.Invalid(p, a.what, "a count: 0, 1, 2 …")
		return nil
	}
	return json.RawMessage(digits)
}

func readFormat(c *Checker, p *ast.Property, a *attributed) json.RawMessage {
	text, ok := ast.TextOf(p.Value)
	if word, bare := p.Value.(*ast.Symbol); bare {
		text, ok = word.Text, true
	}
	if !ok {
		c.NotText(p, diag.CodeInvalidConstraint, a.what)
		return nil
	}
	if a.Resolved().Kind == KindString && !slices.Contains(formats, text) {
		if near := c.Guess(text, formats); near != "" {
			d := c.Diags.Warnf(p.Value.Span(), diag.CodeUnknownFormat, "the format %s is not known and says nothing; did you mean %s?", report.Quote(text), near)
			report.Respell(d, p.Value.Span(), text, near)
		}
	}
	return appendString(nil, text)
}

// readTypes reads {types:[Text, Int]}, a list of kinds as JSON Schema has it.
func readTypes(c *Checker, p *ast.Property, a *attributed) json.RawMessage {
	list, ok := p.Value.(*ast.Array)
	if !ok || len(list.Elements) == 0 {
		c.Invalid(p, a.what, "a list of types: [Text, Int]")
		return nil
	}
	kinds := make([]Kind, 0, len(list.Elements))
	for _, e := range list.Elements {
		name, ok := ast.TextOf(e)
		if word, bare := e.(*ast.Symbol); bare {
			name, ok = word.Text, true
		}
		kind, known := kindNamed(name)
		if !ok || !known || kind == KindAny || slices.Contains(kinds, kind) {
			c.Diags.Errorf(e.Span(), diag.CodeInvalidConstraint, "types of %s has %s here; it lists different types such as Text, Int and Null", a.what, report.KindOf(e))
			return nil
		}
		kinds = append(kinds, kind)
	}
	text, err := json.Marshal(kinds)
	if err != nil {
		panic("compile: " + err.Error())
	}
	return text
}

// readValue reads a value of the type.
func readValue(c *Checker, p *ast.Property, a *attributed) json.RawMessage {
	return c.typedValue(p.Value, a.Type, a.what, p.Key.Text)
}

func readExamples(c *Checker, p *ast.Property, a *attributed) json.RawMessage {
	return c.values(p, a, "example")
}

// readEnum reads the values of an enum. Bare words are text there.
func readEnum(c *Checker, p *ast.Property, a *attributed) json.RawMessage {
	text := c.values(p, a, "enum value")
	if string(text) == "[]" {
		c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "the enum of %s is empty; it must list at least one value", a.what)
		return nil
	}
	return text
}

// values reads an array of values of the type.
func (c *Checker) values(p *ast.Property, a *attributed, word string) json.RawMessage {
	value, literal := p.Value, false
	if tagged, ok := value.(*ast.Tagged); ok && tagged.Tag == tagJSON {
		if value = c.jsonValue(tagged, a.what, word); value == nil {
			return nil
		}
		literal = true
	}
	list, ok := value.(*ast.Array)
	if !ok {
		c.Invalid(p, a.what, `a list, such as ["a", "b"]`)
		return nil
	}
	text := []byte{'['}
	seen := make(map[string]bool, len(list.Elements))
	for i, e := range list.Elements {
		value := c.fitting(e, a.Type, a.what, word, literal)
		if value == nil {
			return nil
		}
		if seen[string(value)] && word == "enum value" {
			c.Diags.Warnf(e.Span(), diag.CodeInvalidConstraint, "%s occurs twice in the enum of %s", report.Clip(string(value)), a.what)
		}
		seen[string(value)] = true
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, value...)
	}
	return append(text, ']')
}

// rangeAttribute reads {range:0..130}: both bounds are values.
func (c *Checker) rangeAttribute(t *Type, p *ast.Property, what string) {
	if base := t.Resolved(); base == nil {
		return
	} else if !slices.Contains(onNumbers, base.Kind) {
		c.misplaced(t, p, "range", onNumbers, what)
		return
	}
	v, ok := p.Value.(*ast.Range)
	if !ok {
		c.Invalid(p, what, "a range, such as 0..130")
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

// bounds reports when a lower bound is above the upper one.
func (c *Checker) bounds(t *Type, r *ast.Record, what string) {
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

// foreignAttribute returns the attribute that JSON Schema calls differently, ""
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
		if a.keyword == keyword {
			return key
		}
	}
	return keyword
}

// compareNumbers compares two JSON numbers, and reports whether both are there
// and can be computed with.
func compareNumbers(a, b json.RawMessage) (order int, ok bool) {
	if len(a) == 0 || len(b) == 0 {
		return 0, false
	}
	m, errM := strconv.ParseInt(string(a), 10, 64)
	n, errN := strconv.ParseInt(string(b), 10, 64)
	if errM == nil && errN == nil {
		return cmp.Compare(m, n), true
	}
	x, y := Rational(a), Rational(b)
	if x == nil || y == nil {
		return 0, false
	}
	return x.Cmp(y), true
}

// maxDigits is how long a number may be that something is compared with, and
// how large its exponent.
const maxDigits = 400

// Rational returns a JSON number, nil for none and for one that is too long or
// too large to compute with.
func Rational(number json.RawMessage) *big.Rat {
	return plainjson.Rational(string(number), maxDigits, maxDigits)
}

func readDeprecated(c *Checker, p *ast.Property, a *attributed) json.RawMessage {
	return strconv.AppendBool(nil, c.Deprecation(p, a.what))
}
