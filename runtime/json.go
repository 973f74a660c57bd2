package runtime

import (
	"errors"
	"fmt"
	"slices"
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
	var syntax *jsonschema.SyntaxError
	if errors.As(err, &syntax) {
		err = &ValidationError{Problems: []Problem{{Code: CodeInvalidJSON, Message: "not JSON " + syntax.Error()}}}
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

// A checker looks for what JSON allows and a tool should never see.
type checker struct {
	args     bool // the text is the arguments of a call: nesting counts
	lenient  bool // the text is a schema: numbers may be long
	problems []Problem
}

func (c *checker) check(n *jsonschema.Node, at *jsonschema.Location, depth int) {
	switch {
	case n.Kind == jsonschema.KindNumber:
		c.checkNumber(n.Raw(), at)
	case c.args && depth > maxArgsDepth && !isPlain(n):
		c.add(at, CodeInvalidValue, "nested deeper than %d levels", maxArgsDepth)
	default:
		for i, item := range n.Items {
			if !isPlain(item) {
				c.check(item, at.Item(i), depth+1)
			}
		}
		for _, m := range n.Members {
			if !isPlain(m.Value) {
				c.check(m.Value, at.Key(m.Key), depth+1)
			}
		}
	}
}

// isPlain reports whether there is nothing to check about the value; most
// values are plain, and need no location.
func isPlain(n *jsonschema.Node) bool {
	switch n.Kind {
	case jsonschema.KindObject, jsonschema.KindArray:
		return false
	}
	return n.Kind != jsonschema.KindNumber || n.End-n.Start <= maxExponent+2
}

func (c *checker) checkNumber(text string, at *jsonschema.Location) {
	exponent := 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		exponent = len(strings.TrimLeft(text[i+1:], "+-0"))
	}
	if len(text) > maxNumberBytes && !c.lenient || exponent > maxExponent {
		c.add(at, CodeInvalidValue, "the number is out of range")
	}
}

// checkKeys reports keys that occur twice.
func (c *checker) checkKeys(root *jsonschema.Node, duplicates []jsonschema.Defect) {
	for _, d := range duplicates {
		c.add(root.LocationOf(d.Start).Key(d.Key), CodeDuplicateKey, "the field %q occurs twice", d.Key)
	}
}

func (c *checker) add(at *jsonschema.Location, code, format string, args ...any) {
	c.problems = append(c.problems, Problem{Pointer: at.Pointer(), Code: code, Message: fmt.Sprintf(format, args...)})
}

// err returns the problems, sorted by place; nil without any.
func (c *checker) err() error {
	if len(c.problems) == 0 {
		return nil
	}
	return &ValidationError{Problems: sorted(c.problems)}
}

// A patcher makes changes to the text of a value and keeps its other bytes.
type patcher struct {
	text    []byte
	patches []patch
	size    int // of all new text
}

type patch struct {
	start, end int32 // what is replaced
	text       string
}

func (p *patcher) replace(start, end int32, text string) {
	p.patches = append(p.patches, patch{start, end, text})
	p.size += len(text)
}

func (p *patcher) result() []byte {
	if len(p.patches) == 0 {
		return p.text
	}
	slices.SortStableFunc(p.patches, func(a, b patch) int { return int(a.start - b.start) })
	out := make([]byte, 0, len(p.text)+p.size)
	copied := int32(0)
	for _, c := range p.patches {
		out = append(append(out, p.text[copied:c.start]...), c.text...)
		copied = c.end
	}
	return append(out, p.text[copied:]...)
}
