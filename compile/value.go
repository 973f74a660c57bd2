package compile

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
)

// tagJSON is the tag of a text that is a JSON value: json`[1, [2, 3], null]`.
const tagJSON = "json"

// typedValue lowers a default, an enum value and the like to exactly the JSON
// that it is: numbers keep their spelling. The word says what it is. It returns
// nil when the value does not fit the type, which it tells once.
func (c *compiler) typedValue(v ast.Value, t *Type, what, word string) json.RawMessage {
	w := &valueWriter{broken: &c.broken}
	if tagged, ok := v.(*ast.Tagged); ok && tagged.Tag == tagJSON && (!isText(t) || t.acceptsNull() && tagged.Text == "null") {
		if v = c.jsonValue(tagged, what, word); v == nil {
			return nil
		}
		w.literal = true
	}
	if !w.value(v, t) {
		if w.wrong != nil {
			c.misfit(w, t, what, word)
		}
		return nil
	}
	if word != "enum value" {
		for _, symbol := range w.symbols {
			c.bareWord(symbol)
		}
	}
	return w.json
}

// isText reports whether a type holds text and nothing else.
func isText(t *Type) bool {
	t = t.resolved()
	return t != nil && t.Kind == KindString
}

// bareWord hints that a word without quotes was taken as text.
func (c *compiler) bareWord(v *ast.Symbol) {
	if strings.EqualFold(v.Text, "null") {
		h := c.diags.Warnf(v.Span(), diag.CodeDefaultTypeMismatch,
			"gram has no null, so this is taken as text; without a default, write optional:true, and for null itself a type such as `Text?`")
		fix(h, "put it in quotes", v.Span(), strconv.Quote(v.Text))
		return
	}
	h := c.diags.Hintf(v.Span(), diag.CodeDefaultTypeMismatch, "the word %s is taken as text", clip(v.Text))
	safeFix(h, "put it in quotes", v.Span(), strconv.Quote(v.Text))
}

// misfit tells that a value does not fit its type.
func (c *compiler) misfit(w *valueWriter, t *Type, what, word string) {
	at := ""
	if w.path != "" {
		at = " at " + clip(strings.TrimPrefix(w.path, "."))
	}
	span := w.wrong.Span()
	switch {
	case w.reason == reasonMissing:
		c.diags.Errorf(lastByte(span, "}"), diag.CodeDefaultTypeMismatch, "the %s of %s%s lacks the field %s of its type", word, what, at, quote(w.wanted))
	case w.reason == reasonConstraint:
		c.diags.Errorf(span, diag.CodeDefaultTypeMismatch, "the %s of %s%s %s", word, what, at, w.wanted)
	case at == "":
		c.diags.Errorf(span, diag.CodeDefaultTypeMismatch, "%s is of type %s, but its %s is %s", what, w.wanted, word, kindOf(w.wrong))
	default:
		c.diags.Errorf(span, diag.CodeDefaultTypeMismatch, "%s is of type %s, but its %s has %s where %s is wanted%s",
			what, typeWord(t), word, kindOf(w.wrong), w.wanted, at)
	}
}

// A misfitReason is why a value does not fit its type.
type misfitReason uint8

const (
	reasonType       misfitReason = iota // wanted names the type
	reasonMissing                        // wanted names the field
	reasonConstraint                     // wanted says what is wrong
)

// maxValueSteps bounds the work for one value: a value may be tried against
// every alternative of a union, at every level.
const maxValueSteps = 200_000

// A valueWriter writes one value as JSON and compares it with a type on the
// way.
type valueWriter struct {
	json    []byte
	symbols []*ast.Symbol // taken as text
	literal bool          // the value is JSON, and null in it is null
	broken  *bool         // part of the value did not parse
	steps   int

	// The first misfit.
	wrong  ast.Value
	path   string // from the whole value to the wrong part
	reason misfitReason
	wanted string
}

// fail notes a misfit.
func (w *valueWriter) fail(v ast.Value, reason misfitReason, wanted string) bool {
	w.wrong, w.path, w.reason, w.wanted = v, "", reason, wanted
	return false
}

// value writes v, which must fit t; nil means any type.
func (w *valueWriter) value(v ast.Value, t *Type) bool {
	if v == nil {
		*w.broken = true
		return false
	}
	if w.steps++; w.steps > maxValueSteps {
		return w.fail(v, reasonConstraint, "is too large to be compared with its type")
	}
	use := t
	if t != nil {
		if t.acceptsNull() && isNull(v) {
			w.json = append(w.json, "null"...)
			return true
		}
		if t = t.resolved(); t == nil {
			return w.plain(v, nil) // the type is wrong, which has been told
		}
	}
	start := len(w.json)
	if t != nil && t.Union != nil {
		return w.union(v, t)
	}
	return w.plain(v, t) && w.satisfies(v, w.json[start:], use)
}

// isNull reports whether a value is the word null.
func isNull(v ast.Value) bool {
	word, ok := v.(*ast.Symbol)
	return ok && word.Text == "null"
}

// union writes a value that must fit one alternative.
func (w *valueWriter) union(v ast.Value, t *Type) bool {
	start, symbols := len(w.json), len(w.symbols)
	for _, alternative := range t.Union {
		if w.value(v, alternative) {
			return true
		}
		w.json, w.symbols = w.json[:start], w.symbols[:symbols]
		if w.steps > maxValueSteps {
			return false
		}
	}
	return w.fail(v, reasonType, typeWord(t))
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
			return w.fail(v, reasonType, typeWord(t))
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
	return w.fail(v, reasonType, wantedWord(t))
}

