package runtime

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// The codes of a [Problem].
const (
	CodeMissingRequired = "missing-required" // a required field is absent
	CodeWrongType       = "wrong-type"       // a value has another JSON type than the schema asks for
	CodeNotAnObject     = "not-an-object"    // the arguments as a whole are not an object
	CodeInvalidJSON     = "invalid-json"     // the text is not JSON
	CodeDuplicateKey    = "duplicate-key"    // a field occurs twice
	CodeInvalidValue    = "invalid-value"    // the type is right, the value is not
)

// A Problem is one mistake in a JSON value.
type Problem struct {
	Pointer string // JSON pointer to the value, or to the missing one; "" is the whole
	Code    string
	Message string // for people and for models; names the field but not the pointer
}

// String returns "pointer: message".
func (p Problem) String() string {
	if p.Pointer == "" {
		return p.Message
	}
	return p.Pointer + ": " + p.Message
}

// A ValidationError holds every mistake of one JSON value, sorted by pointer.
type ValidationError struct{ Problems []Problem }

// maxShownProblems keeps the text short; Problems has them all.
const maxShownProblems = 10

// Error returns the problems, separated by semicolons.
func (e *ValidationError) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i == maxShownProblems {
			fmt.Fprintf(&b, "; and %d more", len(e.Problems)-i)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(p.String())
	}
	return b.String()
}

// problemsOf translates the tree of a failed validation of value.
func problemsOf(err *validator.ValidationError, value any) []Problem {
	t := problemTranslator{value: value}
	t.tree(err)
	return sortedProblems(t.problems)
}

// sortedProblems returns problems by pointer, each once.
func sortedProblems(problems []Problem) []Problem {
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(problems)
}

type problemTranslator struct {
	value    any
	problems []Problem
}

func (t *problemTranslator) add(err *validator.ValidationError, code, format string, args ...any) {
	t.problems = append(t.problems, Problem{
		Pointer: pointerTo(err.InstanceLocation), Code: code, Message: fmt.Sprintf(format, args...),
	})
}

// tree goes down to the errors that say something.
func (t *problemTranslator) tree(err *validator.ValidationError) {
	switch k := err.ErrorKind.(type) {
	case *kind.AnyOf:
		t.alternatives(err)
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			t.add(err, CodeInvalidValue, "more than one of the alternatives fits; exactly one must")
			return
		}
		t.alternatives(err)
	default:
		if len(err.Causes) == 0 {
			t.leaf(err)
		}
		for _, cause := range err.Causes {
			t.tree(cause)
		}
	}
}

func (t *problemTranslator) wrongType(err *validator.ValidationError, want []string) {
	var names []string
	for _, null := range []bool{false, true} { // null is named last
		for _, w := range want {
			if name := problemTypeName(w); (w == "null") == null && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	t.add(err, CodeWrongType, "expected %s, found %s", strings.Join(names, " or "), t.found(err))
}

// leaf describes one error.
func (t *problemTranslator) leaf(err *validator.ValidationError) {
	expected := func(format string, args ...any) {
		t.add(err, CodeInvalidValue, "expected %s, found %s", fmt.Sprintf(format, args...), t.found(err))
	}
	count := func(bound string, want, got int, unit string) {
		t.add(err, CodeInvalidValue, "expected at %s %d %s, found %d", bound, want, plural(unit, want), got)
	}
	fields := func(names []string, code, format string) {
		for _, name := range names {
			t.problems = append(t.problems, Problem{
				Pointer: pointerTo(append(slices.Clone(err.InstanceLocation), name)),
				Code:    code,
				Message: fmt.Sprintf(format, name),
			})
		}
	}
	switch k := err.ErrorKind.(type) {
	case *kind.Type:
		t.wrongType(err, k.Want)
	case *kind.Required:
		fields(k.Missing, CodeMissingRequired, "missing required field %q")
	case *kind.AdditionalProperties:
		fields(k.Properties, CodeInvalidValue, "the field %q is not allowed here")
	case *kind.Enum:
		expected("%s", oneOf(k.Want))
	case *kind.Const:
		expected("%s", problemLiteral(k.Want))
	case *kind.Format:
		expected("a valid %s", k.Want)
	case *kind.Pattern:
		expected("text that matches %s", k.Want)
	case *kind.Minimum:
		expected("at least %s", decimal(k.Want))
	case *kind.Maximum:
		expected("at most %s", decimal(k.Want))
	case *kind.ExclusiveMinimum:
		expected("more than %s", decimal(k.Want))
	case *kind.ExclusiveMaximum:
		expected("less than %s", decimal(k.Want))
	case *kind.MultipleOf:
		expected("a multiple of %s", decimal(k.Want))
	case *kind.MinLength:
		count("least", k.Want, k.Got, "character")
	case *kind.MaxLength:
		count("most", k.Want, k.Got, "character")
	case *kind.MinItems:
		count("least", k.Want, k.Got, "item")
	case *kind.MaxItems:
		count("most", k.Want, k.Got, "item")
	case *kind.MinProperties:
		count("least", k.Want, k.Got, "field")
	case *kind.MaxProperties:
		count("most", k.Want, k.Got, "field")
	case *kind.UniqueItems:
		t.add(err, CodeInvalidValue, "the items %d and %d are equal, but must be unique",
			k.Duplicates[0], k.Duplicates[1])
	case *kind.Not:
		t.add(err, CodeInvalidValue, "%s is not allowed here", t.found(err))
	case *kind.FalseSchema:
		t.add(err, CodeInvalidValue, "no value is allowed here, found %s", t.found(err))
	default:
		t.add(err, CodeInvalidValue, "the rule %q is broken by %s",
			strings.Join(k.KeywordPath(), "/"), t.found(err))
	}
}

// found describes the value that an error is about.
func (t *problemTranslator) found(err *validator.ValidationError) string {
	v := t.value
	for _, token := range err.InstanceLocation {
		switch parent := v.(type) {
		case map[string]any:
			v = parent[token]
		case []any:
			i, _ := strconv.Atoi(token)
			v = parent[i]
		}
	}
	return describeValue(v)
}

func describeValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return "the number " + shortenProblem(v.String())
	case string:
		return "the string " + strconv.Quote(shortenProblem(v))
	case []any:
		return "an array"
	}
	return "an object"
}

func problemTypeName(jsonType string) string {
	switch jsonType {
	case "null":
		return "null"
	case "integer", "array", "object":
		return "an " + jsonType
	}
	return "a " + jsonType
}

// maxShownValues keeps a message about a long enum short.
const maxShownValues = 20

func oneOf(values []any) string {
	var texts []string
	for _, v := range values[:min(len(values), maxShownValues)] {
		texts = append(texts, problemLiteral(v))
	}
	if more := len(values) - len(texts); more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "one of " + strings.Join(texts, ", ")
}

func problemLiteral(v any) string {
	text, err := plainjson.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func plural(unit string, n int) string {
	if n == 1 {
		return unit
	}
	return unit + "s"
}

// shortenProblem keeps foreign text from filling a message.
func shortenProblem(s string) string {
	const most = 60
	return excerpt.Short(s, most)
}

func pointerTo(tokens []string) string {
	var at *jsonschema.Location
	for _, token := range tokens {
		at = at.Key(token)
	}
	return at.Pointer()
}
