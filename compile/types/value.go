package types

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// tagJSON is the tag of a text that is a JSON value: json`[1, [2, 3], null]`.
const tagJSON = "json"

// typedValue lowers a default, an enum value and the like to exactly the JSON
// that it is: numbers keep their spelling. The word says what it is. It returns
// nil when the value does not fit the type, which it reports once.
func (c *Checker) typedValue(v ast.Value, t *Type, what, word string) json.RawMessage {
	if tagged, ok := v.(*ast.Tagged); ok && tagged.Tag == tagJSON && (!isText(t) || t.AcceptsNull() && tagged.Text == "null") {
		if v = c.jsonValue(tagged, what, word); v == nil {
			return nil
		}
		return c.fitting(v, t, what, word, true)
	}
	return c.fitting(v, t, what, word, false)
}

// fitting is typedValue for a value that may be literal: JSON, in which null is
// null.
func (c *Checker) fitting(v ast.Value, t *Type, what, word string, literal bool) json.RawMessage {
	w := &valueWriter{c: c, literal: literal}
	if !w.value(v, t) {
		if w.wrong != nil {
			c.misfit(w, t, what, word)
		}
		return nil
	}
	for _, symbol := range w.symbols {
		if word != "enum value" || strings.EqualFold(symbol.Text, "null") {
			c.bareWord(symbol)
		}
	}
	return w.json
}

// isText reports whether a type holds text and nothing else.
func isText(t *Type) bool {
	t = t.Resolved()
	return t != nil && t.Kind == KindString
}

// bareWord hints that a word without quotes was taken as text.
func (c *Checker) bareWord(v *ast.Symbol) {
	if strings.EqualFold(v.Text, "null") {
		h := c.Diags.Warnf(v.Span(), diag.CodeDefaultTypeMismatch,
			"gram has no null, so this is read as text; without a default, write optional:true, and for null itself a type such as `Text?`")
		report.Fix(h, "put it in quotes", v.Span(), strconv.Quote(v.Text))
		return
	}
	h := c.Diags.Hintf(v.Span(), diag.CodeDefaultTypeMismatch, "the word %s is read as text; put it in quotes", report.Quote(v.Text))
	report.SafeFix(h, "put it in quotes", v.Span(), strconv.Quote(v.Text))
}

// misfit reports that a value does not fit its type.
func (c *Checker) misfit(w *valueWriter, t *Type, what, word string) {
	at := ""
	if w.path != "" {
		at = " at " + report.Clip(strings.TrimPrefix(w.path, "."))
	}
	message := fmt.Sprintf("the %s of %s%s %s", word, what, at, w.problem)
	switch {
	case w.problem != "":
	case at == "":
		message = fmt.Sprintf("%s is of type %s, but its %s is %s", what, w.wanted, word, report.KindOf(w.wrong))
	default:
		message = fmt.Sprintf("%s is of type %s, but its %s has %s where %s is wanted%s", what, TypeWord(t), word, report.KindOf(w.wrong), w.wanted, at)
	}
	c.Diags.Errorf(w.span, diag.CodeDefaultTypeMismatch, "%s", message)
}

// A value may be tried against every alternative of a union, at every level.
const (
	maxValueSteps = 200_000    // for one value
	maxSteps      = 20_000_000 // for all values of a file
)

// A valueWriter writes one value as JSON and compares it with a type on the
// way.
type valueWriter struct {
	c       *Checker
	json    []byte
	symbols []*ast.Symbol // taken as text
	literal bool          // the value is JSON, and null in it is null
	steps   int

	// The first misfit.
	wrong   ast.Value
	span    source.Span // of the wrong part
	path    string      // from the whole value to the wrong part
	problem string      // what is wrong; "" = the type
	wanted  string      // the type
}

// fail notes that a value violates something else than its type.
func (w *valueWriter) fail(v ast.Value, problem string) bool {
	w.wrong, w.span, w.path, w.problem = v, v.Span(), "", problem
	return false
}

