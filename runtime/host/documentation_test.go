package host_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
)

// The built-ins of package library say what the tools themselves say: what they
// take, what they return, and what for.
func TestDocumentedBuiltins(t *testing.T) {
	for _, b := range library.Builtins() {
		entry := &library.Entry{Name: b.Name, Kind: library.EntryBuiltin, Builtin: &library.Builtin{Builtin: b.Name}}
		for _, key := range b.Required {
			switch key {
			case "root":
				entry.Builtin.Root = library.PlainText(t.TempDir())
			case "engine":
				entry.Builtin.Engine = "SerpAPI"
			case "key":
				entry.Builtin.Key = library.PlainText("k")
			}
		}
		set, err := host.Open(t.Context(), []*library.Library{{Entries: []*library.Entry{entry}}}, nil)
		if err != nil {
			t.Errorf("%s: %v", b.Name, err)
			continue
		}
		tool, _ := set.Library().Lookup(b.Name)
		if b.Signature == nil {
			continue // the agent decides
		}
		var input, taken any
		if json.Unmarshal(b.Signature.InputSchema(), &input) != nil || json.Unmarshal(tool.Input(), &taken) != nil || !reflect.DeepEqual(input, taken) {
			t.Errorf("%s takes %s, documented is %s", b.Name, tool.Input(), b.Signature.InputSchema())
		}
		if tool.Description() != b.Description || string(tool.Config().Example) != b.Example {
			t.Errorf("%s is %q, such as %s", b.Name, tool.Description(), tool.Config().Example)
		}
		if got, want := fields(t, tool.Output()), fields(t, b.Signature.OutputSchema()); !slices.Equal(got, want) {
			t.Errorf("%s returns %v, documented is %v", b.Name, got, want)
		}
		if b.Example == "" {
			continue
		}
		result, err := runtime.CompileSchema(b.Signature.OutputSchema())
		if err == nil {
			err = result.Validate(json.RawMessage(b.Example))
		}
		if err != nil {
			t.Errorf("%s: the example does not fit: %v", b.Name, err)
		}
	}
}

// fields returns the names of the fields of a schema, sorted.
func fields(t *testing.T, schema json.RawMessage) []string {
	root, err := jsonschema.Read(schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range root.Get("properties").Members {
		list = append(list, m.Key)
	}
	slices.Sort(list)
	return list
}
