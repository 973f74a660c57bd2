package importer

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// A kind says what a JSON value is.
type kind byte

const (
	kindNull   kind = 'n'
	kindBool   kind = 'b'
	kindNumber kind = '0'
	kindString kind = '"'
	kindArray  kind = '['
	kindObject kind = '{'
)

// A node is a JSON value with its place.
type node struct {
	kind    kind
	text    string // of a string, its content; of what is no array or object, as written
	items   []*node
	members []member
	span    source.Span

	index map[string]int // members, where there are many
}

// A member is a key of an object and its value. Each key occurs once.
type member struct {
	key   string
	value *node
	span  source.Span // of the key
}

// smallObject is the number of members up to which looking through them is
// faster than a table.
const smallObject = 8

// find returns the position of a member, -1 when there is none.
func (n *node) find(key string) int {
	if n == nil {
		return -1
	}
	if n.index != nil {
		if i, ok := n.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range n.members {
		if n.members[i].key == key {
			return i
		}
	}
	return -1
}

// get returns the value of a member, nil when there is none.
func (n *node) get(key string) *node {
	if i := n.find(key); i >= 0 {
		return n.members[i].value
	}
	return nil
}

// given is get, but takes null for nothing.
func (n *node) given(key string) *node {
	if v := n.get(key); v != nil && v.kind != kindNull {
		return v
	}
	return nil
}

// is reports whether there is a node of that kind.
func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// add appends a member; the caller knows that the key is new.
func (n *node) add(m member) {
	n.members = append(n.members, m)
	if n.index == nil && len(n.members) > smallObject {
		n.index = make(map[string]int, 2*len(n.members))
		for i := range n.members {
			n.index[n.members[i].key] = i
		}
	} else if n.index != nil {
		n.index[m.key] = len(n.members) - 1
	}
}

// maxDepth is how deep JSON values may be nested.
const maxDepth = 10_000

// A jsonReader reads JSON values from a text.
type jsonReader struct {
	file  *source.File
	text  string
	pos   int
	depth int
	diags *diag.List
}

// A jsonError says where a text is no JSON. It is told where it is caught.
type jsonError struct {
	at      source.Span
	code    diag.Code
	message string
}

func (r *jsonReader) fail(start, end int, format string, args ...any) *jsonError {
	return &jsonError{r.file.Span(start, end), diag.CodeNotJSON, fmt.Sprintf(format, args...)}
}

// skip moves over blanks.
func (r *jsonReader) skip() {
	for r.pos < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.pos]) >= 0 {
		r.pos++
	}
}

// peek returns the next byte that is no blank, 0 at the end.
func (r *jsonReader) peek() byte {
	r.skip()
	if r.pos == len(r.text) {
		return 0
	}
	return r.text[r.pos]
}

// value reads one value.
func (r *jsonReader) value() (*node, *jsonError) {
	if r.depth++; r.depth > maxDepth {
		return nil, &jsonError{r.file.Span(r.pos, r.pos+1), diag.CodeTooDeep, fmt.Sprintf("JSON nested deeper than %d", maxDepth)}
	}
	defer func() { r.depth-- }()
	first := r.peek()
	start := r.pos
	n := &node{}
	var failed *jsonError
	switch {
	case first == '{':
		n.kind = kindObject
		failed = r.object(n)
	case first == '[':
		n.kind = kindArray
		failed = r.array(n)
	case first == '"':
		n.kind = kindString
		n.text, failed = r.string()
	case first == '-', '0' <= first && first <= '9':
		n.kind = kindNumber
		n.text, failed = r.number()
	default:
		n.kind, n.text, failed = r.word()
	}
	n.span = r.file.Span(start, r.pos)
	return n, failed
}

// word reads true, false or null.
func (r *jsonReader) word() (kind, string, *jsonError) {
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(r.text[r.pos:], word) {
			r.pos += len(word)
			if word == "null" {
				return kindNull, word, nil
			}
			return kindBool, word, nil
		}
	}
	return 0, "", r.unexpected("a value")
}

// unexpected says what stands where something else is wanted.
func (r *jsonReader) unexpected(wanted string) *jsonError {
	r.skip()
	if r.pos == len(r.text) {
		return r.fail(r.pos, r.pos, "the JSON text ends where %s is expected", wanted)
	}
	end := r.pos
	for end < len(r.text) && (r.text[end]|0x20 >= 'a' && r.text[end]|0x20 <= 'z' || end == r.pos) {
		_, size := utf8.DecodeRuneInString(r.text[end:])
		end += size
	}
	return r.fail(r.pos, end, "this is not JSON: unexpected %s; expected %s", quote(r.text[r.pos:end]), wanted)
}

func (r *jsonReader) object(n *node) *jsonError {
	r.pos++
	for more := r.peek() != '}'; more; {
		if r.peek() != '"' {
			return r.unexpected("a key in double quotes")
		}
		start := r.pos
		key, failed := r.string()
		if failed != nil {
			return failed
		}
		m := member{key: key, span: r.file.Span(start, r.pos)}
		if r.peek() != ':' {
			return r.unexpected(`":"`)
		}
		r.pos++
		if m.value, failed = r.value(); failed != nil {
			return failed
		}
		r.keep(n, m)
		if more, failed = r.separator('}'); failed != nil {
			return failed
		}
	}
	r.pos++
	return nil
}

// keep adds a member. Of a key that occurs twice the last counts, as it does
// for nearly every reader of JSON.
func (r *jsonReader) keep(n *node, m member) {
	i := n.find(m.key)
	if i < 0 {
		n.add(m)
		return
	}
	d := r.diags.Errorf(m.span, diag.CodeDuplicateKey, "the key %s occurs twice in this object; the last one counts", quote(m.key))
	d.Relate(n.members[i].span, "first here")
	n.members[i].value, n.members[i].span = m.value, m.span
}

