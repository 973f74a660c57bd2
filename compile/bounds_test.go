package compile_test

import (
	"bytes"
	"encoding/json"
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
