package runtime

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/validator"
)

// alternatives reports that none of several schemas fits: as one mismatch of
// type or value if that is all there is to it, or else as the mistakes of the
// nearest schema. Where none is nearer than the others, all are reported.
func (t *problemTranslator) alternatives(failure *validator.Failure) {
	var want []string
	var close []*validator.Failure
	for _, cause := range failure.Causes {
		if types, ok := alternativeTypeMismatch(cause, len(failure.At)); ok {
			want = append(want, types...)
		} else {
			close = append(close, cause)
		}
	}
	if len(close) == 0 {
		t.wrongType(failure, want)
		return
	}
	all := make([]attempt, len(close))
	for i, cause := range close {
		all[i].problems = problemsOf(cause)
		all[i].tag = alternativeTagMismatch(cause, len(failure.At))
	}
	if at, values := alternativesTag(all); at != nil {
		t.add(at, CodeInvalidValue, "expected %s, found %s", oneOf(values), found(at))
		return
	}
	if i := nearestAlternative(all); i >= 0 {
		t.problems = append(t.problems, all[i].problems...)
		return
	}
	reasons := make([]string, len(all))
	for i := range all {
		reasons[i] = (&ValidationError{Problems: all[i].problems}).Error()
	}
	t.add(failure, CodeInvalidValue, "none of the alternatives fits: %s", strings.Join(reasons, ", or "))
}

func alternativeTypeMismatch(failure *validator.Failure, depth int) (want []string, ok bool) {
	for len(failure.Causes) == 1 {
		failure = failure.Causes[0]
	}
	if failure.Keyword != "type" || len(failure.At) != depth {
		return nil, false
	}
	return failure.Names, true
}

// An attempt is one of several alternatives with its problems.
type attempt struct {
	problems []Problem
	tag      *validator.Failure // of the value, or of one of its fields
}

// alternativeTagMismatch returns the error that another value was expected for the value
// at that depth, or for one of its fields: such a field distinguishes
// alternatives. It is nil if there is none.
func alternativeTagMismatch(failure *validator.Failure, depth int) *validator.Failure {
	if len(failure.At) > depth+1 {
		return nil
	}
	if failure.Wanted != nil {
		return failure
	}
	if failure.Keyword == "anyOf" || failure.Keyword == "oneOf" {
		return nil
	}
	for _, cause := range failure.Causes {
		if tag := alternativeTagMismatch(cause, depth); tag != nil {
			return tag
		}
	}
	return nil
}

// alternativesTag returns the place and the values of a tag that no alternative has;
// nil if they do not all expect another value in the same place.
func alternativesTag(all []attempt) (at *validator.Failure, values []validator.Literal) {
	for _, a := range all {
		if a.tag == nil || at != nil && !slices.Equal(a.tag.At, at.At) {
			return nil, nil
		}
		at = a.tag
		values = append(values, at.Wanted...)
	}
	return at, values
}

// nearestAlternative returns the index of the only alternative with the right tag, or else
// of the only one with the fewest problems; -1 if there is neither.
func nearestAlternative(all []attempt) int {
	best, equal := -1, false
	for i, a := range all {
		switch {
		case best < 0 || lessAlternative(a, all[best]):
			best, equal = i, false
		case !lessAlternative(all[best], a):
			equal = true
		}
	}
	if equal {
		return -1
	}
	return best
}

func lessAlternative(a, b attempt) bool {
	if (a.tag == nil) != (b.tag == nil) {
		return a.tag == nil
	}
	return len(a.problems) < len(b.problems)
}
