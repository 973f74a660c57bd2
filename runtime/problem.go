package runtime

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/validator"
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

// problemsOf translates the tree of a failed validation.
func problemsOf(failure *validator.Failure) []Problem {
	var t problemTranslator
	t.tree(failure)
	return sortedProblems(t.problems)
}

// sortedProblems returns problems by pointer, each once.
func sortedProblems(problems []Problem) []Problem {
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(problems)
}

type problemTranslator struct{ problems []Problem }

func (t *problemTranslator) add(failure *validator.Failure, code, format string, args ...any) {
	t.problems = append(t.problems, Problem{
		Pointer: pointerTo(failure.At), Code: code, Message: fmt.Sprintf(format, args...),
	})
}

// tree goes down to the failures that say something.
func (t *problemTranslator) tree(failure *validator.Failure) {
	switch {
	case len(failure.Causes) == 0:
		t.leaf(failure)
	case failure.Keyword == "anyOf", failure.Keyword == "oneOf":
		t.alternatives(failure)
	default:
		for _, cause := range failure.Causes {
			t.tree(cause)
		}
	}
}

func (t *problemTranslator) wrongType(failure *validator.Failure, want []string) {
	var names []string
	for _, null := range []bool{false, true} { // null is named last
		for _, w := range want {
			if name := problemTypeName(w); (w == "null") == null && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	t.add(failure, CodeWrongType, "expected %s, found %s", strings.Join(names, " or "), found(failure))
}

// leaf describes one failure.
func (t *problemTranslator) leaf(failure *validator.Failure) {
	expected := func(format string, args ...any) {
		t.add(failure, CodeInvalidValue, "expected %s, found %s", fmt.Sprintf(format, args...), found(failure))
	}
	count := func(bound, unit string) {
		t.add(failure, CodeInvalidValue, "expected at %s %d %s, found %d", bound, failure.Count, plural(unit, failure.Count), failure.Got)
	}
	fields := func(code, format string) {
		for _, name := range failure.Names {
			t.problems = append(t.problems, Problem{
				Pointer: pointerTo(append(slices.Clone(failure.At), name)),
				Code:    code,
				Message: fmt.Sprintf(format, name),
			})
		}
	}
	switch failure.Keyword {
	case "type":
		t.wrongType(failure, failure.Names)
	case "required":
		fields(CodeMissingRequired, "missing required field %q")
	case "additionalProperties":
		fields(CodeInvalidValue, "the field %q is not allowed here")
	case "enum", "const":
		expected("%s", oneOf(failure.Wanted))
	case "format":
		expected("a valid %s", failure.Limit)
	case "pattern":
		expected("text that matches %s", failure.Limit)
	case "minimum":
		expected("at least %s", decimal(failure.Limit))
	case "maximum":
		expected("at most %s", decimal(failure.Limit))
	case "exclusiveMinimum":
		expected("more than %s", decimal(failure.Limit))
	case "exclusiveMaximum":
		expected("less than %s", decimal(failure.Limit))
	case "multipleOf":
		expected("a multiple of %s", decimal(failure.Limit))
	case "minLength":
		count("least", "character")
	case "maxLength":
		count("most", "character")
	case "minItems":
		count("least", "item")
	case "maxItems":
		count("most", "item")
	case "minProperties":
		count("least", "field")
	case "maxProperties":
		count("most", "field")
	case "uniqueItems":
		t.add(failure, CodeInvalidValue, "the items %d and %d are equal, but must be unique", failure.Equal[0], failure.Equal[1])
	case "oneOf":
		t.add(failure, CodeInvalidValue, "more than one of the alternatives fits; exactly one must")
	case "not":
		t.add(failure, CodeInvalidValue, "%s is not allowed here", found(failure))
	case validator.NoValue:
		t.add(failure, CodeInvalidValue, "no value is allowed here, found %s", found(failure))
	case validator.EndlessRef:
		t.add(failure, CodeInvalidValue, "the schema refers to itself without an end")
	case validator.TooMuchWork:
		t.add(failure, CodeInvalidValue, "the value takes too long to be compared with its schema")
	default:
		t.add(failure, CodeInvalidValue, "the rule %q is broken by %s", ruleName(failure), found(failure))
	}
}

// ruleName returns the name of a keyword that has no message of its own.
func ruleName(failure *validator.Failure) string {
	switch failure.Keyword {
	case "dependencies":
		return "dependency/" + failure.Names[0]
	case "dependentRequired":
		return failure.Keyword + "/" + failure.Names[0]
	}
	return failure.Keyword
}

// found describes the value that a failure is about.
func found(failure *validator.Failure) string {
	switch text := failure.Found; text[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "the string " + strconv.Quote(shortenProblem(plainjson.Text(json.RawMessage(text))))
	case 't', 'f', 'n':
		return text
	default:
		return "the number " + shortenProblem(text)
	}
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

func oneOf(values []validator.Literal) string {
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

func problemLiteral(v validator.Literal) string {
	text, err := plainjson.Marshal(v.Decode())
	if err != nil {
		return v.Raw()
	}
	return string(text)
}

// decimal returns the limit of a number as people write it.
func decimal(limit string) string {
	r := plainjson.Rational(limit, len(limit), maxNumberBytes)
	if r == nil {
		return shortenProblem(limit)
	}
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
