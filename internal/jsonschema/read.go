package jsonschema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// DefaultMaxDepth limits the nesting of arrays and objects, as in encoding/json.
const DefaultMaxDepth = 10_000

// ReadOptions change how [Read] reads. A nil *ReadOptions and the zero value are
// the default.
type ReadOptions struct {
	MaxDepth int // levels of arrays and objects; 0 means [DefaultMaxDepth]

	// Accept decides whether the reader goes on after a defect. Nil, and
	// false, make it an error.
	Accept func(Defect) bool
}

// AcceptAll accepts every [Defect], as encoding/json does.
func AcceptAll(Defect) bool { return true }

// A DefectKind is a kind of mistake after which the text can still be read.
type DefectKind uint8

// The kinds of defects.
const (
	DuplicateKey  DefectKind = iota + 1 // a duplicate key; the last value counts, at the position of the first
	InvalidUTF8                         // a string that is not UTF-8; invalid bytes become U+FFFD
	LoneSurrogate                       // \ud800 to \udfff without its other half; it becomes U+FFFD
)

// A Defect is a mistake after which the text can still be read.
type Defect struct {
	Kind       DefectKind
	Start, End int    // of the key, the string or the escape
	Key        string // of a duplicate
	First      Member // the member that had the key before
}

func (d Defect) message() string {
	switch d.Kind {
	case DuplicateKey:
		return fmt.Sprintf("the key %s occurs twice in this object", readQuoted(d.Key))
	case InvalidUTF8:
		return "this string is not UTF-8"
	}
	return "the escape is half of a character"
}

// A SyntaxError is why and where a text is not JSON.
type SyntaxError struct {
	Start, End int        // offsets, half-open; both are at the end for a text that is cut off
	Message    string     // what is wrong, and what was expected
	TooDeep    bool       // it may be JSON, but is nested too deep
	Defect     DefectKind // the defect that was not accepted, 0 for other mistakes
}

// Error returns the message with the offset.
func (e *SyntaxError) Error() string { return fmt.Sprintf("at byte %d: %s", e.Start, e.Message) }

// Read reads a text that is one JSON value. Its error is a *[SyntaxError].
func Read[T ~string | ~[]byte](text T, o *ReadOptions) (*Node, error) {
	r := newJSONReader(string(text), 0, o)
	n, err := r.value()
	if err != nil {
		return nil, err
	}
	if r.peek(); r.pos < len(r.text) {
		return nil, r.unexpected("the end of the text")
	}
	return n, nil
}

// ReadAt reads the first value at or after an offset of a text, and returns its
// end. Its error is a *[SyntaxError].
func ReadAt(text string, start int, o *ReadOptions) (n *Node, end int, err error) {
	r := newJSONReader(text, start, o)
	n, failed := r.value()
	if failed != nil {
		return nil, r.pos, failed
	}
	return n, r.pos, nil
}

// A jsonReader reads JSON values from a text.
type jsonReader struct {
	text       string
	pos, depth int
	maxDepth   int
	accept     func(Defect) bool

	arena   []Node   // nodes that are not used yet
	chunk   int      // how many nodes were allocated last
	items   []*Node  // of the arrays that are open
	members []Member // of the objects that are open

	someItems   [4]*Node // the first room of items and members
	someMembers [4]Member
}

func newJSONReader(text string, start int, o *ReadOptions) *jsonReader {
	r := &jsonReader{text: text, pos: start, maxDepth: DefaultMaxDepth}
	r.items, r.members = r.someItems[:0], r.someMembers[:0]
	if o != nil {
		r.accept = o.Accept
		if o.MaxDepth > 0 {
			r.maxDepth = o.MaxDepth
		}
	}
	return r
}

// node returns a new node. Nodes are allocated many at a time, fewer at first: a
// long text can have many short values that are read one by one.
func (r *jsonReader) node() *Node {
	if len(r.arena) == 0 {
		const perValue, first, most = 10, 16, 128 // bytes of text, nodes
		r.chunk = min(max(2*r.chunk, first), most)
		r.arena = make([]Node, min((len(r.text)-r.pos)/perValue+1, r.chunk))
	}
	n := &r.arena[0]
	r.arena = r.arena[1:]
	return n
}

