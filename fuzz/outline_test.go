package fuzz

import (
	"strings"
	"testing"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/grammar"
)

// FuzzOutline reads type expressions for their names, be they right or broken.
// Every name stands where its place says, and of a right expression the fields
// are those of the type.
func FuzzOutline(f *testing.F) {
	for _, text := range []string{
		"{a: [Text], b?: Map<X> = {c: 1}, *: (A|B)[]}", "Array(of=City, examples=[A, B]) | Town", "[{x(", "Maybe {a: \"", "{{{{[[[[",
		`{"a b": {c: Int}(default={c: 1})}`, "Object(of=City)?", "{a:: \"x\" | 'y', a", `{c: Int(a}: "}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		quoted := ast.Print(&ast.Name{Kind: ast.NameQuoted, Text: text})
		file, problems := grammar.Parse("f", "(x::"+quoted+")")
		if len(text) > maxInput || len(problems) > 0 || len(file.Patterns) != 1 || len(file.Patterns[0].Subject.Labels) != 1 {
			t.Skip()
		}
		name := file.Patterns[0].Subject.Labels[0].Name
		outline := types.OutlineOf(name)
		for _, r := range types.OutlineReferences(name) {
			if r.Span.Text() != r.Text {
				t.Fatalf("%q: %q stands where %q is", text, r.Span.Text(), r.Text)
			}
		}
		s, problems := types.ParseTypeSignature("(x::" + quoted + ")==>(::Text)")
		if problems.HasErrors() || len(s.Params) != 1 || s.Params[0].Type.Union != nil || s.Params[0].Type.Elem != nil {
			return
		}
		var want, got []string
		for _, field := range s.Params[0].Type.Fields {
			want = append(want, field.Name)
		}
		for _, field := range outline.Fields {
			got = append(got, field.Text)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("%q has the fields %q, not %q", text, want, got)
		}
	})
}
