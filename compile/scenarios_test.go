package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/grammar"
)

// A test without steps is reported; a graph that has another sort of tests is not.
func TestATestWithoutStepsIsReported(t *testing.T) {
	for record, reported := range map[string]bool{
		`{library: "./library.gram"}`:        true,
		`{agent: a, recording: "./x.jsonl"}`: true,
		`{passes: "1 of 2"}`:                 true,
		``:                                   false,
		`{model: "T-1000"}`:                  false,
		`{agent: "Smith"}`:                   false,
		`{library: "Bodleian", year: 1602}`:  false,
	} {
		f, problems := grammar.Parse("a.gram", `[a:Agent {instruction: "Help.", model: "OpenAI/gpt-5.4-mini"}] [t:Test `+record+`]`)
		_, found := compile.Scenarios(f, nil)
		said := fmt.Sprint(found.Err())
		if problems.HasErrors() || strings.Contains(said, "has no message of the user") != reported {
			t.Errorf("%s: %s", record, said)
		}
	}
}
