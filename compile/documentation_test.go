package compile

import (
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/grammar"
)

// Every property that the compiler knows is documented once, and everything that
// is documented is known.
func TestEveryPropertyIsDocumentedOnce(t *testing.T) {
	for _, o := range owners() {
		known := slices.Compact(slices.Sorted(slices.Values(propertiesOf(o))))
		var told []string
		for _, d := range Properties(o) {
			told = append(told, d.Key)
		}
		slices.Sort(told)
		if !slices.Equal(known, told) {
			t.Errorf("%s: the compiler knows\n%v, documented are\n%v", o, known, told)
		}
	}
	for _, d := range documentation() {
		if len(d.Owners) == 0 {
			t.Errorf("%s belongs to nothing", d.Key)
		}
		if !strings.HasSuffix(d.Meaning, ".") || strings.HasSuffix(d.Default, ".") {
			t.Errorf("%s: the meaning is sentences, the default is none: %q %q", d.Key, d.Meaning, d.Default)
		}
		f, problems := grammar.Parse("example", "[x {"+d.Example+"}]")
		if problems.HasErrors() || f.Patterns[0].Property(d.Key) == nil {
			t.Errorf("%s: the example %q is no such property: %v", d.Key, d.Example, problems)
		}
	}
}

// The example of every property is one that the compiler takes.
func TestExamplesOfPropertiesCompile(t *testing.T) {
	for _, d := range Properties(OwnerAgent) {
		text := `[a:Agent {instruction: "i", model: "OpenAI/gpt-4o"}] [Weather:Type | (::Text)]`
		switch d.Key {
		case "instruction", "model":
			text = strings.Replace(text, d.Key, d.Example+", old"+d.Key, 1)
		case "name":
			text = strings.Replace(text, "a:Agent {", "greeter:Agent {"+d.Example+", ", 1)
		default:
			text = strings.Replace(text, "{", "{"+d.Example+", ", 1)
		}
		f, _ := grammar.Parse("example", text)
		if problems := Check(f, nil); problems.HasErrors() {
			t.Errorf("%s: %v", d.Example, problems)
		}
	}
	for _, d := range Properties(OwnerTool) {
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
	if len(library.BuiltinDocumentation) != len(library.BuiltinTools()) {
		t.Errorf("%d built-ins, %d documented", len(library.BuiltinTools()), len(library.BuiltinDocumentation))
	}
	var names []string
	for _, n := range TypeNames() {
		names = append(names, n.Name)
	}
	if want := slices.Sorted(slices.Values(types.TypeNames())); !slices.Equal(slices.Sorted(slices.Values(names)), want) {
		t.Errorf("the types are %v, documented are %v", want, names)
	}
	for _, m := range KnownModels() {
		if read, err := ParseModel(m.String()); err != nil || read != m {
			t.Errorf("%s is %s: %v", m, read, err)
		}
	}
}

// owners returns all owners.
func owners() []Owner {
	return []Owner{
		OwnerHeader, OwnerAgent, OwnerTool, OwnerParameter, OwnerArguments, OwnerResult, OwnerField, OwnerType, OwnerAlias,
		OwnerEnum, OwnerUnion, OwnerLibrary, OwnerCommand, OwnerHTTP, OwnerMCP, OwnerBuiltin,
	}
}

// propertiesOf returns the keys that the compiler knows of an owner.
func propertiesOf(o Owner) []string {
	switch o {
	case OwnerHeader:
		return []string{"import"}
	case OwnerAgent:
		return agentProperties
	case OwnerTool:
		return toolProperties
	case OwnerParameter:
		return types.ParameterKeys
	case OwnerArguments:
		return slices.DeleteFunc(types.TypeAttributes(), types.SaysNothingOfAll)
	case OwnerResult:
		return types.ResultKeys
	case OwnerField:
		return types.DeclaredKeys
	case OwnerType:
		return types.NamedKeys
	case OwnerAlias:
		return types.TypeKeys
	case OwnerEnum:
		return types.EnumProperties
	case OwnerUnion:
		return types.UnionProperties
	case OwnerLibrary:
		return library.LibraryProperties
	}
	keys := library.EntryProperties(library.EntryKind(o))
	if o == OwnerBuiltin {
		for _, b := range library.BuiltinTools() {
			keys = append(keys, b.Properties...)
		}
	}
	return keys
}
