package validator

import (
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// A Literal is a value of an enum or const.
type Literal = *jsonschema.Node

// Values are those of an enum or const. How many they are does not matter to the time that
// it takes to find one.
type values struct {
	all     []Literal
	words   map[jsonschema.Kind]bool // true, false and null
	numbers map[jsonschema.Decimal]bool
	texts   map[string]bool // the contents of the strings
	keys    map[string]bool // of arrays and objects, see [jsonschema.Node.Key]
}

func valuesOf(all []Literal) *values {
	v := &values{
		all: all, words: map[jsonschema.Kind]bool{}, numbers: map[jsonschema.Decimal]bool{},
		texts: map[string]bool{}, keys: map[string]bool{},
	}
	for _, n := range all {
		switch n.Kind {
		case jsonschema.KindString:
			v.texts[n.Text()] = true
		case jsonschema.KindArray, jsonschema.KindObject:
			v.keys[n.Key()] = true
		case jsonschema.KindNumber:
			v.numbers[jsonschema.DecimalOf(n.Raw())] = true
		default:
			v.words[n.Kind] = true
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
		return v.words[jsonschema.Kind(text[0])]
	}
	return v.numbers[jsonschema.DecimalOf(text)]
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
