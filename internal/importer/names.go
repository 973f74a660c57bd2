package importer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A namePath is how a type is reached: tool, parameter, field.
type namePath struct {
	above *namePath
	word  string
}

func (p *namePath) down(word string) *namePath { return &namePath{p, word} }

// top returns the start of the path.
func (p *namePath) top() *namePath {
	for p.above != nil {
		p = p.above
	}
	return p
}

// part returns the path of a part that has no name of its own.
func (p *namePath) part(word string) *namePath {
	if p.above == nil || len(p.word) > maxTypeName {
		return p.down(word)
	}
	return &namePath{p.above, p.word + "_" + word}
}

// item returns the path of the elements of an array: labels are made of a label.
func (p *namePath) item() *namePath {
	if one := singularName(p.word); one != "" && p.above != nil {
		return &namePath{p.above, one}
	}
	return p.part("Item")
}

// singularName returns one of what an English word names, "" if it is not known.
func singularName(word string) string {
	cut := func(end, instead string) (string, bool) {
		stem, found := strings.CutSuffix(word, end)
		return stem + instead, found && len(stem) > 1
	}
	for _, rule := range [...][2]string{
		{"children", "child"}, {"people", "person"}, {"ies", "y"}, {"sses", "ss"}, {"ches", "ch"}, {"shes", "sh"}, {"xes", "x"}, {"statuses", "status"},
		{"ss", ""}, {"us", ""}, {"is", ""}, {"news", ""}, {"s", ""},
	} {
		if one, found := cut(rule[0], rule[1]); found {
			if rule[1] == "" && rule[0] != "s" {
				return "" // it looks like a plural and is none
			}
			return one
		}
	}
	return ""
}

// alternative returns the path of an alternative of a union: by its title, by the
// field that distinguishes it, or by its kind if there are several of that.
func (p *namePath) alternative(t *typ, union []*typ) *namePath {
	for _, f := range t.fields {
		if v := f.typ.attr("const"); f.required && v.Is(jsonschema.KindString) && camelName(v.Text()) != "Part" {
			return p.part(v.Text()).titled(t)
		}
	}
	isOther := func(u *typ) bool { return u != t && u.kind == t.kind }
	if t.kind == "Array" || !slices.ContainsFunc(union, isOther) {
		return p.titled(t)
	}
	return p.part(t.kind).titled(t)
}

// titled returns the path of a type, which has its title as the last word if that
// is short enough to be a name.
func (p *namePath) titled(t *typ) *namePath {
	const mostWords, most = 4, 40
	title := t.attr("title").Text()
	if title == "" || len(title) > most || len(strings.Fields(title)) > mostWords || p.above == nil || camelName(title) == "Part" {
		return p
	}
	return &namePath{p.above, title}
}

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
func (n *typeNames) unique(p *namePath) string {
	first := camelName(p.word)
	for name := first; ; name = camelName(p.word) + name {
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
	if n.taken[name] || reservedName(name) {
		return false
	}
	n.taken[name] = true
	return true
}

// reservedName reports whether a word cannot be the name of a type.
func reservedName(name string) bool {
	switch name {
	case "Type", "Enum", "Union", "Agent", "Tool", "ToolSpecification":
		return true
	}
	return types.TypeNameProblem(name) != ""
}

// camelName returns a text in UpperCamelCase, of ASCII letters and digits. Of a long
// one it is the first words.
func camelName(text string) string {
	const most = maxTypeName / 2
	name := ""
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r > 'z' || !isServiceNameByte(byte(r)) }) {
		if strings.Contains("0123456789", word[:1]) && name == "" {
			word = "N" + word
		}
		word = strings.ToUpper(word[:1]) + word[1:]
		if len(name)+len(word) > most && name != "" {
			break
		}
		name += word[:min(len(word), most)]
	}
	return cmp.Or(name, "Part")
}
