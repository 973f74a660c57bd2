package importer

import (
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/compile/types"
)

// A path is how a type is reached: tool, parameter, field.
type path struct {
	above *path
	word  string
}

func (p *path) down(word string) *path { return &path{p, word} }

// top returns the start of the path.
func (p *path) top() *path {
	for p.above != nil {
		p = p.above
	}
	return p
}

// part returns the path of a part that has no name of its own.
func (p *path) part(word string) *path {
	if len(p.word) > maxTypeName {
		return p.down(word)
	}
	return p.down(p.word + word)
}

// item returns the path of the elements of an array.
func (p *path) item() *path { return p.part("Item") }

// maxTypeName is how long the name of a type may get before it is numbered
// instead, in bytes.
const maxTypeName = 60

// typeNames gives each name to one type.
type typeNames struct {
	taken map[string]bool
	next  map[string]int // the number to try next behind a name
}

// unique returns a name for a type that is reached on a path: its last word,
// with the words before it if that is taken.
func (n *typeNames) unique(p *path) string {
	first := camel(p.word)
	for name := first; ; name = camel(p.word) + name {
		if len(name) <= maxTypeName && n.take(name) {
			return name
		}
		if p.above == nil || len(name) > maxTypeName {
			break
		}
		p = p.above
	}
	if n.next[first] == 0 {
		n.next[first] = 2
	}
	for {
		name := first + strconv.Itoa(n.next[first])
		n.next[first]++
		if n.take(name) {
			return name
		}
	}
}

// take reports whether a name is free, and takes it.
func (n *typeNames) take(name string) bool {
	if n.taken[name] || reserved(name) {
		return false
	}
	n.taken[name] = true
	return true
}

// reserved reports whether a word cannot be the name of a type.
func reserved(name string) bool {
	switch name {
	case "Type", "Enum", "Union", "Agent", "Tool", "ToolSpecification":
		return true
	}
	return types.TypeNameProblem(name) != ""
}

// camel returns a word in UpperCamelCase, of ASCII letters and digits.
func camel(word string) string {
	var b strings.Builder
	up := true
	for i := 0; i < len(word) && b.Len() < maxTypeName/2; i++ {
		c := word[i]
		isLetter := 'a' <= c|0x20 && c|0x20 <= 'z'
		switch isDigit := '0' <= c && c <= '9'; {
		case isLetter && up:
			b.WriteByte(c &^ 0x20)
		case isDigit && b.Len() == 0:
			b.WriteString("N" + string(c))
		case isLetter || isDigit:
			b.WriteByte(c)
		}
		up = !isLetter
	}
	if b.Len() == 0 {
		return "Part"
	}
	return b.String()
}
