package runtime

import (
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// readJSON reads a JSON text. Of a key that occurs twice, the last value counts;
// the duplicates are returned. The error is a *ValidationError that says at which
// byte the text stops being JSON.
func readJSON(text []byte) (root *jsonschema.Node, duplicates []jsonschema.Defect, err error) {
	root, err = jsonschema.Read(text, &jsonschema.ReadOptions{Accept: func(d jsonschema.Defect) bool {
		if d.Kind == jsonschema.DuplicateKey {
			duplicates = append(duplicates, d)
		}
		return d.Kind != jsonschema.InvalidUTF8
	}})
	if err != nil {
		err = &ValidationError{Problems: []Problem{{Code: CodeInvalidJSON, Message: "not JSON " + err.Error()}}}
	}
	return root, duplicates, err
}

// Limits for the arguments of a call. They keep a hostile model from making
// the validator work for long.
const (
	maxArgsBytes   = 1 << 20
	maxArgsDepth   = 64
	maxNumberBytes = 1000
	maxExponent    = 3 // digits
)

// A jsonChecker finds values that JSON allows and no tool should get.
type jsonChecker struct {
	args     bool // the text is the arguments of a call: nesting counts
	lenient  bool // the text is a schema: numbers may be long
	problems []Problem
}

func (c *jsonChecker) check(n *jsonschema.Node, at *jsonschema.Location, depth int) {
	switch {
	case n.Kind == jsonschema.KindNumber:
		c.checkNumber(n.Raw(), at)
	case c.args && depth > maxArgsDepth && !isPlainJSON(n):
		c.add(at, CodeInvalidValue, "nested deeper than %d levels", maxArgsDepth)
	default:
		for i, item := range n.Items {
			if !isPlainJSON(item) {
				c.check(item, at.Item(i), depth+1)
			}
		}
		for _, m := range n.Members {
			if !isPlainJSON(m.Value) {
				c.check(m.Value, at.Key(m.Key), depth+1)
			}
		}
	}
}

// isPlainJSON reports whether there is nothing to check about the value; most
// values are plain, and need no location.
func isPlainJSON(n *jsonschema.Node) bool {
	return !isCompositeJSON(n) && (n.Kind != jsonschema.KindNumber || n.End-n.Start <= maxExponent+2)
}

func (c *jsonChecker) checkNumber(text string, at *jsonschema.Location) {
	if len(text) > maxNumberBytes && !c.lenient || jsonExponentDigits(text) > maxExponent {
		c.add(at, CodeInvalidValue, "the number is out of range")
	}
}

// isJSONInRange reports whether a number has nothing to complain about.
func isJSONInRange(text string) bool {
	return len(text) <= maxNumberBytes && jsonExponentDigits(text) <= maxExponent
}

func jsonExponentDigits(text string) int {
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		return len(strings.TrimLeft(text[i+1:], "+-0"))
	}
	return 0
}

// checkKeys reports duplicate keys.
func (c *jsonChecker) checkKeys(root *jsonschema.Node, duplicates []jsonschema.Defect) {
	for _, d := range duplicates {
		c.add(root.LocationOf(d.Start).Key(d.Key), CodeDuplicateKey, "the field %q occurs twice", d.Key)
	}
}

func (c *jsonChecker) add(at *jsonschema.Location, code, format string, args ...any) {
	c.problems = append(c.problems, Problem{Pointer: at.Pointer(), Code: code, Message: fmt.Sprintf(format, args...)})
}

// err returns the problems, sorted by place; nil without any.
func (c *jsonChecker) err() error {
	if len(c.problems) == 0 {
		return nil
	}
	return &ValidationError{Problems: sortedProblems(c.problems)}
}

// isCompositeJSON reports whether a value has parts.
func isCompositeJSON(n *jsonschema.Node) bool {
	return n.Kind == jsonschema.KindObject || n.Kind == jsonschema.KindArray
}

func jsonTooLarge(size int) error {
	return &ValidationError{Problems: []Problem{{
		Code:    CodeInvalidValue,
		Message: fmt.Sprintf("the arguments have %d bytes, more than %d", size, maxArgsBytes),
	}}}
}
