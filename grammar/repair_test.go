package grammar_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/grammar"
)

// TestOnlyFixesThatLeaveFewerErrorsAreOffered has fixes of kinds that help as a rule,
// in texts where some of them bring other mistakes to light.
func TestOnlyFixesThatLeaveFewerErrorsAreOffered(t *testing.T) {
	for text, want := range map[string][]bool{
		"(a {x: 1 y: 2})":                  {true},
		"(0o7)\n()":                        {false}, // 07 is no name either: as many errors
		"(é{s:'//x'|})":                    {false}, // after `é` there is one more error
		"(a {x: 1 y: 2})\n(é{s:'//x'|})":   {true, false},
		"({x = 1})\n(0o7)\n(é{s:'//x'|})":  {true, false, false},
		"(a {x: 1 y: 2})\n(b {x: 1 y: 2})": {true, true},
	} {
		var got []bool
		_, problems := grammar.Parse("f", text)
		for _, d := range problems {
			got = append(got, len(d.Fixes) > 0 && d.Fixes[0].Safe)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %v\n%s", text, problems, diff)
		}
	}
}
