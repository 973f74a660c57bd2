package grammar

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/vocabulary"
)

// maxForeign is how much text may be read as a type or a signature of another language.
const maxForeign = 4096

// A foreignReader reads types and signatures of other languages, and writes them as gram
// does.
type foreignReader struct {
	text     string
	pos      int
	depth    int
	nullable bool // the last type was none, such as null
	unknown  bool // a name was read that is no type of any language
	literal  bool // a field of an object has but one value, so that it may be a property
	variable bool // an environment variable was read
}

// foreignTypeAt returns a reader of the text from an offset on.
func foreignTypeAt(text string, at int) *foreignReader {
	return &foreignReader{text: text[:min(len(text), at+maxForeign)], pos: at}
}

// peek moves over whitespace and returns the next byte, 0 at the end.
func (r *foreignReader) peek() byte {
	for r.pos < len(r.text) && isWhitespace(r.text[r.pos]) {
		r.pos++
	}
	if r.pos == len(r.text) {
		return 0
	}
	return r.text[r.pos]
}

func (r *foreignReader) accept(sign string) bool {
	if r.peek(); !strings.HasPrefix(r.text[r.pos:], sign) {
		return false
	}
	r.pos += len(sign)
	return true
}

// typ reads a type, with | between alternatives. It returns "" for what is none.
func (r *foreignReader) typ() string {
	const deepest = 20
	if r.depth++; r.depth > deepest {
		return ""
	}
	defer func() { r.depth-- }()
	var all []string
	nullable := false
	r.accept("|")
	for more := true; more; more = r.accept("|") {
		t := r.postfix()
		if r.nullable {
			nullable = true
			continue
		}
		if t == "" {
			return ""
		}
		all = append(all, t)
	}
	r.nullable = false
	written := strings.Join(all, " | ")
	switch {
	case len(all) == 0 && nullable:
		return "Null"
	case nullable && len(all) > 1:
		return "(" + written + ")?"
	case nullable:
		return foreignNullableType(written)
	}
	return written
}

// foreignUnionType returns the union of types, of which one can be Null.
func foreignUnionType(list []string) string {
	some := slices.DeleteFunc(slices.Clone(list), func(t string) bool { return t == "Null" })
	written := strings.Join(some, " | ")
	switch {
	case len(some) == len(list):
		return written
	case len(some) > 1:
		written = "(" + written + ")"
	}
	return foreignNullableType(written)
}

func foreignNullableType(written string) string { return strings.TrimSuffix(written, "?") + "?" }

// postfix reads a type with [] or ? behind it.
func (r *foreignReader) postfix() string {
	r.nullable = false
	written := r.primary()
	for written != "" && r.pos < len(r.text) {
		switch rest := r.text[r.pos:]; {
		case strings.HasPrefix(rest, "[]"):
			r.pos += 2
			written = "[" + written + "]"
		case rest[0] == '?':
			r.pos++
			written = foreignNullableType(written)
		default:
			return written
		}
	}
	return written
}

func (r *foreignReader) primary() string {
	switch c := r.peek(); {
	case c == '(':
		r.pos++
		inner := r.typ()
		if inner == "" || !r.accept(")") {
			return ""
		}
		if strings.Contains(inner, "|") {
			return "(" + inner + ")"
		}
		return inner
	case c == '[':
		r.pos++
		inner := r.typ()
		if inner == "" || !r.accept("]") {
			return ""
		}
		return "[" + inner + "]"
	case c == '{':
		return r.object()
	case c == '"', c == '\'':
		text := r.quoted()
		if text == "" {
			return ""
		}
		return `"` + text[1:len(text)-1] + `"`
	case c == '`':
		text := r.quoted()
		return strings.Trim(text, "`")
	case isDigit(c):
		start := r.pos
		r.pos += lexPrefix(r.text[r.pos:], digit)
		return r.text[start:r.pos]
	}
	return r.named()
}

// quoted reads a text in quotes that ends on its line and has no escapes.
func (r *foreignReader) quoted() string {
	start := r.pos
	n := strings.IndexAny(r.text[start+1:], string(r.text[start])+"\n\\")
	if n < 0 || r.text[start+1+n] != r.text[start] {
		return ""
	}
	r.pos = start + n + 2
	return r.text[start:r.pos]
}

// word reads a name, possibly with dots.
func (r *foreignReader) word() string {
	r.peek()
	n := 0
	for r.pos+n < len(r.text) && (class[r.text[r.pos+n]]&(letter|digit) != 0 || strings.IndexByte("_.", r.text[r.pos+n]) >= 0) {
		n++
	}
	word := r.text[r.pos : r.pos+n]
	if word == "" || isDigit(word[0]) {
		return ""
	}
	r.pos += n
	return word
}

// startsKey reports whether a key and a colon follow.
func (r *foreignReader) startsKey() bool { return r.word() != "" && r.accept(":") }

// named reads the name of a type, with its arguments.
func (r *foreignReader) named() string {
	name := r.word()
	name = name[strings.LastIndexByte(name, '.')+1:]
	if name == "" {
		return ""
	}
	if strings.EqualFold(name, "enum") || name == "Literal" {
		return r.choice()
	}
	switch rest := r.text[r.pos:]; {
	case strings.HasPrefix(rest, "<"):
		r.pos++
		return r.applied(name, ">")
	case strings.HasPrefix(rest, "[") && !strings.HasPrefix(rest, "[]"):
		r.pos++
		return r.applied(name, "]")
	}
	switch strings.ToLower(name) {
	case "null", "none", "undefined", "nil":
		r.nullable = true
		return ""
	case "maybe":
		if inner := r.postfix(); inner != "" {
			return name + " " + inner
		}
		return ""
	}
	if vocabulary.TypeOf(name) == "" {
		r.unknown = true
	}
	return foreignTypeWord(name)
}

