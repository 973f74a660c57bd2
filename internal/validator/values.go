package validator

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A Literal is a value of an enum or const.
type Literal = *jsonschema.Node

// Values are those of an enum or const, found without decoding a value where that is
// possible.
type values struct {
	all   []Literal
	texts map[string]bool // the contents of the strings
	keys  map[string]bool // of arrays and objects, see [jsonschema.Node.Key]
}

func valuesOf(all []Literal) *values {
	v := &values{all: all, texts: map[string]bool{}}
	for _, n := range all {
		switch n.Kind {
		case jsonschema.KindString:
			v.texts[n.Text()] = true
		case jsonschema.KindArray, jsonschema.KindObject:
			if v.keys == nil {
				v.keys = map[string]bool{}
			}
			v.keys[n.Key()] = true
		}
	}
	return v
}

// has reports whether the value with that text is one of them.
func (v *values) has(text string) bool {
	switch text[0] {
	case '"':
		return v.texts[stringText(text)]
	case '{', '[':
		return len(v.keys) > 0 && v.keys[treeOf(text).Key()]
	case 't', 'f', 'n':
		return slices.ContainsFunc(v.all, func(n Literal) bool { return n.Kind == jsonschema.Kind(text[0]) })
	}
	number := jsonschema.DecimalOf(text)
	return slices.ContainsFunc(v.all, func(n Literal) bool {
		return n.Is(jsonschema.KindNumber) && jsonschema.DecimalOf(n.Raw()) == number
	})
}

// A uniqueness finds equal elements of an array.
type uniqueness struct{ seen map[string]int }

// add records an element and returns the index of an equal one before it, or -1.
func (u *uniqueness) add(i int, text string) int {
	key := text
	switch text[0] {
	case 't', 'f', 'n':
	case '"':
		if strings.IndexByte(text, '\\') >= 0 {
			key = `"` + stringText(text) + `"` // as without escapes
		}
	default:
		key = treeOf(text).Key()
	}
	if before, found := u.seen[key]; found {
		return before
	}
	if u.seen == nil {
		u.seen = map[string]int{}
	}
	u.seen[key] = i
	return -1
}
