package template_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/template"
)

func TestParse(t *testing.T) {
	literal := func(text string) template.Part { return template.Part{Kind: template.Literal, Text: text} }
	variable := func(name string) template.Part { return template.Part{Kind: template.Environment, Text: name} }
	argument := func(name string) template.Part { return template.Part{Kind: template.Argument, Text: name} }
	for _, tt := range []struct {
		text   string
		want   template.Template
		ranges []template.Range
	}{
		{"", nil, nil},
		{"a", template.Template{literal("a")}, []template.Range{{0, 1}}},
		{"{{a}}", template.Template{literal("{a}")}, []template.Range{{1, 5}}},
		{"a{b}${C}", template.Template{literal("a"), argument("b"), variable("C")}, []template.Range{{0, 1}, {1, 4}, {4, 8}}},
		{"{{{a}}}", template.Template{literal("{"), argument("a"), literal("}")}, []template.Range{{1, 2}, {2, 5}, {6, 7}}},
		{"$${A}{b}", template.Template{literal("${A}"), argument("b")}, []template.Range{{1, 5}, {5, 8}}},
		{"$$${A}", template.Template{literal("$${A}")}, []template.Range{{0, 6}}},
		{"$5", template.Template{literal("$5")}, []template.Range{{0, 2}}},
		{"{a/b}", template.Template{argument("a/b")}, []template.Range{{0, 5}}},
	} {
		got, ranges, problems := template.Parse(tt.text, true)
		if diff := cmp.Diff(tt.want, got); diff != "" || len(problems) > 0 {
			t.Errorf("%s: %v\n%s", tt.text, problems, diff)
		}
		if diff := cmp.Diff(tt.ranges, ranges); diff != "" {
			t.Errorf("%s: %s", tt.text, diff)
		}
	}
}

func TestProblems(t *testing.T) {
	for _, tt := range []struct {
		text string
		want template.Problem
	}{
		{"a $HOME", template.Problem{Range: template.Range{Start: 2, End: 7}, Kind: template.BareVariable, Name: "HOME"}},
		{"${A", template.Problem{Range: template.Range{Start: 0, End: 3}, Kind: template.UnclosedVariable, Name: "A"}},
		{"${A{b}", template.Problem{Range: template.Range{Start: 0, End: 3}, Kind: template.UnclosedVariable, Name: "A"}},
		{"${}", template.Problem{Range: template.Range{Start: 0, End: 3}, Kind: template.EmptyVariable}},
		{"${A B}", template.Problem{Range: template.Range{Start: 0, End: 6}, Kind: template.InvalidVariable}},
		{"a}b", template.Problem{Range: template.Range{Start: 1, End: 2}, Kind: template.StrayBrace}},
		{"a{b", template.Problem{Range: template.Range{Start: 1, End: 2}, Kind: template.UnclosedArgument}},
		{"{}", template.Problem{Range: template.Range{Start: 0, End: 2}, Kind: template.InvalidArgument}},
		{"{a b}", template.Problem{Range: template.Range{Start: 0, End: 5}, Kind: template.InvalidArgument, Name: "a b"}},
		{"{ a }", template.Problem{Range: template.Range{Start: 0, End: 5}, Kind: template.SpacedArgument, Name: "a"}},
	} {
		_, _, problems := template.Parse(tt.text, true)
		if diff := cmp.Diff([]template.Problem{tt.want}, problems[:1]); diff != "" {
			t.Errorf("%s: %s", tt.text, diff)
		}
	}
	if got, _, problems := template.Parse("{a }}", false); len(problems) > 0 || got.String() != "{{a }}}}" {
		t.Errorf("without arguments: %v %v", got, problems)
	}
}

func TestResolve(t *testing.T) {
	parsed, _, _ := template.Parse("a${B}{c}${D}", true)
	var before []string
	got := parsed.Resolve(func(text, name string) string {
		before = append(before, text)
		return "{" + name + "}${B}"
	})
	if want := (template.Template{{Text: "a{B}${B}"}, {Kind: template.Argument, Text: "c"}, {Text: "{D}${B}"}}); !cmp.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if want := []string{"a", "a{B}${B}"}; !cmp.Equal(before, want) {
		t.Errorf("the text before the variables is %q, want %q", before, want)
	}
	if empty := parsed.Resolve(func(string, string) string { return "" }); !cmp.Equal(empty, template.Template{{Text: "a"}, {Kind: template.Argument, Text: "c"}}) {
		t.Errorf("with empty variables: %v", empty)
	}
}

// FuzzParse checks that the parts of a text stand in order, and that a template
// without variables and problems survives being written and parsed again.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "a{b}${C}", "$${A}{{{a}}}", "${", "{ a }", "$A}{"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		parts, ranges, problems := template.Parse(text, true)
		end := 0
		for i, r := range ranges {
			if r.Start < end || r.End <= r.Start || r.End > len(text) || parts[i].Text == "" {
				t.Fatalf("%q: part %d is %q at %v", text, i, parts[i].Text, r)
			}
			end = r.End
		}
		if len(problems) > 0 || strings.Contains(text, "$") {
			return
		}
		if again, _, _ := template.Parse(parts.String(), true); !cmp.Equal(parts, again) {
			t.Fatalf("%q: %v became %v", text, parts, again)
		}
	})
}

func TestCutHost(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "|",
		"https://h.test":            "https://h.test|",
		"https://h.test/a?b=c":      "https://h.test|/a?b=c",
		"https://h${A}.test?x=${B}": "https://h${A}.test|?x=${B}",
		"${A}/x/${B}":               "${A}|/x/${B}",
		"${A}://h/${B}":             "${A}://h|/${B}",
		"${A}${B}":                  "${A}${B}|",
		"a/${A}b":                   "a/${A}b|",
		"a${A}://h#${B}":            "a${A}://h|#${B}",
		"https://{x}.test/{y}":      "https://{x}.test|/{y}",
	} {
		parsed, _, _ := template.Parse(text, true)
		head, rest := parsed.CutHost()
		if got := head.String() + "|" + rest.String(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
