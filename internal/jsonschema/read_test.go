package jsonschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func read(t *testing.T, text string) *Node {
	t.Helper()
	n, err := Read(text, nil)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

func TestReadKeepsOrderNumbersAndOffsets(t *testing.T) {
	const text = ` {"b" : 1.50, "a":[ true,{"x\u0041":"é"} ],"":null} `
	n := read(t, text)
	var got []string
	n.Walk(func(n *Node) bool {
		if text[n.Start:n.End] != n.Raw() {
			t.Errorf("%s is at %d to %d, where %s is", n.Raw(), n.Start, n.End, text[n.Start:n.End])
		}
		got = append(got, fmt.Sprintf("%c %s", n.Kind, n.Raw()))
		for _, m := range n.Members {
			if unquoteNode(text[m.Start:m.End]) != m.Key {
				t.Errorf("the key %q is at %d to %d", m.Key, m.Start, m.End)
			}
		}
		return true
	})
	want := []string{
		`{ {"b" : 1.50, "a":[ true,{"x\u0041":"é"} ],"":null}`, "0 1.50", `[ [ true,{"x\u0041":"é"} ]`, "t true",
		`{ {"x\u0041":"é"}`, `" "é"`, "n null",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if x := n.Get("a").Items[1].Get("xA"); x.Text() != "é" || n.Get("a").Get("x") != nil || n.Get("c") != nil {
		t.Errorf("found %q", x.Text())
	}
	if got, want := n.Compact(), `{"b":1.50,"a":[true,{"x\u0041":"é"}],"":null}`; got != want {
		t.Errorf("compact is %s, want %s", got, want)
	}
}

func TestSyntaxErrorsSayWhereAndWhatWasExpected(t *testing.T) {
	for text, want := range map[string]string{
		``:                 `0-0 the text ends where a value is expected`,
		`{"a":`:            `5-5 the text ends where a value is expected`,
		` nul`:             `1-4 unexpected "nul"; expected a value`,
		`{"a" 1}`:          `5-6 unexpected "1"; expected ":"`,
		`{a:1}`:            `1-2 unexpected "a"; expected a key in double quotes`,
		`[1 2]`:            `3-4 unexpected "2"; expected "," or "]"`,
		`[1,]`:             `3-4 unexpected "]"; expected a value after the comma`,
		`{"a":1,}`:         `7-8 unexpected "}"; expected a value after the comma`,
		`{} x`:             `3-4 unexpected "x"; expected the end of the text`,
		"{}\x00":           `2-3 unexpected "\x00"; expected the end of the text`,
		`[01]`:             `1-3 "01" is not a JSON number`,
		`[-]`:              `1-2 "-" is not a JSON number`,
		`[1.]`:             `1-3 "1." is not a JSON number`,
		`[1e+]`:            `1-4 "1e+" is not a JSON number`,
		`["a`:              `1-2 the string is never closed`,
		"[\"a\nb\"]":       `3-4 a JSON string has no line ends or control characters; write \n or \u000a`,
		`["\x"]`:           `2-4 "\\x" is not a JSON escape`,
		`["\u00g0"]`:       `2-4 "\\u" is not a JSON escape`,
		`"\`:               `1-2 the text ends in a string`,
		`{"a":1,"a":2}`:    `7-10 the key "a" occurs twice in this object`,
		`"\ud800"`:         `1-7 the escape is half of a character`,
		"\"\xff\"":         `0-3 this string is not UTF-8`,
		"[\xff]":           `1-2 unexpected "\xff"; expected a value`,
		`[[[[1]]]]`:        `3-4 nested deeper than 3 levels`,
		`{"a":{"b":[[]]}}`: `11-12 nested deeper than 3 levels`,
	} {
		_, err := Read(text, &ReadOptions{MaxDepth: 3})
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("%s is read, and gives %v", text, err)
			continue
		}
		if got := fmt.Sprintf("%d-%d %s", syntax.Start, syntax.End, syntax.Message); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
		if syntax.TooDeep != strings.HasPrefix(syntax.Message, "nested") {
			t.Errorf("%s: TooDeep is %t", text, syntax.TooDeep)
		}
	}
}

func TestDefectsAreReportedAndAccepted(t *testing.T) {
	text := "{\"a\":1,\"b\":\"\\ud800x\\udc00\",\"\\u0061\":\"\xff\xfe\",\"a\":[]}"
	var got []string
	n, err := Read(text, &ReadOptions{Accept: func(d Defect) bool {
		got = append(got, fmt.Sprintf("%d %d-%d %s first at %d", d.Kind, d.Start, d.End, d.Key, d.First.Start))
		return true
	}})
	want := []string{"3 12-18  first at 0", "3 19-25  first at 0", "2 36-40  first at 0", "1 27-35 a first at 1", "1 41-44 a first at 27"}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %q, want %q; %v", got, want, err)
	}
	if len(n.Members) != 2 || n.Members[0].Key != "a" || n.Get("a").Kind != KindArray || n.Get("b").Text() != "\uFFFDx\uFFFD" {
		t.Errorf("kept is %q, %q", n.Raw(), n.Get("b").Text())
	}
}

func TestDuplicatesInLargeObjects(t *testing.T) {
	for _, size := range []int{15, 16, 17, 18, 100} {
		var b strings.Builder
		for i := range size {
			fmt.Fprintf(&b, `"k%d":%d,`, i, i)
		}
		n, err := Read("{"+b.String()+`"k3":-1}`, &ReadOptions{Accept: AcceptAll})
		if err != nil || len(n.Members) != size || n.Get("k3").Raw() != "-1" || n.Get(fmt.Sprint("k", size-1)).Raw() != fmt.Sprint(size-1) {
			t.Errorf("%d members and a duplicate: %v, %v", size, n, err)
		}
		if _, err := Read("{"+b.String()+`"k3":-1}`, nil); err == nil {
			t.Errorf("a duplicate behind %d members is not reported", size)
		}
	}
}

func TestReadAtReadsOneValueOfMany(t *testing.T) {
	const text = "{\"a\":1}\n [2] x"
	first, end, err := ReadAt(text, 0, nil)
	if err != nil || first.Raw() != `{"a":1}` {
		t.Fatal(first, err)
	}
	second, end, err := ReadAt(text, end, nil)
	if err != nil || second.Raw() != "[2]" || second.Start != 9 || end != 12 {
		t.Fatal(second, end, err)
	}
	if _, end, err := ReadAt(text, end, nil); err == nil || end != 13 {
		t.Fatal(end, err)
	}
}

func TestTheDepthIsThatOfEncodingJSON(t *testing.T) {
	for depth, want := range map[int]bool{DefaultMaxDepth: true, DefaultMaxDepth + 1: false} {
		text := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		if _, err := Read(text, nil); (err == nil) != want || json.Valid([]byte(text)) != want {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
}

// FuzzRead compares the reader with encoding/json.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.5e-3,"x\n\u00e9\ud83d\ude00",true,false,null],"":{}}`, `{"a":1,"a":2}`, `"\ud800"`, "\"\xff\"", `[1,]`, ` 12 `, `-0.0E+1`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Read(text, &ReadOptions{Accept: AcceptAll})
		if valid := json.Valid([]byte(text)); valid != (err == nil) {
			t.Fatalf("%q: valid is %t, the error %v", text, valid, err)
		}
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Start < 0 || syntax.Start > syntax.End || syntax.End > len(text) {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		if n.Raw() != strings.Trim(text, " \t\r\n") {
			t.Fatalf("%q is %q again", text, n.Raw())
		}
		var want any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			return // a number beyond float64
		}
		if got := decoded(n); utf8.ValidString(text) && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q is %v, want %v", text, got, want)
		}
		again, err := Read(rebuilt(n).Raw(), nil)
		if err != nil || !Equal(n, again) || n.Key() != again.Key() {
			t.Fatalf("%q is rebuilt as %q: %v", text, rebuilt(n).Raw(), err)
		}
	})
}

