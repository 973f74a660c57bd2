package grammar_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/grammar"
)

// TestOnlyFixesThatLeaveFewerErrorsAreSafe has fixes of kinds that are safe as a
// rule, in texts where some of them bring other mistakes to light.
func TestOnlyFixesThatLeaveFewerErrorsAreSafe(t *testing.T) {
	for text, want := range map[string][]bool{
		"(a {x: 1 y: 2})":                  {true},
		"(0o7)\n()":                        {false},       // 07 is no name either: as many errors
		"(é{s:'//x'|})":                    {false},       // after `é` there is one more error
		"(a {x: 1 y: 2})\n(é{s:'//x'|})":   {true, false}, // together as many errors; the comma alone leaves fewer
		"({x = 1})\n(0o7)\n(é{s:'//x'|})":  {true, false, false},
		",-- a/* */{":                      {false, false}, // each leaves fewer errors, both together do not
		"(a {x: 1 y: 2})\n(b {x: 1 y: 2})": {true, true},
	} {
		var got []bool
		_, problems := grammar.Parse("f", text)
		for _, d := range problems {
			if len(d.Fixes) > 0 {
				got = append(got, d.Fixes[0].Safe)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %v\n%s", text, problems, diff)
		}
	}
}
