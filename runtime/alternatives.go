package runtime

import (
	"slices"
	"strings"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// alternatives reports that none of several schemas fits: as one mismatch of
// type or value if that is all there is to it, or else as the mistakes of the
// nearest schema. Where none is nearer than the others, all are reported.
func (t *problemTranslator) alternatives(err *validator.ValidationError) {
	var want []string
	var close []*validator.ValidationError
	for _, cause := range err.Causes {
		if types, ok := typeMismatch(cause, len(err.InstanceLocation)); ok {
			want = append(want, types...)
		} else {
			close = append(close, cause)
		}
	}
	if len(close) == 0 {
		t.wrongType(err, want)
		return
	}
	all := make([]attempt, len(close))
	for i, cause := range close {
		all[i].problems = problemsOf(cause, t.value)
		all[i].tag = tagMismatch(cause, len(err.InstanceLocation))
	}
	if at, values := sameTag(all); at != nil {
		t.add(at, CodeInvalidValue, "expected %s, found %s", oneOf(values), t.found(at))
		return
	}
	if i := nearestAttempt(all); i >= 0 {
		t.problems = append(t.problems, all[i].problems...)
		return
	}
	reasons := make([]string, len(all))
	for i := range all {
		reasons[i] = (&ValidationError{Problems: all[i].problems}).Error()
	}
	t.add(err, CodeInvalidValue, "none of the alternatives fits: %s", strings.Join(reasons, ", or "))
}

func typeMismatch(err *validator.ValidationError, depth int) (want []string, ok bool) {
	for len(err.Causes) == 1 {
		err = err.Causes[0]
	}
	k, ok := err.ErrorKind.(*kind.Type)
	if !ok || len(err.InstanceLocation) != depth {
		return nil, false
	}
	return k.Want, true
}

// An attempt is one of several alternatives with its problems.
type attempt struct {
	problems []Problem
	tag      *validator.ValidationError // of the value, or of one of its fields
}

// tagMismatch returns the error that another value was expected for the value
// at that depth, or for one of its fields: such a field distinguishes
// alternatives. It is nil if there is none.
func tagMismatch(err *validator.ValidationError, depth int) *validator.ValidationError {
	if len(err.InstanceLocation) > depth+1 {
		return nil
	}
	if wantedValues(err) != nil {
		return err
	}
	switch err.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		return nil
	}
	for _, cause := range err.Causes {
		if tag := tagMismatch(cause, depth); tag != nil {
			return tag
		}
	}
	return nil
}

// wantedValues returns the values of an enum or const that does not fit.
func wantedValues(err *validator.ValidationError) []any {
	switch k := err.ErrorKind.(type) {
	case *kind.Enum:
		return k.Want
	case *kind.Const:
		return []any{k.Want}
	}
	return nil
}

// sameTag returns the place and the values of a tag that no alternative has;
// nil if they do not all expect another value in the same place.
func sameTag(all []attempt) (at *validator.ValidationError, values []any) {
	for _, a := range all {
		if a.tag == nil || at != nil && !slices.Equal(a.tag.InstanceLocation, at.InstanceLocation) {
			return nil, nil
		}
		at = a.tag
		values = append(values, wantedValues(at)...)
	}
	return at, values
}

// nearestAttempt returns the index of the only alternative with the right tag, or else
// of the only one with the fewest problems; -1 if there is neither.
func nearestAttempt(all []attempt) int {
	best, equal := -1, false
	for i, a := range all {
		switch {
		case best < 0 || lessAttempt(a, all[best]):
			best, equal = i, false
		case !lessAttempt(all[best], a):
			equal = true
		}
	}
	if equal {
		return -1
	}
	return best
}

func lessAttempt(a, b attempt) bool {
	if (a.tag == nil) != (b.tag == nil) {
		return a.tag == nil
	}
	return len(a.problems) < len(b.problems)
}