// mistyped notes that a value is not of its type.
func (w *valueWriter) mistyped(v ast.Value, t *Type) bool {
	w.wanted = "a value that JSON has"
	if t != nil {
		w.wanted = TypeWord(t)
	}
	return w.fail(v, "")
}

// value writes v, which must fit t; nil means any type.
func (w *valueWriter) value(v ast.Value, t *Type) bool {
	if v == nil {
		w.c.Broken = true
		return false
	}
	w.c.steps++
	if w.steps++; w.exhausted() {
		return w.fail(v, "is too large to be compared with its type")
	}
	use, start := t, len(w.json)
	if t != nil {
		if isNull(v) && t.AcceptsNull() {
			w.json = append(w.json, "null"...)
			return t.isNullable() || w.satisfies(v, w.json[start:], t)
		}
		if t = t.Resolved(); t == nil {
			return w.plain(v, nil) // the type is wrong, which is already reported
		}
	}
	if t != nil && t.Union != nil {
		return w.union(v, t) && w.satisfies(v, w.json[start:], use)
	}
	return w.plain(v, t) && w.satisfies(v, w.json[start:], use)
}

func (w *valueWriter) exhausted() bool { return w.steps > maxValueSteps || w.c.steps > maxSteps }

// isNull reports whether a value is the word null.
func isNull(v ast.Value) bool {
	word, ok := v.(*ast.Symbol)
	return ok && word.Text == "null"
}

// union writes a value that must fit one alternative, and of an exclusive union
// no other one.
func (w *valueWriter) union(v ast.Value, t *Type) bool {
	start, symbols := len(w.json), len(w.symbols)
	for i, alternative := range t.Union {
		if w.value(v, alternative) {
			return !t.Exclusive || w.noneOf(v, t.Union[i+1:])
		}
		w.json, w.symbols = w.json[:start], w.symbols[:symbols]
		if w.exhausted() {
			return false
		}
	}
	return w.mistyped(v, t)
}

// noneOf reports whether a value that was written fits none of the other
// alternatives.
func (w *valueWriter) noneOf(v ast.Value, others []*Type) bool {
	for _, other := range others {
		again := &valueWriter{c: w.c, literal: w.literal, steps: w.steps}
		fits := again.value(v, other)
		w.steps = again.steps
		if fits {
			return w.fail(v, "fits more than one alternative of its type, which takes exactly one")
		}
	}
	return true
}

// plain writes a value that must be of the kind of t.
func (w *valueWriter) plain(v ast.Value, t *Type) bool {
	switch v := v.(type) {
	case *ast.String:
		return w.text(v, v.Text, t)
	case *ast.Tagged:
		return w.text(v, v.Text, t)
	case *ast.Symbol:
		return w.symbol(v, t)
	case *ast.Bool:
		if !kindFits(t, KindBoolean) {
			return w.mistyped(v, t)
		}
		w.json = strconv.AppendBool(w.json, v.Value)
		return true
	case *ast.Number:
		return w.number(v, t)
	case *ast.Array:
		return w.array(v, t)
	case *ast.Record:
		return w.object(v, t)
	}
	return w.mistyped(v, t)
}

// kindFits reports whether a value of that kind may be of type t.
func kindFits(t *Type, k Kind) bool {
	if t == nil || t.Kind == k || t.Kind == KindNumber && k == KindInteger {
		return true
	}
	if t.Kind != KindAny {
		return false
	}
	types := t.keyword("type")
	return types == nil || bytes.Contains(types, []byte(`"`+k+`"`)) ||
		k == KindInteger && bytes.Contains(types, []byte(`"number"`))
}

func (w *valueWriter) text(v ast.Value, text string, t *Type) bool {
	if !kindFits(t, KindString) {
		return w.mistyped(v, t)
	}
	w.json = appendString(w.json, text)
	return true
}

