package compile_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

func TestHugeSignaturesAreRefused(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(::Int)==>", 5000) + "(::Int)",
		"(o::`{" + strings.TrimSuffix(strings.Repeat("x: Int, ", 5000), ", ") + "}`)==>(::Int)",
	} {
		signature, problems := types.ParseTypeSignature(text)
		last := problems[len(problems)-1]
		if signature != nil || !problems.HasErrors() {
			t.Errorf("%.30q…: %v", text, last)
		}
	}
}

// TestSmallFilesMakeNoHugePrograms refers to one large tool very often.
func TestSmallFilesMakeNoHugePrograms(t *testing.T) {
	large := `[t:Tool {description: "d"} | (o::` + "`" + strings.Repeat("{a: ", 90) + "Int" + strings.Repeat("}", 90) + "`" + `)==>(::Int)] `
	text := large + strings.Repeat(`[:Agent {name: "a", instruction: "i", model: "OpenAI/m"} | t] `, 4000)
	file, _ := grammar.Parse("f", text)
	program, problems := compile.File(file, nil)
	found := false
	for _, d := range problems {
		found = found || d.Code == diag.CodeTooLarge
	}
	if program != nil || !found {
		t.Errorf("%d bytes of text: program %v, too large %v", len(text), program != nil, found)
	}
}

func TestIndentNeverGrowsMoreThanTenfold(t *testing.T) {
	flat := []byte(`{"a":[1,2],"b":"[,{\""}`)
	if want, got := "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": \"[,{\\\"\"\n}\n", string(compile.Indent(flat)); got != want {
		t.Errorf("%s", got)
	}
	deep := []byte(strings.Repeat("[", 900) + strings.TrimSuffix(strings.Repeat("1,", 900), ",") + strings.Repeat("]", 900))
	got := compile.Indent(deep)
	if len(got) > 11*len(deep) || !json.Valid(got) || !bytes.HasSuffix(got, []byte("\n")) {
		t.Errorf("%d bytes become %d", len(deep), len(got))
	}
}

// TestUnknownNamesAreSearchedABoundedNumberOfTimes tests that a file of unknown names
// searches other files for the first ones only, and for each once.
func TestUnknownNamesAreSearchedABoundedNumberOfTimes(t *testing.T) {
	var refs, tools strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&refs, ", known, x%d", i)
		fmt.Fprintf(&tools, "[tool%d:Tool {description: \"d\"} | (a::Txt%d)==>(::Text)]\n", i, i)
	}
	for _, text := range []string{`[a:Agent {instruction: "i", model: "OpenAI/m"} | known` + refs.String() + "]", tools.String()} {
		searches := 0
		f, _ := grammar.Parse("f", text)
		problems := compile.Check(f, &compile.Options{Elsewhere: func(name string) (string, bool) {
			searches++
			return "./other.gram", name == "known" || name == "Txt7"
		}})
		if searches != 100 {
			t.Errorf("%.40s…: %d searches", text, searches)
		}
		if !slices.ContainsFunc(problems, func(d *diag.Diagnostic) bool { return strings.Contains(d.Message, "./other.gram defines it") }) {
			t.Errorf("%.40s…: no problem says which file defines a name", text)
		}
	}
}
