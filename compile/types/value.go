package types

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// tagJSON is the tag of a text that is a RawJSON value: json`[1, [2, 3], null]`.
const tagJSON = "json"

// typedValue lowers a default, an enum value and the like to exactly the RawJSON
// that it is: numbers keep their spelling. The word says what it is. It returns
// nil when the value does not fit the type, which it reports once.
func (c *Checker) typedValue(v ast.Value, t *Type, what, word string) json.RawMessage {
	if tagged, ok := v.(*ast.Tagged); ok && tagged.Tag == tagJSON && (!isTextType(t) || t.AcceptsNull() && tagged.Text == "null") {
		if v = c.literalJSON(tagged, what, word); v == nil {
			return nil
		}
		return c.fittingValue(v, t, what, word, true)
	}
	return c.fittingValue(v, t, what, word, false)
}

// fittingValue is typedValue for a value that may be literal: RawJSON, in which null is
// null.
func (c *Checker) fittingValue(v ast.Value, t *Type, what, word string, literal bool) json.RawMessage {
	w := &valueWriter{c: c, literal: literal}
	if !w.value(v, t) {
		if w.wrong != nil {
			c.valueMisfit(w, t, what, word)
		}
		return nil
	}
	for _, symbol := range w.symbols {
		if word != "enum value" || strings.EqualFold(symbol.Text, "null") {
			c.bareValue(symbol)
		}
	}
	return w.json
}

// bareValue hints that a word without quotes was taken as text.
func (c *Checker) bareValue(v *ast.Symbol) {
	if strings.EqualFold(v.Text, "null") {
		h := c.Diags.Warnf(v.Span(), diag.CodeDefaultTypeMismatch,
			"gram has no null, so this is read as text; without a default, write optional:true, and for null itself a type such as `Text?`")
		c.fixNoneValue(h, v)
		return
	}
	h := c.Diags.Hintf(v.Span(), diag.CodeDefaultTypeMismatch, "the word %s is read as text; put it in quotes", report.Quote(v.Text))
	if slices.Contains([]string{"none", "nil", "undefined"}, strings.ToLower(v.Text)) {
		c.fixNoneValue(h, v)
		return
	}
	if near := c.Guess(v.Text, []string{"true", "false", "null"}); near != "" {
		report.Fix(h, "write "+near, v.Span(), near)
		report.Fix(h, "put it in quotes", v.Span(), strconv.Quote(v.Text))
		return
	}
	if slices.Contains([]string{"json", "type", "re"}, v.Text) || strings.HasPrefix(v.Text, "null") { // the text of the tag may be lost
		report.Fix(h, "put it in quotes", v.Span(), strconv.Quote(v.Text))
		return
	}
	report.SafeFix(h, "put it in quotes", v.Span(), strconv.Quote(v.Text))
}

// fixNoneValue offers to write a default that means that there is none as optional: true.
func (c *Checker) fixNoneValue(d *diag.Diagnostic, v *ast.Symbol) {
	span := v.Span()
	before := strings.TrimSpace(span.File.Text()[:span.Start])
	if key, ok := strings.CutSuffix(before, ":"); ok {
		if key, ok = strings.CutSuffix(strings.TrimSpace(key), "default"); ok {
			report.Fix(d, "write optional: true", span.File.Span(len(key), span.End), "optional: true")
		}
	}
	report.Fix(d, "put it in quotes", span, strconv.Quote(v.Text))
}

// valueMisfit reports that a value does not fit its type.
func (c *Checker) valueMisfit(w *valueWriter, t *Type, what, word string) {
	at := ""
	if w.path != "" {
		at = " at " + report.Clip(strings.TrimPrefix(w.path, "."))
	}
	message := fmt.Sprintf("the %s of %s%s %s", word, what, at, w.problem)
	switch {
	case w.problem != "":
	case t == nil:
		message = fmt.Sprintf("the %s of %s has %s where %s is wanted%s", word, what, report.KindOf(w.wrong), w.wanted, at)
	case at == "":
		message = fmt.Sprintf("%s is of type %s, but its %s is %s", what, w.wanted, word, report.KindOf(w.wrong))
	default:
		message = fmt.Sprintf("%s is of type %s, but its %s has %s where %s is wanted%s", what, TypeWord(t), word, report.KindOf(w.wrong), w.wanted, at)
	}
	d := c.Diags.Errorf(w.span, diag.CodeDefaultTypeMismatch, "%s", message)
	if meant := w.meantValue(); meant != nil {
		report.Fix(d, "write "+report.Clip(ast.Print(meant)), w.wrong.Span(), ast.Print(meant)) // not safe: the type may be wrong
	} else if near := c.meantEnumValue(w); near != "" {
		report.Fix(d, "write "+report.Clip(near), w.span, near)
	}
}

