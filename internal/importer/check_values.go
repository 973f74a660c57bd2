package importer

import (
	"slices"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// checkValues checks the values in a schema. What does not fit is reported and left
// out; what gram cannot write is kept as JSON.
func (r *schemaReader) checkValues(t *typ, n *jsonschema.Node, at *jsonschema.Location) {
	if enum := t.attr("enum"); enum != nil {
		r.checkEnum(t, n, enum, at.Key("enum"))
	}
	if v := t.attr("const"); v != nil && !r.checkFit(v, jsonschema.Object(objectWithout(n, "const")...), "the const", at.Key("const")) {
		t.drop("const")
	}
	if t.value != nil && !r.checkFit(t.value, n, "the default", at.Key("default")) {
		t.value = nil
	}
	misfits := func(v *jsonschema.Node) bool { return r.resolver.ExclusiveMisfit(v, n) != "" }
	if t.value != nil && misfits(t.value) {
		r.rewritten(r.span(t.value), at.Key("default"), "the default fits more than one alternative of its type; it is kept as it is")
		r.keepKeyword(t, jsonschema.NewMember("default", t.value), at.Key("default"))
		t.value = nil
	}
	if examples := t.attr("examples"); examples != nil && slices.ContainsFunc(examples.Items, misfits) {
		r.rewritten(r.span(examples), at.Key("examples"), "an example does not fit its type; the examples are kept as they are")
		t.drop("examples")
		r.keepKeyword(t, jsonschema.NewMember("examples", examples), at.Key("examples"))
	}
	if enum := t.attr("enum"); enum != nil && slices.ContainsFunc(enum.Items, misfits) {
		r.rewritten(r.span(enum), at.Key("enum"), "a value of the enum fits more than one alternative of its type; the enum is kept as it is")
		t.drop("enum")
		r.keepKeyword(t, jsonschema.NewMember("enum", enum), at.Key("enum"))
	}
	if t.value != nil && !isWritableValue(t.value, t.knowsNull()) {
		r.keepKeyword(t, jsonschema.NewMember("default", t.value), at.Key("default"))
		t.value = nil
	}
	t.attrs = slices.DeleteFunc(t.attrs, func(a attr) bool {
		list := a.key == "enum" || a.key == "examples"
		writable := isWritableValue(a.value, t.knowsNull())
		if list {
			writable = !slices.ContainsFunc(a.value.Items, func(v *jsonschema.Node) bool { return !isWritableValue(v, t.knowsNull()) })
		}
		if a.key == "description" && a.value.Text() == "" {
			writable = false
		}
		if !writable {
			r.keepKeyword(t, jsonschema.Member{Key: a.Name, Value: a.value, Start: a.value.Start, End: a.value.End}, at.Key(a.Name))
		}
		return !writable
	})
}

// checkFit reports whether a value may fit a schema, and reports why it does not.
func (r *schemaReader) checkFit(v, n *jsonschema.Node, what string, at *jsonschema.Location) bool {
	problem := r.resolver.Misfit(v, n)
	if problem != "" {
		r.lost(r.span(v), at, "%s does not fit its type: %s", what, problem)
	}
	return problem == ""
}

// checkEnum checks the values of an enum. One that does not fit the rest of the type
// is never valid, so that the type means the same without it.
func (r *schemaReader) checkEnum(t *typ, n, enum *jsonschema.Node, at *jsonschema.Location) {
	rest := jsonschema.Object(objectWithout(n, "enum")...)
	seen := map[string]bool{}
	kept := slices.DeleteFunc(slices.Clone(enum.Items), func(item *jsonschema.Node) bool {
		text := jsonText(item)
		if seen[text] {
			r.rewritten(r.span(item), at, "%s is in the enum twice; once is enough", clipText(text))
			return true
		}
		seen[text] = true
		problem := r.resolver.Misfit(item, rest)
		if problem != "" {
			r.rewritten(r.span(item), at, "an enum value that does not fit its type is left out: %s", problem)
		}
		return problem != ""
	})
	if len(kept) == 0 {
		r.lost(r.span(enum), at, "no value of the enum fits its type")
		t.drop("enum")
		return
	}
	isNull := func(n *jsonschema.Node) bool { return n.Is(jsonschema.KindNull) }
	if i := slices.IndexFunc(kept, isNull); t.nullable && i != len(kept)-1 { // the schema of a nullable type adds null at the end
		if t.elem == nil && t.fields == nil && t.rest == nil && !slices.ContainsFunc(t.attrs, func(a attr) bool { return a.on != nil }) {
			t.types, t.kind, t.nullable = []string{t.kind, "Null"}, "Any", false
		} else if i < 0 {
			r.rewritten(r.span(enum), at.Parent, "null is not a value of the enum, and is left out of the type")
			t.nullable = false
		} else {
			r.rewritten(r.span(enum), at, "null becomes the last value of the enum")
			kept = append(slices.DeleteFunc(kept, isNull), jsonschema.Null())
		}
	}
	for i := range t.attrs {
		if t.attrs[i].key == "enum" {
			t.attrs[i].value = objectMoved(jsonschema.Array(kept...), enum)
		}
	}
}
