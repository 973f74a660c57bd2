package jsonschema

import (
	"strings"
	"testing"
)

func TestPlainTextsAreThoseThatReadAccepts(t *testing.T) {
	var large []string
	for _, i := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		large = append(large, `"`+i+`":1`)
	}
	for text, want := range map[string]bool{
		` {"a": [1, -2.5e+3, "x\"\\", null], "b\u0061": {}} `: true,
		`"\ud800"`:                                 true,
		`{"a":1,"A":1}`:                            true,
		`{"a":{"a":1},"b":{"a":1}}`:                true,
		`{` + strings.Join(large, ",") + `}`:       true,
		`{` + strings.Join(large, ",") + `,"k":2}`: false,
		`{"a":1,"a":2}`:                            false,
		`{"a":1,"\u0061":2}`:                       false,
		`[{"x":{"a":1,"b":2,"a":3}}]`:              false,
		`12345`:                                    false, // too large for the function below
		`[1,]`:                                     false,
		`[1`:                                       false,
		`{"a"}`:                                    false,
		`{"a":1`:                                   false,
		`1 2`:                                      false,
		`01`:                                       false,
		`1.`:                                       false,
		`-`:                                        false,
		`1e`:                                       false,
		`tru`:                                      false,
		"\"\xff\"":                                 false,
		"\"\n\"":                                   false,
		`"\x"`:                                     false,
		``:                                         false,
		strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001): false,
		strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000): true,
	} {
		if got := IsPlain(text, func(number string) bool { return len(number) < 5 || strings.Contains(number, "e") }); got != want {
			t.Errorf("%.60q is plain: %t", text, got)
		}
	}
}

func TestDistinctTextsHaveEachKeyOnce(t *testing.T) {
	n, err := Read(`[{"a": 1, "b": {"c": 1, "c": [2]}, "a": 1.50}]`, &ReadOptions{Accept: AcceptAll})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := n.Distinct().Raw(), `[{"a":1.50,"b":{"c":[2]}}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
