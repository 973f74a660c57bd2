package compile_test

import (
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
)

func TestInvisibleCharactersAreWarnedOf(t *testing.T) {
	for text, want := range map[string]int{
		"(a {k: \"plain é 日本 👩\u200d💻 \u00a0\"})": 0,
		"\ufeff(a)":                           0,
		"(a) // \u202ecomment\u202c":          2,
		"(`a\u200bb`)":                        1,
		"(a {k: \"\U000e0041\ufeff\u00ad\"})": 3,
	} {
		file, syntax := grammar.Parse("f", text)
		problems := compile.Check(file, nil)
		if len(syntax) > 0 || len(problems) != want {
			t.Errorf("%q: %v %v", text, syntax, problems)
		}
		for _, d := range problems {
			if d.Code != diag.CodeInvisible || d.Severity != diag.Warning {
				t.Errorf("%q: %v", text, d)
			}
		}
	}
}
