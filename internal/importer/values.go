package importer

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// values checks the values in a type. What does not fit is reported and left
// out.
func (r *reader) values(t *typ, at *jsonschema.Location) {
	r.valued = true
	enum := t.attr("enum")
	if enum != nil {
		r.enum(t, enum, at)
	}
	bare := *t
	bare.attrs = nil
	if v := t.attr("const"); v != nil && !r.fits(v, &bare, "the const", at.Key("const")) {
		t.drop("const")
	}
	if t.value != nil && !r.fits(t.value, t, "the default", at.Key("default")) {
		t.value = nil
	}
	examples, here := t.attr("examples"), at.Key("examples")
	if examples == nil {
		return
	}
	if enum = t.attr("enum"); enum != nil && len(enum.Items)*len(examples.Items) > maxCompared {
		r.lost(r.span(examples), here, "too many examples to compare with the enum")
		t.drop("examples")
	} else if slices.ContainsFunc(examples.Items, func(v *jsonschema.Node) bool { return !r.fits(v, t, "an example", here) }) {
		t.drop("examples")
	}
}

// maxCompared bounds how often an example is compared with an enum value.
const maxCompared = 1_000_000

// fits reports whether a value is of a type, and reports why it is not.
func (r *reader) fits(v *jsonschema.Node, t *typ, what string, at *jsonschema.Location) bool {
	problem := misfit(v, t)
	if problem != "" {
		r.lost(r.span(v), at, "%s does not fit its type: %s", what, problem)
	}
	return problem == ""
}

// enum checks the values of an enum. A value that does not fit the rest of the
// type is never valid, so that the type means the same without it.
func (r *reader) enum(t *typ, enum *jsonschema.Node, at *jsonschema.Location) {
	bare := *t
	bare.drop("enum")
	bare.drop("const")
	here := at.Key("enum")
	var kept []*jsonschema.Node
	for _, item := range enum.Items {
		if problem := misfit(item, &bare); problem != "" {
			r.rewritten(r.span(item), here, "an enum value that does not fit its type is left out: %s", problem)
			continue
		}
		kept = append(kept, item)
	}
	if len(kept) == 0 {
		r.lost(r.span(enum), here, "no value of the enum fits its type")
		t.drop("enum")
		return
	}
	if t.nullable {
		kept = r.nullOf(t, enum, kept, at)
	}
	for i := range t.attrs {
		if t.attrs[i].key == "enum" {
			t.attrs[i].value = moved(jsonschema.Array(kept...), enum)
		}
	}
}

// nullOf makes null of a nullable type the last value of its enum, and makes
// the type one that gram has.
func (r *reader) nullOf(t *typ, enum *jsonschema.Node, values []*jsonschema.Node, at *jsonschema.Location) []*jsonschema.Node {
	isNull := func(n *jsonschema.Node) bool { return n.Is(jsonschema.KindNull) }
	others := slices.DeleteFunc(slices.Clone(values), isNull)
	constrained := slices.ContainsFunc(t.attrs, func(a attr) bool { return !isNote(a.key) && a.key != "enum" && a.key != "const" })
	switch nulls := len(values) - len(others); {
	case nulls == 1 && isNull(values[len(values)-1]):
		return values
	case !constrained && t.ref == nil && t.union == nil && t.kind != "Object" && t.kind != "Array":
		t.types, t.kind, t.nullable = []string{t.kind, "Null"}, "Any", false
		return values
	case nulls == 0:
		r.rewritten(r.span(enum), at, "null is not a value of the enum, and is left out of the type")
		t.nullable = false
		return values
	}
	r.rewritten(r.span(enum), at.Key("enum"), "null becomes the last value of the enum")
	return append(others, values[slices.IndexFunc(values, isNull)])
}

// A fitter compares a value with a type as package compile does.
type fitter struct {
	steps    int
	anything *typ
}

// maxFitSteps bounds the work for one value, and maxValueDepth its depth.
const (
	maxFitSteps   = 50_000
	maxValueDepth = 90
)

// misfit returns why a value is not of a type, "" if it is.
func misfit(v *jsonschema.Node, t *typ) string {
	f := &fitter{anything: &typ{kind: "Any"}}
	return f.misfit(v, t, 0)
}

func (f *fitter) misfit(v *jsonschema.Node, t *typ, depth int) string {
	if t == nil {
		t = f.anything
	}
	f.steps++
	switch {
	case f.steps > maxFitSteps:
		return "it is too large to be compared with its type"
	case depth > maxValueDepth:
		return fmt.Sprintf("it is nested deeper than %d levels", maxValueDepth)
	case v.Is(jsonschema.KindNull) && t.takesNull(0):
		return ""
	case t.ref != nil && t.ref.typ == nil:
		return "its type never ends"
	case t.ref != nil:
		return f.misfit(v, t.ref.typ, depth+1)
	case t.union != nil:
		if !slices.ContainsFunc(t.union, func(u *typ) bool { return f.misfit(v, u, depth+1) == "" }) {
			return "it fits no alternative"
		}
		return ""
	case !t.takes(v):
		return fmt.Sprintf("%s is not %s", clip(jsonText(v)), t.word())
	}
	if problem := f.parts(v, t, depth); problem != "" {
		return problem
	}
	for _, a := range t.attrs {
		if !satisfies(v, a) {
			return fmt.Sprintf("%s violates %s %s", clip(jsonText(v)), a.key, clip(jsonText(a.value)))
		}
	}
	return ""
}

