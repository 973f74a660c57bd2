package compat

import (
	"cmp"

	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// mismatchPlace returns where a mismatch is: in the new document, if that has it.
func (r *changeReport) mismatchPlace(m *jsonschema.Mismatch) *jsonschema.Place {
	if r.forward || m.At == nil {
		return m.AtWide
	}
	return m.At
}

// mismatch reports one reason why a schema is not a subtype of the other.
func (r *changeReport) mismatch(m jsonschema.Mismatch) {
	at := r.mismatchPlace(&m)
	subject := r.describeSubject(at)
	f := &finding{path: at.Pointer() + "/" + jsonpointer.Token(m.Keyword), undecided: m.Undecided}
	key := ""
	switch m.Keyword {
	case jsonschema.NoAlternative:
		f.path, f.what = at.Pointer(), r.alternativesMismatch(&m, subject)
		key = f.what
	case jsonschema.UndeclaredProperty:
		r.undeclaredMismatch(&m, f)
	case jsonschema.UndeclaredProperties:
		f.path, key = m.AtWide.Pointer(), "closed"
		f.what = r.directedMismatch("undeclared fields of "+r.describeSubject(m.Part.At), " are ruled out now", " are possible now")
	case "false":
		f.path, key = at.Pointer(), "false"
		f.what = r.directedMismatch(subject, " is not possible any more", " is possible now")
	case "type":
		old, new := r.describeSides(&m)
		if f.what = describeChanged("type", subject, old.Types().String(), new.Types().String()); m.Narrow.IsCase() {
			f.what = r.mismatchMayBe(subject, m.MissingTypes().String())
			key = f.what
		}
	case "enum":
		f.what = r.enumMismatch(&m, subject)
		key = f.what
	case "uniqueItems":
		f.what = r.directedMismatch("the elements of "+subject, " must differ now", " need not differ any more")
	case "required":
		key = r.requiredMismatch(&m, at, f)
	default:
		f.what = r.limitMismatch(&m, subject)
	}
	r.fail(f, key)
}

func (r *changeReport) limitMismatch(m *jsonschema.Mismatch, subject string) string {
	name := limitNames[m.Keyword]
	if name == "" {
		return "the " + cmp.Or(m.Keyword, "schema") + " of " + subject + " has changed, and cannot be compared"
	}
	old, new := r.describeSides(m)
	return describeChanged(name, subject, old.LimitText(m.Keyword), new.LimitText(m.Keyword))
}

// undeclaredMismatch reports a property that the wide schema does not allow.
func (r *changeReport) undeclaredMismatch(m *jsonschema.Mismatch, f *finding) {
	at := m.At
	if at == nil {
		at = m.AtWide
	}
	f.path = at.Pointer()
	f.what = r.directedMismatch(r.describeProperty(m.Part.At, m.Name), " is gone", " is new")
	if r.isInput {
		f.why = "calls that give it are refused now"
	}
}

// requiredMismatch reports a property that one schema requires and the other does not.
// It returns the key of the finding.
func (r *changeReport) requiredMismatch(m *jsonschema.Mismatch, at *jsonschema.Place, f *finding) (key string) {
	f.what, f.why = r.requiredMismatchText(r.describeProperty(at, m.Name))
	old, new := r.describeSides(m)
	switch was, is := old.Property(m.Name), new.Property(m.Name); {
	case was == nil && is != nil:
		f.path = is.At.Pointer()
	case was != nil && is == nil: // which has been noted
		f.path = was.At.Pointer()
	default:
		f.path = at.Pointer() + "/properties/" + jsonpointer.Token(m.Name)
		return "required"
	}
	return ""
}

// alternativesMismatch describes values that fit no alternative.
func (r *changeReport) alternativesMismatch(m *jsonschema.Mismatch, subject string) string {
	sketch := m.Narrow.Sketch()
	if m.Alternatives == 0 {
		return r.mismatchMayBe(subject, sketch)
	}
	return "the alternatives of " + subject + r.directedMismatch("", " may not allow all of "+sketch+" any more", " may allow more of "+sketch+" now")
}

func (r *changeReport) directedMismatch(subject, forward, backward string) string {
	if r.forward {
		return subject + forward
	}
	return subject + backward
}

// enumMismatch describes the values that are gone, or new.
func (r *changeReport) enumMismatch(m *jsonschema.Mismatch, subject string) string {
	values, finite := m.MissingValues()
	text := jsonschema.ValuesText(values)
	if finite {
		return r.mismatchMayBe(subject, text)
	}
	return r.directedMismatch(subject, " may only be one of ", " may be something else than ") + text + " now"
}

// mismatchMayBe describes what is not possible any more, or is now.
func (r *changeReport) mismatchMayBe(subject, what string) string {
	return r.directedMismatch(subject, " may not be "+what+" any more", " may be "+what+" now")
}

// requiredMismatchText describes a property that only one schema requires.
func (r *changeReport) requiredMismatchText(name string) (what, why string) {
	switch {
	case r.isInput && r.forward:
		return name + " is required now", "calls without it are refused"
	case r.isInput:
		return name + " may be left out now", ""
	case r.forward:
		return name + " is always there now", ""
	}
	return name + " may be missing now", "callers expect it"
}
