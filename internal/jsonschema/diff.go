package jsonschema

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// Diff returns where the texts of two schemas differ, a line each, such as
// `/properties/age/type: want "integer", have "string"`. An empty text is no
// schema.
//
// The order of keys, of required properties and of enum values is free; numbers
// count by value; absent "required" or "properties" equals an empty one, and
// absent "items" or "additionalProperties" equals one that allows everything.
// Notes do not count, see [Keyword.IsNote].
func Diff(want, have []byte) []string {
	w, errWant := readDiffSchema(want)
	h, errHave := readDiffSchema(have)
	if errWant != nil || errHave != nil {
		return []string{fmt.Sprintf("not JSON: want %s, have %s", excerpt.Short(string(want), maxShown), excerpt.Short(string(have), maxShown))}
	}
	var lines []string
	for _, d := range Differences(nil, w, h, Keyword.IsNote) {
		lines = append(lines, fmt.Sprintf("%s: want %s, have %s", cmp.Or(d.At.Pointer(), "schema"), d.Want.Shown(), d.Have.Shown()))
	}
	return lines
}

// A Difference is a part in which two schemas differ; one of them may lack it.
type Difference struct {
	At         *Location
	Want, Have *Node
}

// Differences returns where two schemas at a location differ, as [Diff] does.
// Keywords for which skip returns true do not count.
func Differences(at *Location, want, have *Node, skip func(Keyword) bool) []Difference {
	d := differ{skip: skip}
	d.schema(at, want, have)
	return d.found
}

func readDiffSchema(text []byte) (*Node, error) {
	if len(text) == 0 {
		return nil, nil
	}
	return Read(text, &ReadOptions{Accept: AcceptAll})
}

type differ struct {
	skip  func(Keyword) bool
	found []Difference
}

// same reports a difference unless the condition holds.
func (d *differ) same(ok bool, at *Location, want, have *Node) {
	if !ok {
		d.found = append(d.found, Difference{at, want, have})
	}
}

func (d *differ) schema(at *Location, want, have *Node) {
	if !want.Is(KindObject) || !have.Is(KindObject) {
		d.same(Equal(want, have), at, want, have)
		return
	}
	for _, keyword := range diffKeys(want, have) {
		if k, _ := KeywordNamed(keyword); !d.skip(k) {
			d.keyword(k, at.Key(keyword), want.Get(keyword), have.Get(keyword))
		}
	}
}

func (d *differ) keyword(k Keyword, at *Location, want, have *Node) {
	switch k.Form {
	case FormSchemaMap:
		for _, name := range diffKeys(want, have) {
			d.schema(at.Key(name), want.Get(name), have.Get(name))
		}
	case FormSchema:
		if k.Name == "items" || k.Name == "additionalProperties" {
			if want == nil || have == nil {
				want, have = diffUnlessAnything(want), diffUnlessAnything(have)
			}
		}
		d.schema(at, want, have)
	case FormSchemas:
		d.schemas(at, want, have)
	case FormTexts, FormEnum:
		d.same(diffSameSet(want, have), at, want, have)
	default:
		d.same(Equal(want, have) || k.Name == "$ref" && diffSameRef(want, have), at, want, have)
	}
}

// diffSameRef reports whether two references lead to the same definition, which
// older schemas hold in "definitions".
func diffSameRef(want, have *Node) bool {
	pointer := func(n *Node) string {
		at, local := ParseRef(n.Text())
		if !local {
			return n.Text()
		}
		return strings.Replace(at.Pointer(), "/definitions/", "/$defs/", 1)
	}
	return want != nil && have != nil && pointer(want) == pointer(have)
}

func (d *differ) schemas(at *Location, want, have *Node) {
	if !want.Is(KindArray) || !have.Is(KindArray) || len(want.Items) != len(have.Items) {
		d.same(false, at, want, have)
		return
	}
	for i, item := range want.Items {
		d.schema(at.Item(i), item, have.Items[i])
	}
}

// diffUnlessAnything returns nil for a schema that allows everything.
func diffUnlessAnything(schema *Node) *Node {
	if schema.AllowsAnything() {
		return nil
	}
	return schema
}

// diffSameSet reports whether two arrays have the same elements. What is no array has
// none.
func diffSameSet(a, b *Node) bool {
	return Equal(a, b) || maps.Equal(diffValueSet(a), diffValueSet(b))
}

// diffValueSet returns the keys of the elements of an array, see [Node.Key].
func diffValueSet(n *Node) map[string]bool {
	set := map[string]bool{}
	if n != nil {
		for _, item := range n.Items {
			set[item.Key()] = true
		}
	}
	return set
}

// diffKeys returns the keys of two objects, sorted.
func diffKeys(a, b *Node) []string {
	var keys []string
	for _, n := range []*Node{a, b} {
		if n == nil {
			continue
		}
		for _, m := range n.Members {
			keys = append(keys, m.Key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