func (r *jsonReader) array(n *node) *jsonError {
	r.pos++
	for more := r.peek() != ']'; more; {
		item, failed := r.value()
		if failed != nil {
			return failed
		}
		n.items = append(n.items, item)
		if more, failed = r.separator(']'); failed != nil {
			return failed
		}
	}
	r.pos++
	return nil
}

// separator reads a comma and reports true, or stops before the closing
// bracket.
func (r *jsonReader) separator(closing byte) (bool, *jsonError) {
	switch r.peek() {
	case closing:
		return false, nil
	case ',':
		r.pos++
		if r.peek() == closing {
			return false, r.unexpected("a value behind the comma")
		}
		return true, nil
	}
	return false, r.unexpected(fmt.Sprintf(`"," or %q`, string(closing)))
}

func (r *jsonReader) number() (string, *jsonError) {
	start := r.pos
	for r.pos < len(r.text) && strings.IndexByte("+-0123456789.eE", r.text[r.pos]) >= 0 {
		r.pos++
	}
	text := r.text[start:r.pos]
	if !isNumber(text) {
		return "", r.fail(start, r.pos, "%s is no number of JSON", quote(text))
	}
	return text, nil
}

// isNumber reports whether a text of digits and signs is a number of JSON.
func isNumber(text string) bool {
	digits := func() bool {
		n := len(text) - len(strings.TrimLeft(text, "0123456789"))
		text = text[n:]
		return n > 0
	}
	text = strings.TrimPrefix(text, "-")
	if rest, zero := strings.CutPrefix(text, "0"); zero {
		text = rest
	} else if !digits() {
		return false
	}
	if rest, point := strings.CutPrefix(text, "."); point {
		if text = rest; !digits() {
			return false
		}
	}
	if text != "" && text[0]|0x20 == 'e' {
		text = text[1:]
		if text != "" && (text[0] == '+' || text[0] == '-') {
			text = text[1:]
		}
		if !digits() {
			return false
		}
	}
	return text == ""
}

// string reads a string and returns its content.
func (r *jsonReader) string() (string, *jsonError) {
	start := r.pos
	r.pos++
	plain := r.pos
	for r.pos < len(r.text) && r.text[r.pos] != '"' && r.text[r.pos] != '\\' && r.text[r.pos] >= ' ' {
		r.pos++
	}
	if r.pos < len(r.text) && r.text[r.pos] == '"' {
		r.pos++
		return r.valid(r.text[plain:r.pos-1], start), nil
	}
	b := []byte(r.text[plain:r.pos])
	for r.pos < len(r.text) {
		c := r.text[r.pos]
		switch {
		case c == '"':
			r.pos++
			return r.valid(string(b), start), nil
		case c == '\\':
			var failed *jsonError
			if b, failed = r.escape(b); failed != nil {
				return "", failed
			}
			continue
		case c < ' ':
			return "", r.fail(r.pos, r.pos+1, "a string of JSON holds no line ends and no control characters; write \\n or \\u%04x", c)
		}
		b = append(b, c)
		r.pos++
	}
	return "", r.fail(start, start+1, "the string is never closed")
}

// valid returns text of which bytes that are no UTF-8 are replaced, which it
// tells.
func (r *jsonReader) valid(text string, start int) string {
	if utf8.ValidString(text) {
		return text
	}
	r.diags.Errorf(r.file.Span(start, r.pos), diag.CodeNotUTF8, "this string is not UTF-8; what is not becomes U+FFFD")
	return strings.ToValidUTF8(text, string(utf8.RuneError))
}

// escape reads an escape and appends what it stands for.
func (r *jsonReader) escape(b []byte) ([]byte, *jsonError) {
	start := r.pos
	if r.pos+1 == len(r.text) {
		return nil, r.fail(start, start+1, "the text ends within a string")
	}
	const names, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := strings.IndexByte(names, r.text[r.pos+1]); i >= 0 {
		r.pos += 2
		return append(b, meant[i]), nil
	}
	unit, ok := hex4(r.text[r.pos+1:])
	if !ok {
		_, size := utf8.DecodeRuneInString(r.text[r.pos+1:])
		return nil, r.fail(start, start+1+size, "%s is no escape of JSON", quote(r.text[start:start+1+size]))
	}
	r.pos += len(`\u0000`)
	if !utf16.IsSurrogate(unit) {
		return utf8.AppendRune(b, unit), nil
	}
	if low, ok := hex4(strings.TrimPrefix(r.text[r.pos:], `\`)); ok && strings.HasPrefix(r.text[r.pos:], `\`) {
		if pair := utf16.DecodeRune(unit, low); pair != utf8.RuneError {
			r.pos += len(`\u0000`)
			return utf8.AppendRune(b, pair), nil
		}
	}
	r.diags.Errorf(r.file.Span(start, r.pos), diag.CodeImportLost, "%s is half of a character and no text; it becomes U+FFFD", r.text[start:r.pos])
	return utf8.AppendRune(b, utf8.RuneError), nil
}

// hex4 reads u and four hexadecimal digits.
func hex4(text string) (r rune, ok bool) {
	if len(text) < len("u0000") || text[0] != 'u' {
		return 0, false
	}
	for _, c := range []byte(text[1:len("u0000")]) {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if digit < 0 || c < '0' {
			return 0, false
		}
		r = r<<4 | rune(digit)
	}
	return r, true
}
