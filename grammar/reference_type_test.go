package grammar_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
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
		got, err := grammar.ParenthesizedType(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if strings.ReplaceAll(got, "[ ]", "[]") != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "Maybe", "Maybe 1", "Maybe<Text>", "[]", "Text Int", "List Text", "Text[\n]", "{a: Int,}", "{*: Int, *: Text}", `"\q"`, "1..2", "01", "1e1000", "Text(1=2)",
		strings.Repeat("[", 30_000), strings.Repeat("Maybe ", 30_000) + "Text", "[" + strings.Repeat("Maybe [", 30_000)} {
		if err := grammar.ParseReferenceType(text); err == nil {
			t.Errorf("%.20s is accepted", text)
		}
	}
	if err := grammar.ParseReferenceType("{" + strings.Repeat("a: Maybe (Maybe Int), ", 5000) + "a: Int}"); err != nil {
		t.Error(err)
	}
}

// FuzzTypeReference compares the parser of type expressions with the reference
// grammar: what compiles is in the grammar, what is not in the grammar is an error
// of syntax, and both see the same structure.
func FuzzTypeReference(f *testing.F) {
	for _, text := range []string{
		"Text", "[Int?]", "Maybe Text", "Maybe [Maybe Int]", "Text[] ?", "Map<[Int]>", "Map", `"a" | 'b' | null`, "-1.5e3", "true", "Int | (Text | Null)[]",
		"{a: Int(min=0, max: 5) = 1, b?:: [Text], 'c d': Any, *: {}}", `{a: Any = {"k": [1, [], true], 'l': {}}}`, `Text(pattern="^a\u0041$", maxLength=3)?`,
		"Int(range=1..5)", "Int(range=...5)", "Int(range=0...)", "{a: Int,}", "{*: Int, *: Text}", "Maybe 1", "Maybe<Text>", "List<Text>", "Array [Text]", "Text[\n]",
		"[]", "[Int", "Int]", "{a Int}", "{a: Int b: Int}", "1..2", "01", "1e1000", `"\q"`, `"a`, "Text(", "Text(min)", "Text(1=2)", "Größe", "{größe: Int}", "IO Text", "a: b", "::", "Int | | Int",
		"{a: Int = [\n]}", "{a: Any = [[1, 2], {}]}", "Maybe (Int)?", "(Maybe Int)", "[ [ ] ]", "Map<Int>[ ](maxItems=2)", "{maybe: Maybe Maybe Int}", "Text()", "{}", "{ }", "{*: Any}", "", "Int\x00", "\x00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<10 || !utf8.ValidString(text) {
			t.Skip()
		}
		schema, problems := typeSchema(text)
		normal, err := grammar.ParenthesizedType(text)
		if err != nil {
			if len(problems) == 0 {
				t.Fatalf("%q: the reference grammar refuses it: %v", text, err)
			}
			return
		}
		for _, d := range problems {
			if d.Code == diag.CodeSyntax {
				t.Fatalf("%q: the reference grammar accepts it: %v", text, d)
			}
		}
		if problems.HasErrors() {
			return
		}
		again, problems := typeSchema(normal)
		if len(problems) > 0 && problems[0].Code == diag.CodeTooDeep {
			return // by the parentheses
		}
		if diff := cmp.Diff(schema, again); diff != "" || problems.HasErrors() {
			t.Fatalf("%q is %q by the reference grammar: %v\n%s", text, normal, problems, diff)
		}
	})
}

// typeSchema compiles a type expression as the type of a parameter.
func typeSchema(text string) (string, diag.List) {
	label := ast.Print(&ast.Name{Kind: ast.NameQuoted, Text: text})
	signature, problems := types.ParseTypeSignature("(x::" + label + ")==>(::Text)")
	if signature == nil {
		return "", problems
	}
	return strings.TrimSpace(string(signature.InputSchema())), problems
}
