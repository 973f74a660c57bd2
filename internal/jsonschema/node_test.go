package jsonschema

import (
	"fmt"
	"strings"
	"testing"
)

func TestEditsKeepTheBytesOfTheRest(t *testing.T) {
	n := read(t, `{"type" : "object", "a": {"x" : 1.0}, "b":2}`)
	e := n.Edit()
	e.Set("b", Strings("<", "\xff"))
	e.Set("c", Null())
	e.SetFirst("a", n.Get("a"))
	e.SetFirst("z", Bool(false))
	e.Remove("type", "absent")
	if got, want := e.Node(n).Raw(), `{"z":false,"a":{"x" : 1.0},"b":["<","\ufffd"],"c":null}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if same := n.Edit(); same.Node(n) != n {
		t.Error("an edit without changes makes another node")
	}
	items := read(t, "[ 1, 2 ]")
	if items.WithItems([]*Node{items.Items[0], items.Items[1]}) != items || items.WithItems(items.Items[1:]).Raw() != "[2]" {
		t.Error("an array with its own items is another one")
	}
	if n.Raw() != `{"type" : "object", "a": {"x" : 1.0}, "b":2}` {
		t.Errorf("n was changed: %s", n.Raw())
	}
	if moved := Number("1").At(3, 4); moved.Start != 3 || moved.End != 4 || moved.Raw() != "1" {
		t.Errorf("moved is %+v", moved)
	}
}

func TestLargeObjectsThatWereMade(t *testing.T) {
	var members []Member
	for i := range 100 {
		members = append(members, Member{Key: fmt.Sprint("k", i), Value: Number(fmt.Sprint(i))})
	}
	n := Object(members...)
	if n.Find("k99") != 99 || n.Find("k100") != -1 || n.Get("k50").Raw() != "50" {
		t.Errorf("k99 is at %d", n.Find("k99"))
	}
}

func TestEqualAndKeyGoByValue(t *testing.T) {
	same := [][]string{
		{"1", "1.0", "10e-1", "0.1E1"}, {"0", "-0", "0e99999999999999999999"}, {"1e400", "10e399"},
		{`"a"`, `"\u0061"`}, {`{"a":1,"b":[2]}`, `{ "b":[2.0],"a":1 }`}, {"true"}, {"false"}, {"null"}, {"[]"}, {"{}"}, {"[[]]"},
		{`"1"`}, {"-1"}, {"1e99999999999999999999"}, {"1e99999999999999999998"}, {`{"a":1}`}, {"[1,2]"}, {"[2,1]"}, {"12"}, {"0.12"},
	}
	for i, group := range same {
		for j, other := range same {
			for _, a := range group {
				for _, b := range other {
					x, y := read(t, a), read(t, b)
					if Equal(x, y) != (i == j) || (x.Key() == y.Key()) != (i == j) {
						t.Errorf("%s and %s: equal is %t, the keys are %s and %s", a, b, Equal(x, y), x.Key(), y.Key())
					}
				}
			}
		}
	}
	if Equal(read(t, `{"a":null}`), read(t, `{"b":null}`)) || Equal(nil, Null()) || !Equal(nil, nil) {
		t.Error("an absent value is null")
	}
}

func TestNumbersCompareByValue(t *testing.T) {
	sorted := []string{"-1e99999999999999999999", "-12", "-2", "-1.5", "0", "1e-5", "0.5", "1", "1.25", "9", "10", "1e3"}
	for i, a := range sorted {
		for j, b := range sorted {
			if got, want := DecimalOf(a).Compare(DecimalOf(b)), min(1, max(-1, i-j)); got != want {
				t.Errorf("%s and %s compare as %d", a, b, got)
			}
		}
	}
	for text, want := range map[string]bool{"0": true, "-3": true, "1.0": true, "12e-1": false, "120e-1": true, "0.5": false, "1e99": true} {
		if DecimalOf(text).IsInteger() != want {
			t.Errorf("%s is an integer: %t", text, !want)
		}
	}
	if r := Number("1e9999").Rational(); r != nil || Number("0.5").Rational().RatString() != "1/2" || String("1").Rational() != nil {
		t.Errorf("1e9999 is %v", r)
	}
}

func TestReferences(t *testing.T) {
	root := read(t, `{"$defs":{"a/b":{"$ref":"#/$defs/c%20~0"},"c ~":[{"type":"null"}],"":1,
		"loop":{"$ref":"#/$defs/pool"},"pool":{"$ref":"#/$defs/loop"},"gone":{"$ref":"#/x"}}}`)
	r := NewResolver(root)
	for ref, want := range map[string]string{
		"#":                   root.Raw(),
		"#/$defs/a~1b":        `{"$ref":"#/$defs/c%20~0"}`,
		"#/%24defs/c%20~0/0":  `{"type":"null"}`,
		"#/$defs/":            "1",
		"#/$defs/c ~/1":       "",
		"#/$defs/c ~/-1":      "",
		"#/$defs/c ~/x":       "",
		"#/$defs/c ~/0/":      "",
		"#anchor":             "",
		"#$defs/c":            "",
		"#/%zz":               "",
		"other.json":          "",
		"":                    "",
		"http://x/#/$defs/c~": "",
	} {
		for range 2 {
			if n, at := r.Resolve(ref); n.Raw() != want || n != nil && !Equal(root.Lookup(at), n) {
				t.Errorf("%s leads to %s at %s", ref, n.Raw(), at)
			}
		}
	}
	defs := root.Get("$defs")
	if n, at := r.Follow(defs.Get("a/b")); n.Raw() != `[{"type":"null"}]` || at.Pointer() != "/$defs/c ~0" {
		t.Errorf("followed to %s at %s", n.Raw(), at)
	}
	for _, name := range []string{"loop", "gone"} {
		if n, _ := NewResolver(root).Follow(defs.Get(name)); n != nil {
			t.Errorf("%s leads to %s", name, n.Raw())
		}
	}
	if n, at := r.Follow(root); n != root || at != nil {
		t.Error("what has no reference is followed")
	}
}

func TestLocations(t *testing.T) {
	const text = `{"a~/":[0,{"b":"here"}]}`
	at := read(t, text).LocationOf(strings.Index(text, "here"))
	if at.Pointer() != "/a~0~1/1/b" || (*Location)(nil).Pointer() != "" || at.Parent.Item(7).String() != "/a~0~1/1/7" {
		t.Errorf("the location is %s", at)
	}
	if n := read(t, text).Lookup(at); n.Text() != "here" {
		t.Errorf("there is %s", n.Raw())
	}
	if back, local := ParseRef("#" + at.Pointer()); !local || back.Pointer() != at.Pointer() {
		t.Errorf("parsed is %s", back)
	}
}

func TestTypes(t *testing.T) {
	for text, want := range map[string]string{
		"null": "null", "true": "boolean", "1.0": "integer", "1.5": "number", `""`: "string", "[]": "array", "{}": "object",
	} {
		if got := read(t, text).TypeOf(); got.String() != want || TypeNamed(want)&got != got {
			t.Errorf("%s is %s", text, got)
		}
	}
	if got := (NumberType | NullType).String(); got != "number or null" {
		t.Errorf("got %s", got)
	}
	if AnyType.String() != "anything" || Types(0).String() != "nothing" || TypeNamed("text") != 0 {
		t.Error("the limits of the set have other names")
	}
	schema := read(t, `{"type":["string","null"]}`)
	if got := strings.Join(schema.TypeList(), " "); got != "string null" {
		t.Errorf("the types are %s", got)
	}
	if !read(t, "true").AllowsAnything() || !read(t, "{}").AllowsAnything() || schema.AllowsAnything() {
		t.Error("what allows anything is not known")
	}
}

func TestEachKeywordIsInTheTableOnce(t *testing.T) {
	if len(keywordsByName) != len(keywords) {
		t.Errorf("%d entries have %d names", len(keywords), len(keywordsByName))
	}
	for _, k := range keywords {
		if k.On == 0 || k.Role == Annotation && k.Group != "" || k.Group != "" && keywordsByName[k.Group].Name == "" {
			t.Errorf("the entry of %s is not complete", k.Name)
		}
	}
	if k, ok := KeywordNamed("x-mine"); ok || k.Role != Annotation || k.Name != "x-mine" {
		t.Errorf("an unknown keyword is %+v", k)
	}
	if k, _ := KeywordNamed("maxLength"); k.On != StringType || k.Form != FormCount || k.HasSchemas() {
		t.Errorf("maxLength is %+v", k)
	}
}