// decoded returns a value as encoding/json decodes it.
func decoded(n *Node) any {
	switch n.Kind {
	case KindArray:
		list := []any{}
		for _, item := range n.Items {
			list = append(list, decoded(item))
		}
		return list
	case KindObject:
		object := map[string]any{}
		for _, m := range n.Members {
			object[m.Key] = decoded(m.Value)
		}
		return object
	case KindString:
		return n.Text()
	}
	var v any
	if err := json.Unmarshal([]byte(n.Raw()), &v); err != nil {
		panic(err)
	}
	return v
}

// rebuilt returns a copy that was made by the constructors.
func rebuilt(n *Node) *Node {
	switch n.Kind {
	case KindArray:
		items := []*Node{}
		for _, item := range n.Items {
			items = append(items, rebuilt(item))
		}
		return Array(items...)
	case KindObject:
		var members []Member
		for _, m := range n.Members {
			members = append(members, Member{Key: m.Key, Value: rebuilt(m.Value)})
		}
		return Object(members...)
	case KindString:
		return String(n.Text())
	case KindNumber:
		return Number(n.Raw())
	case KindNull:
		return Null()
	}
	return Bool(n.Kind == KindTrue)
}

func BenchmarkRead(b *testing.B) {
	text := json.RawMessage(`{"city":"Berlin","days":3,"units":"metric","nested":{"a":[1,2,3],"b":true}}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(text, nil); err != nil {
			b.Fatal(err)
		}
	}
}