// symbol takes a bare word as text where text may stand, and null as null
// where anything may.
func (w *valueWriter) symbol(v *ast.Symbol, t *Type) bool {
	if isNull(v) && (w.literal && t == nil || t != nil && t.Kind == KindAny && kindFits(t, KindNull)) {
		w.json = append(w.json, "null"...)
		return true
	}
	if !kindFits(t, KindString) || w.literal {
		return w.mistyped(v, t)
	}
	w.symbols = append(w.symbols, v)
	w.json = appendString(w.json, v.Text)
	return true
}

func (w *valueWriter) number(v *ast.Number, t *Type) bool {
	kind := KindInteger
	if v.Kind == ast.Decimal && !jsonschema.DecimalOf(v.Raw).IsInteger() {
		kind = KindNumber
	}
	if v.Kind == ast.Measurement || !kindFits(t, kind) {
		return w.mistyped(v, t)
	}
	w.json = append(w.json, v.Digits()...)
	return true
}

func (w *valueWriter) array(v *ast.Array, t *Type) bool {
	if !kindFits(t, KindArray) {
		return w.mistyped(v, t)
	}
	var elem *Type
	if t != nil {
		elem = t.Elem
	}
	w.json = append(w.json, '[')
	for i, e := range v.Elements {
		if i > 0 {
			w.json = append(w.json, ',')
		}
		if !w.value(e, elem) {
			w.path = "[" + strconv.Itoa(i) + "]" + w.path
			return false
		}
	}
	w.json = append(w.json, ']')
	return true
}

func (w *valueWriter) object(v *ast.Record, t *Type) bool {
	if !kindFits(t, KindObject) {
		return w.mistyped(v, t)
	}
	w.json = append(w.json, '{')
	present := make(map[string]bool, len(v.Properties))
	required := 0
	for i, p := range v.Properties {
		if i > 0 {
			w.json = append(w.json, ',')
		}
		key := p.Key.Text
		var field *Type
		if t != nil {
			field = t.Rest
			if f := t.Field(key); f != nil {
				field = f.Type
				if !f.Optional && !present[key] {
					required++
				}
			} else if string(t.keyword("additionalProperties")) == "false" {
				return w.fail(v, fmt.Sprintf("has the field %s, which its type does not know", report.Quote(key)))
			}
		}
		present[key] = true
		w.json = append(appendString(w.json, key), ':')
		if !w.value(p.Value, field) {
			w.path = "." + key + w.path
			return false
		}
	}
	w.json = append(w.json, '}')
	if t != nil && required < t.required {
		i := slices.IndexFunc(t.Fields, func(f *Param) bool { return !f.Optional && !present[f.Name] })
		w.fail(v, fmt.Sprintf("lacks the field %s of its type", report.Quote(t.Fields[i].Name)))
		w.span = report.LastByte(w.span, "}")
		return false
	}
	return true
}

// satisfies compares a value with the keywords of its type.
func (w *valueWriter) satisfies(v ast.Value, text []byte, t *Type) bool {
	for t != nil {
		for i := range t.Keywords {
			if problem := w.c.violation(&t.Keywords[i], v, text); problem != "" {
				return w.fail(v, problem)
			}
		}
		if t.Def == nil {
			return true
		}
		t = t.Def.Type
	}
	return true
}

// violation says in what way a value is not what a keyword asks for, "" when
// it is. The text is the JSON of the value.
func (c *Checker) violation(k *Keyword, v ast.Value, text []byte) string {
	switch k.Name {
	case "enum", "const":
		if !c.members(k)[canonical(text)] {
			return fmt.Sprintf("is %s; it must be one of %s", report.Clip(string(text)), report.Clip(listed(k.Value)))
		}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return numberViolation(k, text)
	case "minLength", "maxLength":
		if s, ok := ast.WordOf(v); ok {
			return countViolation(k, utf8.RuneCountInString(s), "characters")
		}
	case "pattern":
		s, ok := ast.WordOf(v)
		var pattern string
		if !ok || json.Unmarshal(k.Value, &pattern) != nil {
			return ""
		}
		if re := c.compiled(pattern); re != nil && !re.MatchString(s) {
			return fmt.Sprintf("is %s, which does not match the pattern %s", report.Clip(string(text)), report.Clip(pattern))
		}
	case "uniqueItems":
		if string(k.Value) == "true" && hasTwins(v, text) {
			return "has an element twice; its type wants each one once"
		}
	case "minItems", "maxItems":
		if list, ok := v.(*ast.Array); ok {
			return countViolation(k, len(list.Elements), "elements")
		}
	case "minProperties", "maxProperties":
		if r, ok := v.(*ast.Record); ok {
			return countViolation(k, len(r.Properties), "fields")
		}
	}
	return ""
}

