package grammar_test

import (
	"strings"
	"testing"

	"github.com/gram-lang/gramc/grammar"
)

func TestTheReferenceGrammarOfTypes(t *testing.T) {
	for text, want := range map[string]string{
		"Text":                           "Text",
		" [ Int? | Null ] ":              "[(Int)? | Null]",
		"Maybe Text[]?":                  "Maybe (((Text)[])?)",
		"Map":                            "Map",
		"Map<Map<Text>>[ ]":              "(Map<Map<Text>>)[]",
		`("a" | 'b\'' | -1.5e3 | null)?`: `(("a" | 'b\'' | -1.5e3 | null))?`,
		"{a: Int(min=0, max: 5) = 1, b?:: [Text], 'c d': Any, *: {}}": "{a: (Int)( min = 0 , max : 5 ) = 1, b?: [Text], 'c d': Any, *: {}}",
		`{a: Any = {"k": [1..5, ...2, 3..., [], true]}}`:              `{a: Any = { "k" : [ 1..5 , ...2 , 3... , [] , true ] }}`,
		"größe": "größe",
	} {
		got, err := grammar.ReferenceType(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if strings.ReplaceAll(got, "[ ]", "[]") != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "Maybe", "Maybe 1", "Maybe<Text>", "[]", "Text Int", "List Text", "Text[\n]", "{a: Int,}", "{*: Int, *: Text}", `"\q"`, "1..2", "01", "1e1000", "Text(1=2)",
		strings.Repeat("[", 300_000), strings.Repeat("Maybe ", 300_000) + "Text", "[" + strings.Repeat("Maybe [", 300_000)} {
		if got, err := grammar.ReferenceType(text); err == nil {
			t.Errorf("%.20s is %s", text, got)
		}
	}
	if _, err := grammar.ReferenceType("{" + strings.Repeat("a: Maybe (Maybe Int), ", 5000) + "a: Int}"); err != nil {
		t.Error(err)
	}
}
