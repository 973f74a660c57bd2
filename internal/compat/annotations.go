package compat

import (
	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// maxAnnotationDepth is how deep annotations are compared.
const maxAnnotationDepth = 5000

// annotations reports changes of descriptions and defaults, and properties that are
// new or gone without refusing a value.
func (r *changeReport) annotations(old, new *jsonschema.Schema, depth int) {
	both := [2]*jsonschema.Schema{old, new}
	if old == nil || new == nil || r.noted[both] || depth > maxAnnotationDepth || !r.Afford(old, new) {
		return
	}
	r.noted[both] = true
	r.ownAnnotations(old, new)
	depth++
	for _, name := range jsonschema.PropertyNames(old, new) {
		was, is := old.Property(name), new.Property(name)
		switch {
		case was == nil:
			r.add(&finding{path: is.At.Pointer(), what: r.annotationNewText(r.describeProperty(new.At, name), new.Requires(name))}, "")
		case is == nil:
			r.removedAnnotations(new, name, was)
		}
		r.annotations(was, is, depth)
	}
	r.annotations(old.Items(), new.Items(), depth)
	r.annotations(old.Others(), new.Others(), depth)
	before, after := old.Alternatives(), new.Alternatives()
	for i := range min(len(before), len(after)) {
		r.alternativeAnnotations(before[i], after[i], depth)
	}
}

// alternativeAnnotations compares the alternatives that belong together.
func (r *changeReport) alternativeAnnotations(old, new []*jsonschema.Schema, depth int) {
	for i, is := range new {
		if len(old) == len(new) {
			r.annotations(old[i], is, depth)
			continue
		}
		for _, was := range old {
			if r.IsSubtype(was, is) || r.IsSubtype(is, was) {
				r.annotations(was, is, depth)
				break
			}
		}
	}
}

// removedAnnotations reports that a property is not declared any more.
func (r *changeReport) removedAnnotations(new *jsonschema.Schema, name string, was *jsonschema.Schema) {
	f := &finding{path: was.At.Pointer(), what: r.describeProperty(new.At, name) + " is gone"}
	if r.isInput && !new.Forbids(name) {
		f.why, f.ignored = "calls that give it lose its value", true
	}
	r.add(f, "")
}

func (r *changeReport) annotationNewText(name string, required bool) string {
	switch {
	case required && r.isInput:
		return name + " is new, and required"
	case required:
		return name + " is new, and always there"
	case r.isInput:
		return name + " is new, and may be left out"
	}
	return name + " is new, and may be missing"
}

// ownAnnotations compares the annotations of two schemas themselves.
func (r *changeReport) ownAnnotations(old, new *jsonschema.Schema) {
	for _, keyword := range jsonschema.AnnotationNames(old, new) {
		was, wasAt := old.Annotation(keyword)
		is, at := new.Annotation(keyword)
		if jsonschema.Equal(was, is) {
			continue
		}
		if is == nil {
			at = wasAt
		}
		f := &finding{path: at.Pointer() + "/" + jsonpointer.Token(keyword)}
		subject := r.describeSubject(at)
		if keyword == "default" {
			f.what = describeChanged("default", subject, shownAnnotation(was), shownAnnotation(is))
			if r.isInput {
				f.why = "calls that leave it out mean something else"
			}
		} else {
			f.what = annotationText(keyword, subject, was != nil, is != nil)
		}
		r.add(f, "")
	}
}

// annotationText describes a change of text that only a model reads.
func annotationText(keyword, subject string, was, is bool) string {
	word := describeText(keyword)
	switch keyword {
	case "description", "title", "examples", "deprecated":
		word = keyword
	}
	switch {
	case !was:
		return subject + " has a " + word + " now"
	case !is:
		return subject + " has no " + word + " any more"
	}
	return "the " + word + " of " + subject + " has changed"
}

// shownAnnotation returns a value for a message; "" for nil.
func shownAnnotation(value *jsonschema.Node) string {
	if value == nil {
		return ""
	}
	return value.Shown()
}
