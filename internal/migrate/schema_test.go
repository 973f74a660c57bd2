package migrate_test

import (
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/migrate"
)

// TestPortableFilesHaveTheSameSchemas rewrites the golden files, and a list of
// fields of every kind.
func TestPortableFilesHaveTheSameSchemas(t *testing.T) {
	texts := []string{`[t:Tool {description: "d"} | (o::Object {fields: [
		{name: "a", type: "Object", fields: [
			{name: "range", type: "Object", default: {min: 0.5, max: 0x10}, fields: [{name: "min", type: "Double"}, {name: "max", type: "Double"}]},
			{name: "two words", type: "[Text]", default: ["x", 'y "z"'], minItems: 1},
			{name: "unit", type: "Text", enum: ["c", "f"], description: "say \"c\" or \\ ` + "\\`f\\`" + `"}]},
		{name: "b", type: "Array", elementType: "Object", fields: [{name: "x", type: "Maybe Int"}]},
		{name: "n", type: "Int", min: 1, max: 9, optional: true}]})==>(::Text)]`}
	for _, input := range golden.Inputs(t) {
		texts = append(texts, golden.Read(t, input))
	}
	rewritten := 0
	for _, text := range texts {
		f, problems := grammar.Parse("f.gram", text)
		before, more := compile.Tools(f, nil)
		if problems.HasErrors() || more.HasErrors() {
			continue
		}
		portable, _ := migrate.Fields(f)
		if portable != text {
			rewritten++
		}
		f, problems = grammar.Parse("f.gram", portable)
		after, more := compile.Tools(f, nil)
		if err := append(problems, more...).Err(); err != nil || len(after) != len(before) {
			t.Errorf("%s: %v", portable, err)
			continue
		}
		for i := range before {
			if string(before[i].Schema()) != string(after[i].Schema()) {
				t.Errorf("%s\nwas %s\nis  %s", portable, before[i].Schema(), after[i].Schema())
			}
		}
	}
	if rewritten < 2 {
		t.Errorf("only %d files were rewritten", rewritten)
	}
}