func (r *jsonReader) fail(start, end int, format string, args ...any) *SyntaxError {
	return &SyntaxError{Start: start, End: end, Message: fmt.Sprintf(format, args...)}
}

// defect asks the caller whether to go on.
func (r *jsonReader) defect(d Defect) *SyntaxError {
	if r.accept != nil && r.accept(d) {
		return nil
	}
	return &SyntaxError{Start: d.Start, End: d.End, Message: d.message(), Defect: d.Kind}
}

// peek skips whitespace and returns the next byte, 0 at the end.
func (r *jsonReader) peek() byte {
	for ; r.pos < len(r.text); r.pos++ {
		switch c := r.text[r.pos]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

func (r *jsonReader) value() (*Node, *SyntaxError) {
	first := r.peek()
	n := r.node()
	n.Start = int32(r.pos)
	var err *SyntaxError
	switch {
	case first == '{', first == '[':
		if r.depth++; r.depth > r.maxDepth {
			err = r.fail(r.pos, r.pos+1, "nested deeper than %d levels", r.maxDepth)
			err.TooDeep = true
			return nil, err
		}
		if n.Kind = Kind(first); first == '{' {
			err = r.object(n)
		} else {
			err = r.array(n)
		}
		r.depth--
	case first == '"':
		n.Kind = KindString
		n.escaped, err = r.string()
	case first == '-', '0' <= first && first <= '9':
		n.Kind = KindNumber
		err = r.number()
	default:
		n.Kind, err = r.word()
	}
	if err != nil {
		return nil, err
	}
	n.End = int32(r.pos)
	n.raw = r.text[n.Start:r.pos]
	return n, nil
}

func (r *jsonReader) object(n *Node) *SyntaxError {
	mark := len(r.members)
	var index map[string]int
	r.pos++
	for more := r.peek() != '}'; more; {
		if r.peek() != '"' {
			return r.unexpected("a key in double quotes")
		}
		m := Member{Start: int32(r.pos)}
		escaped, err := r.string()
		if err != nil {
			return err
		}
		m.End = int32(r.pos)
		if m.Key = r.text[m.Start+1 : m.End-1]; escaped {
			m.Key = unquoteNode(r.text[m.Start:m.End])
		}
		if r.peek() != ':' {
			return r.unexpected(`":"`)
		}
		r.pos++
		if m.Value, err = r.value(); err != nil {
			return err
		}
		if index, err = r.keep(mark, index, m); err != nil {
			return err
		}
		if more, err = r.separator('}'); err != nil {
			return err
		}
	}
	r.pos++
	n.Members, n.index = slices.Clone(r.members[mark:]), index
	r.members = r.members[:mark]
	return nil
}

// keep adds a member to the object whose members begin at mark, and returns the
// index of the object, nil for a small one.
func (r *jsonReader) keep(mark int, index map[string]int, m Member) (map[string]int, *SyntaxError) {
	members := r.members[mark:]
	i := -1
	if index == nil {
		i = findMember(members, m.Key)
	} else if known, ok := index[m.Key]; ok {
		i = known
	}
	if i >= 0 {
		err := r.defect(Defect{Kind: DuplicateKey, Start: int(m.Start), End: int(m.End), Key: m.Key, First: members[i]})
		members[i] = m
		return index, err
	}
	r.members = append(r.members, m)
	if index != nil {
		index[m.Key] = len(members)
	} else if len(members) == smallObject {
		index = indexOf(r.members[mark:])
	}
	return index, nil
}

// indexOf returns the index of a large object, nil for a small one.
func indexOf(members []Member) map[string]int {
	if len(members) <= smallObject {
		return nil
	}
	index := make(map[string]int, 2*len(members))
	for i := range members {
		index[members[i].Key] = i
	}
	return index
}

func (r *jsonReader) array(n *Node) *SyntaxError {
	mark := len(r.items)
	r.pos++
	for more := r.peek() != ']'; more; {
		item, err := r.value()
		if err != nil {
			return err
		}
		r.items = append(r.items, item)
		if more, err = r.separator(']'); err != nil {
			return err
		}
	}
	r.pos++
	n.Items = slices.Clone(r.items[mark:])
	r.items = r.items[:mark]
	return nil
}

// separator reads a comma and reports true, or stops before the closing
// bracket.
func (r *jsonReader) separator(closing byte) (bool, *SyntaxError) {
	switch r.peek() {
	case closing:
		return false, nil
	case ',':
		r.pos++
		if r.peek() == closing {
			return false, r.unexpected("a value after the comma")
		}
		return true, nil
	}
	return false, r.unexpected(fmt.Sprintf(`"," or %q`, string(closing)))
}

// word reads true, false or null.
func (r *jsonReader) word() (Kind, *SyntaxError) {
	for _, word := range [...]string{"true", "false", "null"} {
		if strings.HasPrefix(r.text[r.pos:], word) {
			r.pos += len(word)
			return Kind(word[0]), nil
		}
	}
	return 0, r.unexpected("a value")
}

// unexpected returns the error that the next token is not the wanted one.
func (r *jsonReader) unexpected(wanted string) *SyntaxError {
	r.peek()
	if r.pos == len(r.text) {
		return r.fail(r.pos, r.pos, "the text ends where %s is expected", wanted)
	}
	end := r.pos
	for end < len(r.text) && (readsLetter(r.text[end]) || end == r.pos) {
		_, size := utf8.DecodeRuneInString(r.text[end:])
		end += size
	}
	return r.fail(r.pos, end, "unexpected %s; expected %s", readQuoted(r.text[r.pos:end]), wanted)
}

func readsLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// readQuoted returns foreign text for a message.
func readQuoted(text string) string {
	return strconv.Quote(excerpt.Short(text, maxShown))
}

func (r *jsonReader) number() *SyntaxError {
	start := r.pos
	for r.pos < len(r.text) && strings.IndexByte("+-0123456789.eE", r.text[r.pos]) >= 0 {
		r.pos++
	}
	if text := r.text[start:r.pos]; !IsNumber(text) {
		return r.fail(start, r.pos, "%s is not a JSON number", readQuoted(text))
	}
	return nil
}

// string skips a string, and reports whether it has to be decoded.
func (r *jsonReader) string() (escaped bool, err *SyntaxError) {
	start, ascii := r.pos, true
	for r.pos++; r.pos < len(r.text); {
		switch c := r.text[r.pos]; {
		case c == '"':
			r.pos++
			if !ascii && !utf8.ValidString(r.text[start:r.pos]) {
				return true, r.defect(Defect{Kind: InvalidUTF8, Start: start, End: r.pos})
			}
			return escaped, nil
		case c == '\\':
			escaped = true
			if err := r.escape(); err != nil {
				return true, err
			}
		case c < ' ':
			return false, r.fail(r.pos, r.pos+1, "a JSON string has no line ends or control characters; write \\n or \\u%04x", c)
		default:
			ascii = ascii && c < utf8.RuneSelf
			r.pos++
		}
	}
	return false, r.fail(start, start+1, "the string is never closed")
}

// escape skips an escape.
func (r *jsonReader) escape() *SyntaxError {
	start := r.pos
	if start+1 == len(r.text) {
		return r.fail(start, start+1, "the text ends in a string")
	}
	if strings.IndexByte(`"\/bfnrt`, r.text[start+1]) >= 0 {
		r.pos += 2
		return nil
	}
	unit, ok := readHex4(r.text[start:])
	if !ok {
		_, size := utf8.DecodeRuneInString(r.text[start+1:])
		return r.fail(start, start+1+size, "%s is not a JSON escape", readQuoted(r.text[start:start+1+size]))
	}
	r.pos += len(`\u0000`)
	if !utf16.IsSurrogate(unit) {
		return nil
	}
	if low, ok := readHex4(r.text[r.pos:]); ok && utf16.DecodeRune(unit, low) != utf8.RuneError {
		r.pos += len(`\u0000`)
		return nil
	}
	return r.defect(Defect{Kind: LoneSurrogate, Start: start, End: r.pos})
}

// readHex4 reads \u and four hexadecimal digits.
func readHex4(text string) (unit rune, ok bool) {
	if len(text) < len(`\u0000`) || text[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(text[2:len(`\u0000`)], 16, 16)
	return rune(n), err == nil
}