// word returns the name of a type for a message.
func (t *typ) word() string {
	if len(t.types) > 0 {
		return strings.Join(t.types, " or ")
	}
	return t.kind
}

// takes reports whether a value is of the kind of t.
func (t *typ) takes(v *jsonschema.Node) bool {
	kinds := t.types
	if kinds == nil {
		kinds = []string{t.kind}
	}
	kind := valueKind(v)
	return t.kind == "Any" && t.types == nil || slices.Contains(kinds, kind) || kind == "Int" && slices.Contains(kinds, "Number")
}

// valueKind returns the gram type of a value.
func valueKind(v *jsonschema.Node) string {
	if v.Is(jsonschema.KindNumber) && !isWhole(v.Raw()) {
		return "Number"
	}
	return gramKind(v.TypeOf().Names()[0])
}

// parts compares the parts of a value with the parts of its type.
func (f *fitter) parts(v *jsonschema.Node, t *typ, depth int) string {
	for i, item := range v.Items {
		if problem := f.misfit(item, t.elem, depth+1); problem != "" {
			return fmt.Sprintf("element %d: %s", i, problem)
		}
	}
	if v.Kind != jsonschema.KindObject {
		return ""
	}
	f.steps += len(t.fields)
	fields := make(map[string]*typ, len(t.fields))
	for _, field := range t.fields {
		fields[field.name] = field.typ
		if field.required && v.Get(field.name) == nil {
			return "the field " + quote(field.name) + " is missing"
		}
	}
	for _, m := range v.Members {
		typ, known := fields[m.Key]
		if !known {
			if typ = t.rest; t.isClosed() {
				return "the field " + quote(m.Key) + " is not declared"
			}
		}
		if problem := f.misfit(m.Value, typ, depth+1); problem != "" {
			return "field " + quote(m.Key) + ": " + problem
		}
	}
	return ""
}

// satisfies reports whether a value is valid for an attribute.
func satisfies(v *jsonschema.Node, a attr) bool {
	if v.TypeOf()&a.On == 0 {
		return true
	}
	order := func() int { return sizeOf(v).Compare(jsonschema.DecimalOf(a.value.Raw())) }
	switch a.Name {
	case "enum":
		return slices.ContainsFunc(a.value.Items, func(n *jsonschema.Node) bool { return jsonschema.Equal(n, v) })
	case "const":
		return jsonschema.Equal(a.value, v)
	case "pattern":
		re, err := regexp.Compile(a.value.Text())
		return err != nil || re.MatchString(v.Text())
	case "multipleOf":
		have, step := rational(v), rational(a.value)
		return have == nil || step == nil || new(big.Rat).Quo(have, step).IsInt()
	case "exclusiveMinimum":
		return order() > 0
	case "exclusiveMaximum":
		return order() < 0
	case "minimum", "minLength", "minItems", "minProperties":
		return order() >= 0
	case "maximum", "maxLength", "maxItems", "maxProperties":
		return order() <= 0
	}
	return true
}

// sizeOf returns what attributes limit of a value: a number, or how many
// characters, elements or fields it has.
func sizeOf(v *jsonschema.Node) jsonschema.Decimal {
	n := len(v.Items) + len(v.Members)
	switch v.Kind {
	case jsonschema.KindNumber:
		return jsonschema.DecimalOf(v.Raw())
	case jsonschema.KindString:
		n = utf8.RuneCountInString(v.Text())
	}
	return jsonschema.DecimalOf(strconv.Itoa(n))
}

// isWhole reports whether a number is an integer, and one that package compile
// accepts as one.
func isWhole(number string) bool {
	if !strings.ContainsAny(number, "eE") {
		return jsonschema.DecimalOf(number).IsInteger()
	}
	r := types.Rational(json.RawMessage(number))
	return r != nil && r.IsInt()
}

// rational returns a number, nil for other values and for numbers that are too
// long or too large to compute with.
func rational(n *jsonschema.Node) *big.Rat {
	if !n.Is(jsonschema.KindNumber) {
		return nil
	}
	return types.Rational(json.RawMessage(n.Raw()))
}

// count returns a count as gram writes it: an integer from 0.
func count(n *jsonschema.Node) (*jsonschema.Node, bool) {
	const most = 1 << 53
	r := rational(n)
	if r == nil || !isWhole(n.Raw()) || r.Sign() < 0 || r.Num().Cmp(big.NewInt(most)) >= 0 {
		return nil, false
	}
	return moved(jsonschema.Number(r.Num().String()), n), true
}