// wantedWord names what a value should be.
func wantedWord(t *Type) string {
	if t == nil {
		return "a value that JSON has"
	}
	return typeWord(t)
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
		return w.fail(v, reasonType, typeWord(t))
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
		return w.fail(v, reasonType, typeWord(t))
	}
	w.symbols = append(w.symbols, v)
	w.json = appendString(w.json, v.Text)
	return true
}

func (w *valueWriter) number(v *ast.Number, t *Type) bool {
	kind := KindInteger
	if v.Kind == ast.Decimal && !isWhole(v.Raw) {
		kind = KindNumber
	}
	if v.Kind == ast.Measurement || !kindFits(t, kind) {
		return w.fail(v, reasonType, wantedWord(t))
	}
	w.json = append(w.json, v.Digits()...)
	return true
}

// isWhole reports whether a decimal number is an integer.
func isWhole(raw string) bool {
	if !strings.ContainsAny(raw, "eE") {
		return strings.Trim(raw[strings.IndexByte(raw, '.')+1:], "0") == ""
	}
	r := rational(json.RawMessage(raw))
	return r != nil && r.IsInt()
}

func (w *valueWriter) array(v *ast.Array, t *Type) bool {
	if !kindFits(t, KindArray) {
		return w.fail(v, reasonType, typeWord(t))
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
		return w.fail(v, reasonType, typeWord(t))
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
			if f := t.byName[key]; f != nil {
				field = f.Type
				if !f.Optional && !present[key] {
					required++
				}
			} else if string(t.keyword("additionalProperties")) == "false" {
				return w.fail(v, reasonConstraint, fmt.Sprintf("has the field %s, which its type does not know", quote(key)))
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
		return w.fail(v, reasonMissing, t.Fields[i].Name)
	}
	return true
}

// satisfies compares a value with the keywords of its type.
func (w *valueWriter) satisfies(v ast.Value, text []byte, t *Type) bool {
	for t != nil {
		for i := range t.Keywords {
			w.steps += len(t.Keywords[i].Value) / 64 // a long enum takes time
			if problem := violation(&t.Keywords[i], v, text); problem != "" {
				return w.fail(v, reasonConstraint, problem)
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
func violation(k *Keyword, v ast.Value, text []byte) string {
	value := string(k.Value)
	switch k.Name {
	case "enum", "const":
		if !contains(k.Value, text) {
			return fmt.Sprintf("is %s; it must be one of %s", clip(string(text)), clip(listed(k.Value)))
		}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return numberViolation(k.Name, k.Value, text)
	case "minLength", "maxLength":
		if s, ok := textOf(v); ok {
			return countViolation(k.Name, value, utf8.RuneCountInString(s), "characters")
		}
	case "pattern":
		s, ok := textOf(v)
		var pattern string
		if !ok || json.Unmarshal(k.Value, &pattern) != nil {
			return ""
		}
		if re, err := regexp.Compile(pattern); err == nil && !re.MatchString(s) {
			return fmt.Sprintf("is %s, which does not match the pattern %s", clip(string(text)), clip(pattern))
		}
	case "minItems", "maxItems":
		if list, ok := v.(*ast.Array); ok {
			return countViolation(k.Name, value, len(list.Elements), "elements")
		}
	case "minProperties", "maxProperties":
		if r, ok := v.(*ast.Record); ok {
			return countViolation(k.Name, value, len(r.Properties), "fields")
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
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = string(v)
	}
	return strings.Join(words, ", ")
}

func textOf(v ast.Value) (string, bool) {
	if word, ok := v.(*ast.Symbol); ok {
		return word.Text, true
	}
	return ast.TextOf(v)
}

// contains reports whether a JSON value is one of a list, or is the other one.
func contains(list json.RawMessage, value []byte) bool {
	var values []json.RawMessage
	if json.Unmarshal(list, &values) != nil {
		values = []json.RawMessage{list}
	}
	n := rational(value)
	return slices.ContainsFunc(values, func(other json.RawMessage) bool {
		if bytes.Equal(other, value) {
			return true
		}
		m := rational(other)
		return n != nil && m != nil && n.Cmp(m) == 0
	})
}

func numberViolation(keyword string, limit, value json.RawMessage) string {
	if keyword == "multipleOf" {
		step, have := rational(limit), rational(value)
		if step != nil && have != nil && step.Sign() > 0 && !new(big.Rat).Quo(have, step).IsInt() {
			return "is not a multiple of " + string(limit)
		}
		return ""
	}
	if order, ok := compareNumbers(value, limit); ok {
		return orderViolation(keyword, string(limit), order)
	}
	return ""
}

// orderViolation says in what way a number is out of bounds; order is how it
// compares with the limit.
func orderViolation(keyword, limit string, order int) string {
	switch {
	case keyword == "minimum" && order < 0:
		return "is below its min " + limit
	case keyword == "maximum" && order > 0:
		return "is above its max " + limit
	case keyword == "exclusiveMinimum" && order <= 0:
		return "must be above " + limit
	case keyword == "exclusiveMaximum" && order >= 0:
		return "must be below " + limit
	}
	return ""
}

func countViolation(keyword, limit string, have int, things string) string {
	n, err := strconv.Atoi(limit)
	switch {
	case err != nil:
	case strings.HasPrefix(keyword, "min") && have < n:
		return fmt.Sprintf("has %d %s; at least %d are wanted", have, things, n)
	case strings.HasPrefix(keyword, "max") && have > n:
		return fmt.Sprintf("has %d %s; at most %d are allowed", have, things, n)
	}
	return ""
}