// choice reads the values after enum or Literal.
func (r *foreignReader) choice() string {
	closer := map[byte]string{'[': "]", '<': ">", '(': ")"}[r.peek()]
	if closer == "" {
		return ""
	}
	r.pos++
	return strings.Join(r.list(closer, r.primary), " | ")
}

// list reads one or more types, up to the bracket that closes; nil if it cannot.
func (r *foreignReader) list(closer string, one func() string) (list []string) {
	for more := true; more; more = r.accept(",") {
		read := one()
		if read == "" {
			return nil
		}
		list = append(list, read)
	}
	if !r.accept(closer) {
		return nil
	}
	return list
}

// applied reads the arguments of a name, up to the bracket that closes.
func (r *foreignReader) applied(name, closer string) string {
	list := r.list(closer, r.typ)
	if list == nil {
		return ""
	}
	last := list[len(list)-1]
	lower := strings.ToLower(name)
	switch {
	case lower == "union", lower == "either":
		return foreignUnionType(list)
	case slices.Contains([]string{"dict", "map", "record", "mapping", "hashmap", "object"}, lower) && len(list) <= 2:
		return "Map<" + last + ">"
	case len(list) > 1:
		return ""
	case slices.Contains([]string{"list", "array", "sequence", "iterable", "set", "frozenset", "readonlyarray", "vec", "slice"}, lower):
		return "[" + last + "]"
	case slices.Contains([]string{"optional", "option", "nullable"}, lower):
		return foreignNullableType(last)
	case slices.Contains([]string{"promise", "awaitable", "future", "task", "io", "readonly", "final"}, lower):
		return last
	}
	return ""
}

// object reads {a: string; b?: number}.
func (r *foreignReader) object() string {
	r.pos++
	var fields []string
	for r.peek() != '}' {
		r.accept("readonly ")
		name := cmp.Or(r.word(), "[")
		switch {
		case name != "[":
			if r.accept("?") {
				name += "?"
			}
		case r.accept("[") && r.word() != "" && r.accept(":") && r.word() != "" && r.accept("]"):
			name = "*"
		default:
			return ""
		}
		if !r.accept("::") && !r.accept(":") {
			return ""
		}
		t := r.typ()
		if t == "" || isForeignTypeAttribute(name) {
			return ""
		}
		r.literal = r.literal || t[0] == '"' || isDigit(t[0])
		fields = append(fields, name+": "+t)
		if !r.accept(",") && !r.accept(";") && r.peek() != '}' {
			return ""
		}
	}
	r.pos++
	if len(fields) == 1 && strings.HasPrefix(fields[0], "*: ") {
		return "Map<" + fields[0][len("*: "):] + ">"
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// isForeignTypeAttribute reports whether a name is that of a property of parameters.
func isForeignTypeAttribute(name string) bool {
	_, known := vocabulary.PropertyOf(vocabulary.OwnerParameter, name)
	return known && name != "type" && name != "title"
}

// foreignTypeWord returns the type that a word in small letters means, or the word itself, which
// the file may define.
func foreignTypeWord(word string) string {
	if word != "" && 'a' <= word[0] && word[0] <= 'z' {
		return cmp.Or(vocabulary.TypeOf(word), word)
	}
	return word
}

// foreignTypeLabel returns a type as it stands after ::, in backticks where it is more than a name.
func foreignTypeLabel(written string) string {
	if lexSymbolLength(written) == len(written) {
		return written
	}
	return fixAsTextInTicks(written)
}

// foreignTypeFixes returns the fixes of a type that is more than a name and stands at
// an offset without backticks.
func foreignTypeFixes(text string, at int) []fix {
	r := foreignTypeAt(text, at)
	braces := r.peek() == '{'
	written := r.typ()
	end := at + len(strings.TrimRight(text[at:r.pos], " \t\r\n"))
	if written == "" || strings.ContainsAny(written, "`\\") || written == text[at:end] && lexSymbolLength(written) == len(written) {
		return nil
	}
	if braces && !strings.HasSuffix(strings.TrimRight(text[:at], " \t"), "::") {
		return nil
	}
	if meant := foreignQuotedType(written); meant != "" {
		return []fix{writeFix(at, end, meant), writeFix(at, end, fixAsTextInTicks(written))}
	}
	f := writeFix(at, end, fixAsTextInTicks(written))
	f.safe = !braces && (!strings.Contains(written, " ") || strings.Contains(written, `"`))
	return []fix{f}
}

// foreignQuotedType returns the type that a text in quotes spells, as it stands after ::; ""
// if it spells none.
func foreignQuotedType(text string) string {
	inner := strings.Trim(text, `"`)
	if len(inner) != len(text)-2 {
		return ""
	}
	r := foreignTypeAt(inner, 0)
	written := r.typ()
	if written == "" || strings.ContainsAny(written, "`\\") || r.peek() != 0 || r.unknown && !isNamedType(written) {
		return ""
	}
	return foreignTypeLabel(written)
}

// isNamedType reports whether the types in a type expression are named as types are.
func isNamedType(written string) bool {
	return !strings.ContainsFunc(written[:1], func(c rune) bool { return 'a' <= c && c <= 'z' }) && !strings.Contains(written, " ")
}