// A value may be tried against every alternative of a union, at every level.
const (
	maxValueSteps = 200_000    // for one value
	maxSteps      = 20_000_000 // for all values of a file
)

// A valueWriter writes one value as RawJSON and compares it with a type on the
// way.
type valueWriter struct {
	c       *Checker
	json    []byte
	symbols []*ast.Symbol // taken as text
	literal bool          // the value is RawJSON, and null in it is null
	steps   int

	// The first misfit.
	wrong   ast.Value
	span    source.Span     // of the wrong part
	path    string          // from the whole value to the wrong part
	problem string          // what is wrong; "" = the type
	wanted  string          // the type
	typ     *Type           // that type; nil when it is not known
	values  json.RawMessage // of the enum that the wrong part is not in
}

// fail notes that a value violates something else than its type.
func (w *valueWriter) fail(v ast.Value, problem string) bool {
	w.wrong, w.span, w.path, w.problem = v, v.Span(), "", problem
	return false
}

// mistyped notes that a value is not of its type.
func (w *valueWriter) mistyped(v ast.Value, t *Type) bool {
	w.wanted, w.typ = "a value that JSON has", t
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
		if isNullValue(v) && t.AcceptsNull() {
			w.json = append(w.json, "null"...)
			return t.isNullable() || w.satisfiesKeywords(v, w.json[start:], t)
		}
		if t = t.Resolved(); t == nil {
			return w.plain(v, nil) // the type is wrong, which is already reported
		}
	}
	if t != nil && t.Union != nil {
		return w.union(v, t) && w.satisfiesKeywords(v, w.json[start:], use)
	}
	return w.plain(v, t) && w.satisfiesKeywords(v, w.json[start:], use)
}

func (w *valueWriter) exhausted() bool { return w.steps > maxValueSteps || w.c.steps > maxSteps }

// isNullValue reports whether a value is the word null.
func isNullValue(v ast.Value) bool {
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
		if !kindFitsValue(t, KindBoolean) {
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

// kindFitsValue reports whether a value of that kind may be of type t.
func kindFitsValue(t *Type, k Kind) bool {
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
	if !kindFitsValue(t, KindString) {
		return w.mistyped(v, t)
	}
	w.json = schemaString(w.json, text)
	return true
}

// symbol takes a bare word as text where text may stand, and null as null
// where anything may.
func (w *valueWriter) symbol(v *ast.Symbol, t *Type) bool {
	if isNullValue(v) && (w.literal && t == nil || t != nil && t.Kind == KindAny && kindFitsValue(t, KindNull)) {
		w.json = append(w.json, "null"...)
		return true
	}
	if !kindFitsValue(t, KindString) || w.literal {
		return w.mistyped(v, t)
	}
	w.symbols = append(w.symbols, v)
	w.json = schemaString(w.json, v.Text)
	return true
}

func (w *valueWriter) number(v *ast.Number, t *Type) bool {
	kind := KindInteger
	if v.Kind == ast.Decimal && !jsonschema.DecimalOf(v.Raw).IsInteger() {
		kind = KindNumber
	}
	if v.Kind == ast.Measurement || !kindFitsValue(t, kind) {
		return w.mistyped(v, t)
	}
	w.json = append(w.json, v.Digits()...)
	return true
}

func (w *valueWriter) array(v *ast.Array, t *Type) bool {
	if !kindFitsValue(t, KindArray) {
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
	if !kindFitsValue(t, KindObject) {
		return w.mistyped(v, t)
	}
	w.json = append(w.json, '{')
	present := make(map[string]bool, len(v.Properties))
	required := int32(0)
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
		w.json = append(schemaString(w.json, key), ':')
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
