package importer

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// finish reads what keywords say together, and lets the values wait until all
// types are read.
func (r *reader) finish(t *typ, at *place) {
	for _, side := range [][3]string{{"exclusiveMin", "min", "exclusiveMinimum"}, {"exclusiveMax", "max", "exclusiveMaximum"}} {
		flag := t.get(side[0])
		if !flag.is(kindBool) {
			continue
		}
		t.drop(side[0])
		if bound := t.get(side[1]); flag.text == "true" && bound != nil {
			t.drop(side[1])
			t.attrs = append(t.attrs, attr{side[0], bound})
		}
		r.rewritten(flag.span, at.key(side[2]), "the older form of %s becomes a number", side[2])
		r.cover(at.key(map[string]string{"min": "minimum", "max": "maximum"}[side[1]]))
	}
	for _, pair := range [][3]string{
		{"min", "max", "maximum"}, {"min", "exclusiveMax", "exclusiveMaximum"}, {"exclusiveMin", "max", "maximum"}, {"exclusiveMin", "exclusiveMax", "exclusiveMaximum"},
		{"minLength", "maxLength", "maxLength"}, {"minItems", "maxItems", "maxItems"}, {"minFields", "maxFields", "maxProperties"},
	} {
		low, high := t.get(pair[0]), t.get(pair[1])
		if low == nil || high == nil {
			continue
		}
		if order := compareNumbers(low.text, high.text); order > 0 || order == 0 && strings.Contains(pair[0]+pair[1], "exclusive") {
			r.lost(high.span, at.key(pair[2]), "no value is possible: %s is %s and %s is %s", pair[0], clip(low.text), pair[1], clip(high.text))
			t.drop(pair[1])
		}
	}
	if t.value != nil || t.get("enum") != nil || t.get("const") != nil || t.get("examples") != nil {
		r.later = append(r.later, func() { r.values(t, at) })
	}
}

// values checks the values in a type: what does not fit is told and left out.
func (r *reader) values(t *typ, at *place) {
	r.valued = true
	if enum := t.get("enum"); enum != nil {
		r.enum(t, enum, at)
	}
	if v := t.get("const"); v != nil {
		bare := *t
		bare.attrs = nil
		if problem := r.misfit(v, &bare); problem != "" {
			r.lost(v.span, at.key("const"), "the const %s", problem)
			t.drop("const")
		}
	}
	if v := t.value; v != nil {
		if problem := r.misfit(v, t); problem != "" {
			r.lost(v.span, at.key("default"), "the default %s", problem)
			t.value = nil
		}
	}
	if v := t.get("examples"); v != nil {
		if enum := t.get("enum"); enum != nil && len(enum.items)*len(v.items) > maxCompared {
			r.lost(v.span, at.key("examples"), "too many examples to compare with the enum")
			t.drop("examples")
			return
		}
		for _, item := range v.items {
			if problem := r.misfit(item, t); problem != "" {
				r.lost(item.span, at.key("examples"), "the example %s", problem)
				t.drop("examples")
				return
			}
		}
	}
}

// enum checks the values of an enum. A value that the rest of the type refuses
// can never be one, so that the type means the same without it.
func (r *reader) enum(t *typ, enum *node, at *place) {
	bare := *t
	bare.drop("enum")
	bare.attrs = slices.DeleteFunc(slices.Clone(bare.attrs), func(a attr) bool { return a.key == "const" })
	here := at.key("enum")
	var kept []*node
	nulls := 0
	for _, item := range enum.items {
		if problem := r.misfit(item, &bare); problem != "" {
			r.rewritten(item.span, here, "the enum value %s, so that it can never be one", problem)
			continue
		}
		if item.kind == kindNull {
			nulls++
		}
		kept = append(kept, item)
	}
	if len(kept) == 0 {
		r.lost(enum.span, here, "no value of the enum fits its type")
		t.drop("enum")
		return
	}
	whole := &node{kind: kindArray, items: kept, span: enum.span}
	last := kept[len(kept)-1].kind == kindNull
	switch plain := t.ref == nil && t.union == nil && !slices.ContainsFunc(t.attrs, func(a attr) bool { return !isNote(a.key) && a.key != "enum" && a.key != "const" }); {
	case !t.nullable, nulls == 1 && last:
	case plain && t.kind != "Object" && t.kind != "Array":
		t.types, t.kind, t.nullable = []string{t.kind, "Null"}, "Any", false
	case nulls == 0:
		r.rewritten(enum.span, at, "null is none of the enum, so that the type says nothing of it")
		t.nullable = false
	default:
		r.rewritten(enum.span, here, "null becomes the last value of the enum")
		null := kept[slices.IndexFunc(kept, func(n *node) bool { return n.kind == kindNull })]
		whole.items = append(slices.DeleteFunc(kept, func(n *node) bool { return n.kind == kindNull }), null)
	}
	for i := range t.attrs {
		if t.attrs[i].key == "enum" {
			t.attrs[i].value = whole
		}
	}
}

// maxCompared bounds how often an example is compared with an enum value.
const maxCompared = 1_000_000

// A fitter compares a value with a type as package compile does.
type fitter struct{ steps int }

// maxFitSteps bounds the work for one value, and maxValueDepth its depth.
const (
	maxFitSteps   = 50_000
	maxValueDepth = 90
)

// misfit says in what way a value is none of a type, "" when it is one.
func (r *reader) misfit(v *node, t *typ) string { return (&fitter{}).misfit(v, t, 0) }

