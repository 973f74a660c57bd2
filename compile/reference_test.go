package compile_test

import (
	"strings"
	"testing"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/report"
)

// words returns words, each of which must be what its span shows.
func words(t *testing.T, list []report.Reference) string {
	t.Helper()
	var texts []string
	for _, w := range list {
		if shown := w.Span.Text(); shown != w.Text && strings.IndexByte(shown, '\\') < 0 {
			t.Errorf("%q stands where %q is", shown, w.Text)
		}
		texts = append(texts, w.Text)
	}
	return strings.Join(texts, " ")
}

func TestTypeWords(t *testing.T) {
	for _, test := range []struct{ label, want string }{
		{"Text", ""},
		{"City", "City"},
		{"`[City]`", "City"},
		{"`City?`", "City"},
		{"`City[]`", "City"},
		{"`Map<City>`", "City"},
		{"`Maybe City`", "City"},
		{"`{at: City, Town?: Text, *: Land}`", "City Land"},
		{"`{at:: City = Berlin, to?: Town = {a: B}, x: Y}`", "City Town Y"},
		{"`City | Town | \"City\" | null`", "City Town"},
		{"`City(description=\"a City\", default=Berlin)? | Town`", "City Town"},
		{"`Array(of=City, examples=[A, B]) | Town`", "City Town"},
		{"`(City | Town)[]`", "City Town"},
		{"`[City`", "City"},
		{"`{at: City, `", "City"},
		{"`Text(minLength=1) | X`", "X"},
		{"`1e5 | X`", "X"},
	} {
		f, _ := grammar.Parse("test.gram", "[😀:T | (x::"+test.label+")]")
		if len(f.Patterns) == 0 || len(f.Patterns[0].Elements) == 0 {
			t.Fatalf("%s does not parse", test.label)
		}
		if got := words(t, types.OutlineReferences(f.Patterns[0].Elements[0].Subject.Labels[0].Name)); got != test.want {
			t.Errorf("%s: %q, want %q", test.label, got, test.want)
		}
	}
}

func TestTextWords(t *testing.T) {
	value := func(text string) ast.Value {
		f, _ := grammar.Parse("test.gram", "{x: "+text+"}")
		return f.Header.Get("x").Value
	}
	for _, test := range []struct{ text, want string }{
		{"\"Use `a`, `b()` and `c d`; `` `e`\"", "a b e"},
		{"\"\\\"`a`\\\" 😀 `b`\"", "a b"},
		{"md`Use \\`a\\`.`", "a"},
		{"```md\nUse `a`.\r\n\n- `b`\n```", "a b"},
		{"`unclosed \\`a`", ""},
		{"word", ""},
	} {
		if got := words(t, report.Mentions(value(test.text))); got != test.want {
			t.Errorf("%s: mentions %q, want %q", test.text, got, test.want)
		}
	}
	for _, test := range []struct{ text, want string }{
		{`"{a}-{{b}}-${C}-{d}"`, "a d"},
		{`"https://x.test/{a}?b={b}&c={c d}"`, "a b"},
		{`"{a"`, ""},
		{`"\"{a}\""`, "a"},
	} {
		if got := words(t, library.Arguments(value(test.text))); got != test.want {
			t.Errorf("%s: arguments %q, want %q", test.text, got, test.want)
		}
	}
}
