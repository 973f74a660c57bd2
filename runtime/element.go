package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/jsonpointer"
)

// An element is one value of a JSON text: its bytes and its parts, in the
// order of the text. Unlike a decoded value it keeps numbers, key order and
// duplicate keys as they were written.
type element struct {
	start   int    // offset in the text
	raw     []byte // the value without space around it; part of the text
	members []member
	items   []element
}

type member struct {
	key   string
	value element
}

// isObject and isArray look at the first byte: a value is never empty.
func (e *element) isObject() bool { return e.raw[0] == '{' }
func (e *element) isArray() bool  { return e.raw[0] == '[' }
func (e *element) isNumber() bool { c := e.raw[0]; return c == '-' || '0' <= c && c <= '9' }

// objects counts the objects in e, itself included.
func (e *element) objects() int {
	n := 0
	if e.isObject() {
		n++
	}
	for i := range e.members {
		n += e.members[i].value.objects()
	}
	for i := range e.items {
		n += e.items[i].objects()
	}
	return n
}

// member returns the value of the first member with that key, or nil.
func (e *element) member(key string) *element {
	for i := range e.members {
		if e.members[i].key == key {
			return &e.members[i].value
		}
	}
	return nil
}

// parseElement reads a JSON text. Its error is a ValidationError that says at
// which byte the text stops being JSON.
func parseElement(text []byte) (element, error) {
	if !json.Valid(text) {
		return element{}, invalidJSON(text)
	}
	if !utf8.Valid(text) {
		return element{}, &ValidationError{Problems: []Problem{{Code: CodeInvalidJSON, Message: "not JSON: it is not UTF-8"}}}
	}
	r := elementReader{text: text}
	return r.value(), nil
}

func invalidJSON(text []byte) error {
	var raw json.RawMessage
	err := json.Unmarshal(text, &raw)
	message := fmt.Sprint(err)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		offset := syntax.Offset
		if !strings.HasPrefix(message, "unexpected end") {
			offset-- // the decoder counts the byte that it refuses
		}
		message = fmt.Sprintf("not JSON at byte %d: %s", offset, message)
	}
	return &ValidationError{Problems: []Problem{{Code: CodeInvalidJSON, Message: message}}}
}

// An elementReader reads a text that is known to be JSON.
type elementReader struct {
	text []byte
	pos  int
}

func (r *elementReader) value() element {
	r.skipSpace()
	e := element{start: r.pos}
	switch r.text[r.pos] {
	case '{':
		r.pos++
		for r.more('}') {
			key := r.string()
			r.skipSpace()
			r.pos++ // the colon
			e.members = append(e.members, member{unquote(key), r.value()})
		}
	case '[':
		r.pos++
		for r.more(']') {
			e.items = append(e.items, r.value())
		}
	case '"':
		r.string()
	default: // a number, true, false or null
		for r.pos < len(r.text) && strings.IndexByte(",]} \t\r\n", r.text[r.pos]) < 0 {
			r.pos++
		}
	}
	e.raw = r.text[e.start:r.pos]
	return e
}

// more stands the reader on the next part of an object or array, or behind
// its end.
func (r *elementReader) more(end byte) bool {
	r.skipSpace()
	if r.text[r.pos] == ',' {
		r.pos++
		r.skipSpace()
	}
	if r.text[r.pos] == end {
		r.pos++
		return false
	}
	return true
}

func (r *elementReader) skipSpace() {
	for r.pos < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.pos]) >= 0 {
		r.pos++
	}
}

// string reads the string that starts here and returns it with its quotes.
func (r *elementReader) string() []byte {
	start := r.pos
	for r.pos++; r.text[r.pos] != '"'; r.pos++ {
		if r.text[r.pos] == '\\' {
			r.pos++
		}
	}
	r.pos++
	return r.text[start:r.pos]
}

func unquote(literal []byte) string {
	if bytes.IndexByte(literal, '\\') < 0 && utf8.Valid(literal) {
		return string(literal[1 : len(literal)-1])
	}
	var s string
	if err := json.Unmarshal(literal, &s); err != nil {
		panic("runtime: string of a valid text: " + err.Error())
	}
	return s
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
	args     bool // the text is the arguments of a call: nesting and duplicate keys count
	lenient  bool // the text is a schema: numbers may be long
	problems []Problem
}

func (c *checker) check(e *element, pointer string, depth int) {
	switch {
	case e.isNumber():
		c.checkNumber(e.raw, pointer)
	case c.args && depth > maxArgsDepth:
		c.add(pointer, "nested deeper than %d levels", maxArgsDepth)
	case e.isObject():
		c.checkKeys(e, pointer)
		for i := range e.members {
			if m := &e.members[i]; !m.value.isPlain() {
				c.check(&m.value, joinPointer(pointer, m.key), depth+1)
			}
		}
	case e.isArray():
		for i := range e.items {
			if !e.items[i].isPlain() {
				c.check(&e.items[i], pointer+"/"+strconv.Itoa(i), depth+1)
			}
		}
	}
}

// isPlain reports whether there is nothing to check about the value; most
// values are plain, and need no pointer.
func (e *element) isPlain() bool {
	switch e.raw[0] {
	case '{', '[':
		return false
	}
	return !e.isNumber() || len(e.raw) <= maxExponent+2
}

func (c *checker) checkNumber(raw []byte, pointer string) {
	exponent := 0
	if i := bytes.IndexAny(raw, "eE"); i >= 0 {
		exponent = len(bytes.TrimLeft(raw[i+1:], "+-0"))
	}
	if len(raw) > maxNumberBytes && !c.lenient || exponent > maxExponent {
		c.add(pointer, "the number is out of range")
	}
}

func (c *checker) checkKeys(e *element, pointer string) {
	if !c.args || len(e.members) < 2 {
		return
	}
	seen := make(map[string]bool, len(e.members))
	for i := range e.members {
		key := e.members[i].key
		if seen[key] {
			c.problems = append(c.problems, Problem{
				Pointer: joinPointer(pointer, key), Code: CodeDuplicateKey, Message: fmt.Sprintf("the field %q is there twice", key),
			})
		}
		seen[key] = true
	}
}

func (c *checker) add(pointer, format string, args ...any) {
	c.problems = append(c.problems, Problem{
		Pointer: pointer, Code: CodeInvalidValue, Message: fmt.Sprintf(format, args...),
	})
}

func joinPointer(pointer, key string) string {
	return pointer + "/" + jsonpointer.Token(key)
}