func (f *fitter) misfit(v *node, t *typ, depth int) string {
	if f.steps++; f.steps > maxFitSteps {
		return "is too large to be compared with its type"
	}
	if depth > maxValueDepth {
		return fmt.Sprintf("is nested deeper than %d", maxValueDepth)
	}
	if v.kind == kindNull && t.takesNull(0) {
		return ""
	}
	if t == nil {
		return f.inside(v, nil, depth)
	}
	if t.ref != nil {
		if t.ref.typ == nil {
			return "is of a type that never ends"
		}
		return f.misfit(v, t.ref.typ, depth+1)
	}
	if t.union != nil {
		for _, u := range t.union {
			if f.misfit(v, u, depth+1) == "" {
				return ""
			}
		}
		return "fits no alternative of its type"
	}
	if !t.takes(v) {
		return fmt.Sprintf("%s is no %s", clip(jsonText(v)), t.word())
	}
	if problem := f.inside(v, t, depth); problem != "" {
		return problem
	}
	for _, a := range t.attrs {
		if problem := violation(a, v); problem != "" {
			return problem
		}
	}
	return ""
}

// takesNull reports whether null is a value of t.
func (t *typ) takesNull(depth int) bool {
	const most = 100
	switch {
	case t == nil:
		return true
	case t.nullable, t.kind == "Null", slices.Contains(t.types, "Null"):
		return true
	case depth > most:
		return false
	case t.ref != nil:
		return t.ref.typ != nil && t.ref.typ.takesNull(depth+1)
	}
	return slices.ContainsFunc(t.union, func(u *typ) bool { return u.takesNull(depth + 1) })
}

// word names a type in a message.
func (t *typ) word() string {
	if len(t.types) > 0 {
		return strings.Join(t.types, " or ")
	}
	return t.kind
}

// takes reports whether a value is of the kind of t.
func (t *typ) takes(v *node) bool {
	kinds := t.types
	if kinds == nil {
		kinds = []string{t.kind}
	}
	if t.kind == "Any" && t.types == nil {
		return true
	}
	return slices.ContainsFunc(kinds, func(k string) bool {
		switch v.kind {
		case kindString:
			return k == "Text"
		case kindNumber:
			return k == "Number" || k == "Int" && isWhole(v.text)
		case kindBool:
			return k == "Bool"
		case kindArray:
			return k == "Array"
		case kindObject:
			return k == "Object"
		}
		return k == "Null"
	})
}

// inside compares the parts of a value with the parts of its type.
func (f *fitter) inside(v *node, t *typ, depth int) string {
	for i, item := range v.items {
		var elem *typ
		if t != nil {
			elem = t.elem
		}
		if problem := f.misfit(item, elem, depth+1); problem != "" {
			return fmt.Sprintf("has an element %d that %s", i, problem)
		}
	}
	if v.kind != kindObject {
		return ""
	}
	var fields map[string]*typ
	if t != nil && len(t.fields) > 0 {
		f.steps += len(t.fields)
		fields = make(map[string]*typ, len(t.fields))
		for _, field := range t.fields {
			fields[field.name] = field.typ
			if field.required && v.get(field.name) == nil {
				return "lacks the field " + quote(field.name)
			}
		}
	}
	for _, m := range v.members {
		typ, known := fields[m.key]
		if !known && t != nil {
			if closed := t.get("closed"); closed != nil && closed.text == "true" {
				return "has the field " + quote(m.key) + ", which its type does not know"
			}
			typ = t.rest
		}
		if problem := f.misfit(m.value, typ, depth+1); problem != "" {
			return "has a field " + quote(m.key) + " that " + problem
		}
	}
	return ""
}

// violation says in what way a value is not what an attribute asks for.
func violation(a attr, v *node) string {
	switch a.key {
	case "enum":
		if !slices.ContainsFunc(a.value.items, func(n *node) bool { return equal(n, v) }) {
			return fmt.Sprintf("%s is none of its enum", clip(jsonText(v)))
		}
	case "const":
		if !equal(a.value, v) {
			return fmt.Sprintf("%s is not its const", clip(jsonText(v)))
		}
	case "min", "max", "exclusiveMin", "exclusiveMax":
		if v.kind != kindNumber {
			return ""
		}
		order := compareNumbers(v.text, a.value.text)
		if a.key == "min" && order < 0 || a.key == "max" && order > 0 || a.key == "exclusiveMin" && order <= 0 || a.key == "exclusiveMax" && order >= 0 {
			return fmt.Sprintf("%s is beyond its %s %s", clip(v.text), a.key, clip(a.value.text))
		}
	case "multipleOf":
		have, step := rational(v.text), rational(a.value.text)
		if v.kind == kindNumber && have != nil && step != nil && step.Sign() > 0 && !new(big.Rat).Quo(have, step).IsInt() {
			return fmt.Sprintf("%s is no multiple of %s", clip(v.text), clip(a.value.text))
		}
	case "pattern":
		if re, err := regexp.Compile(a.value.text); v.kind == kindString && err == nil && !re.MatchString(v.text) {
			return fmt.Sprintf("%s does not match the pattern %s", clip(jsonText(v)), clip(a.value.text))
		}
	default:
		return sizeViolation(a, v)
	}
	return ""
}

func sizeViolation(a attr, v *node) string {
	size := -1
	switch {
	case strings.HasSuffix(a.key, "Length") && v.kind == kindString:
		size = utf8.RuneCountInString(v.text)
	case strings.HasSuffix(a.key, "Items") && v.kind == kindArray:
		size = len(v.items)
	case strings.HasSuffix(a.key, "Fields") && v.kind == kindObject:
		size = len(v.members)
	}
	if size < 0 {
		return ""
	}
	limit, err := strconv.Atoi(a.value.text)
	if err == nil && (strings.HasPrefix(a.key, "min") && size < limit || strings.HasPrefix(a.key, "max") && size > limit) {
		return fmt.Sprintf("has the size %d; its %s is %d", size, a.key, limit)
	}
	return ""
}
