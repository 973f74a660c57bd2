package compile

import (
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// Every owner has each of its properties once, with a meaning and an example
// that parses.
func TestEveryPropertyIsDocumentedOnce(t *testing.T) {
	for _, o := range owners() {
		seen := map[string]bool{}
		for _, p := range vocabulary.Properties(o) {
			if seen[p.Key] {
				t.Errorf("%s has the property %s twice", o, p.Key)
			}
			seen[p.Key] = true
			if !strings.HasSuffix(p.Meaning, ".") || strings.HasSuffix(p.Default, ".") {
				t.Errorf("%s: the meaning is sentences, the default is none: %q %q", p.Key, p.Meaning, p.Default)
			}
			f, problems := grammar.Parse("example", "[x {"+p.Example+"}]")
			if problems.HasErrors() || f.Patterns[0].Property(p.Key) == nil {
				t.Errorf("%s: the example %q is no such property: %v", p.Key, p.Example, problems)
			}
		}
		if len(seen) == 0 {
			t.Errorf("%s has no properties", o)
		}
	}
}

// Every property that a built-in has is one of the table, and the words of the
// table are the constants of package library.
func TestTheTableKnowsTheBuiltins(t *testing.T) {
	var names []string
	for _, b := range library.Builtins() {
		names = append(names, b.Name)
		for _, key := range append(b.Properties, b.Required...) {
			if _, known := vocabulary.PropertyOf(vocabulary.OwnerBuiltin, key); !known {
				t.Errorf("%s has the property %s, which is not in the table", b.Name, key)
			}
		}
	}
	for _, tt := range []struct {
		key  string
		want []string
	}{
		{"builtin", names},
		{"approve", []string{string(library.ApproveAllow), string(library.ApproveAsk), string(library.ApproveDeny)}},
		{"traits", []string{"none", string(library.TraitPrivate), string(library.TraitUntrusted), string(library.TraitOutbound)}},
	} {
		if got := vocabulary.Values(vocabulary.OwnerBuiltin, tt.key); !slices.Equal(got, tt.want) {
			t.Errorf("%s can be %v, want %v", tt.key, got, tt.want)
		}
	}
}

// The example of every property is one that the compiler takes.
func TestExamplesOfPropertiesCompile(t *testing.T) {
	for _, d := range vocabulary.Properties(vocabulary.OwnerAgent) {
		text := `[a:Agent {instruction: "i", model: "OpenAI/gpt-5.4"}] [Weather:Type | (::Text)]`
		switch d.Key {
		case "instruction", "model":
			text = strings.Replace(text, d.Key, d.Example+", old"+d.Key, 1)
		case "name":
			text = strings.Replace(text, "a:Agent {", "greeter:Agent {"+d.Example+", ", 1)
		case "models":
			text = strings.Replace(text, `model: "OpenAI/gpt-4o"`, d.Example, 1)
		default:
			text = strings.Replace(text, "{", "{"+d.Example+", ", 1)
		}
		f, _ := grammar.Parse("example", text)
		if problems := Check(f, nil); problems.HasErrors() {
			t.Errorf("%s: %v", d.Example, problems)
		}
	}
	for _, d := range vocabulary.Properties(vocabulary.OwnerTool) {
		text := `[t:Tool {description: "d", ` + d.Example + `} | (::Text)]`
		if d.Key == "description" {
			text = `[t:Tool {` + d.Example + `} | (::Text)]`
		}
		f, _ := grammar.Parse("example", text)
		if problems := Check(f, nil); problems.HasErrors() {
			t.Errorf("%s: %v", d.Example, problems)
		}
	}
}

func TestEveryWordIsDocumented(t *testing.T) {
	for _, b := range library.Builtins() {
		if b.Meaning == "" {
			t.Errorf("the built-in %s has no meaning", b.Name)
		}
		if b.Signature == nil && b.Name != "sayHello" {
			t.Errorf("the built-in %s has no signature", b.Name)
		}
	}
	for _, n := range vocabulary.TypeNames() {
		if !types.IsTypeName(n.Name) || n.Meaning == "" {
			t.Errorf("%s is no type, or has no meaning", n.Name)
		}
	}
	for p, m := range models.Builtin().All() {
		model := Model{Provider: p.Name, ID: m.ID}
		if read, err := ParseModel(model.String(), nil); err != nil || read != model {
			t.Errorf("%s is %s: %v", model, read, err)
		}
	}
}

// owners returns all owners.
func owners() []vocabulary.Owner {
	return []vocabulary.Owner{
		vocabulary.OwnerHeader, vocabulary.OwnerAgent, vocabulary.OwnerTool, vocabulary.OwnerParameter, vocabulary.OwnerArguments, vocabulary.OwnerResult, vocabulary.OwnerField, vocabulary.OwnerType, vocabulary.OwnerAlias,
		vocabulary.OwnerEnum, vocabulary.OwnerUnion, vocabulary.OwnerLibrary, vocabulary.OwnerCommand, vocabulary.OwnerHTTP, vocabulary.OwnerMCP, vocabulary.OwnerBuiltin,
	}
}