// listed returns the values of an enum, or a const, for people.
func listed(values json.RawMessage) string {
	var list []json.RawMessage
	if json.Unmarshal(values, &list) != nil {
		return string(values)
	}
	words := make([]string, min(len(list), report.MaxQuoted)) // more would be cut
	for i := range words {
		words[i] = string(list[i])
	}
	return strings.Join(words, ", ")
}

// hasTwins reports whether an array, of which the text is the JSON, has equal
// elements.
func hasTwins(v ast.Value, text []byte) bool {
	var elements []json.RawMessage
	if _, ok := v.(*ast.Array); !ok || json.Unmarshal(text, &elements) != nil {
		return false
	}
	seen := make(map[string]bool, len(elements))
	for _, e := range elements {
		if seen[canonical(e)] {
			return true
		}
		seen[canonical(e)] = true
	}
	return false
}

// members returns the values of an enum or a const, as canonical writes them.
// An enum may have many values and be asked for many times.
func (c *Checker) members(k *Keyword) map[string]bool {
	key := &k.Value[0] // nobody changes the values of keywords
	if known := c.enums[key]; known != nil {
		return known
	}
	var values []json.RawMessage
	if k.Name == "const" {
		values = append(values, k.Value)
	} else if err := json.Unmarshal(k.Value, &values); err != nil {
		panic("compile: " + err.Error())
	}
	set := make(map[string]bool, len(values))
	for _, v := range values {
		set[canonical(v)] = true
	}
	if c.enums == nil {
		c.enums = map[*byte]map[string]bool{}
	}
	c.enums[key] = set
	return set
}

// canonical returns JSON so that equal numbers are equal.
func canonical(value json.RawMessage) string {
	if n := Rational(value); n != nil {
		return n.RatString()
	}
	return string(value)
}

// compiled returns a pattern that values are compared with, nil for one that is
// wrong.
func (c *Checker) compiled(pattern string) *regexp.Regexp {
	re, known := c.regexps[pattern]
	if !known {
		re, _ = regexp.Compile(pattern) // its mistakes were reported where it is written
		if c.regexps == nil {
			c.regexps = map[string]*regexp.Regexp{}
		}
		c.regexps[pattern] = re
	}
	return re
}

func numberViolation(k *Keyword, value json.RawMessage) string {
	limit := string(k.Value)
	order, ok := compareNumbers(value, k.Value)
	switch {
	case !ok:
	case k.Name == "multipleOf":
		n, step := Rational(value), Rational(k.Value)
		if n != nil && step != nil && !new(big.Rat).Quo(n, step).IsInt() {
			return "is not a multiple of " + limit
		}
	case k.Name == "minimum" && order < 0:
		return "is below its min " + limit
	case k.Name == "maximum" && order > 0:
		return "is above its max " + limit
	case k.Name == "exclusiveMinimum" && order <= 0:
		return "must be above " + limit
	case k.Name == "exclusiveMaximum" && order >= 0:
		return "must be below " + limit
	}
	return ""
}

func countViolation(k *Keyword, have int, things string) string {
	n, err := strconv.Atoi(string(k.Value))
	switch {
	case err != nil:
	case strings.HasPrefix(k.Name, "min") && have < n:
		return fmt.Sprintf("has %d %s; at least %d are wanted", have, things, n)
	case strings.HasPrefix(k.Name, "max") && have > n:
		return fmt.Sprintf("has %d %s; at most %d are allowed", have, things, n)
	}
	return ""
}
