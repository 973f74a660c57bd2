package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// FuzzTypes makes types of the bytes, and values that fit them or do not. Its
// own model of a type says which; the schema that the gram text of the type
// compiles to must agree, by another validator and by ours, and so must the
// check of defaults.
func FuzzTypes(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		data := make([]byte, 20+r.IntN(400))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 2000 {
			t.Skip()
		}
		checkTypes(t, data)
	})
}

func checkTypes(t *testing.T, data []byte) {
	m := newTypeMaker(data)
	text := m.file("")
	program := compiledProgram(t, text)
	tool := program.Agents[0].Tools[0]
	schema := string(tool.Schema())
	checkCopies(t, text, program)
	for _, to := range provider.AllTargets() {
		if lowered, problems := tool.ProviderInput(to); lowered == nil && !problems.HasErrors() {
			t.Fatalf("%s\nno schema for %s, and no error", text, to)
		}
	}
	theirs := independent(t, schema)
	ours, err := runtime.CompileSchema(tool.Schema())
	if err != nil {
		t.Fatalf("%s\n%s: %v", text, schema, err)
	}
	for range 4 {
		good := m.value(m.root, 0)
		if err := validates(t, theirs, good); err != nil {
			t.Fatalf("%s\n%s\nrefuses %s: %v", text, schema, good, err)
		}
		if err := ours.ValidateArgs(json.RawMessage(good)); err != nil {
			t.Fatalf("%s\n%s\nours refuses %s: %v", text, schema, good, err)
		}
		m.defaultFits(t, good, true)
		bad, why := m.wrong(m.root, 0)
		if why == "" {
			continue
		}
		if validates(t, theirs, bad) == nil {
			t.Fatalf("%s\n%s\naccepts %s: %s", text, schema, bad, why)
		}
		if ours.ValidateArgs(json.RawMessage(bad)) == nil {
			t.Fatalf("%s\n%s\nours accepts %s: %s", text, schema, bad, why)
		}
		if !strings.Contains(why, "format") { // which only the run time checks
			m.defaultFits(t, bad, false)
		}
	}
}

// compiledProgram compiles a text that has nothing wrong.
func compiledProgram(t *testing.T, text string) *compile.Program {
	file, problems := grammar.Parse("types", text)
	program, more := compile.File(file, nil)
	for _, d := range append(append(problems, more...), compile.Check(file, nil)...) {
		if d.Severity <= diag.Warning {
			t.Fatalf("%s\n%s", text, d)
		}
	}
	return program
}

// checkCopies reads and decompiles a program: its schemas must stay the same.
func checkCopies(t *testing.T, text string, p *compile.Program) {
	read, err := compile.ReadProgram("ir", p.JSON(), nil)
	if err != nil {
		t.Fatalf("%s\nits IR is refused: %v", text, err)
	}
	if !bytes.Equal(read.JSON(), p.JSON()) {
		t.Fatalf("%s\nreads as\n%s", text, read.JSON())
	}
	printed := ast.Print(compile.Decompile(p))
	again := compiledProgram(t, printed)
	before, after := p.Agents[0].Tools[0], again.Agents[0].Tools[0]
	if !bytes.Equal(before.Schema(), after.Schema()) || !bytes.Equal(before.OutputSchema(), after.OutputSchema()) {
		t.Fatalf("%s\ndecompiles to\n%s\nwith another schema:\n%s\n%s", text, printed, before.Schema(), after.Schema())
	}
	if want, got := p.Agents[0].Returns, again.Agents[0].Returns; !bytes.Equal(want.Schema(), got.Schema()) {
		t.Fatalf("%s\ndecompiles to\n%s\nwhich returns\n%s, not\n%s", text, printed, got.Schema(), want.Schema())
	}
}

func independent(t *testing.T, schema string) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("mem:schema", doc); err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	compiled, err := c.Compile("mem:schema")
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return compiled
}

func validates(t *testing.T, schema *jsonschema.Schema, value string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
	if err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	return schema.Validate(v)
}

// defaultFits compiles the file with the first argument of a value as the
// default of the first parameter.
func (m *typeMaker) defaultFits(t *testing.T, value string, fits bool) {
	var args map[string]json.RawMessage
	if err := json.Unmarshal([]byte(value), &args); err != nil {
		t.Fatal(err)
	}
	first := m.root.fields[0]
	whole, there := args[first.name]
	if !there || !fits && string(whole) == "null" && first.typ.isText() {
		return // the word null is text for a type of text
	}
	if !fits { // the mistake may be in another argument
		schema := m.firstSchema(t)
		if validates(t, schema, string(whole)) == nil {
			return
		}
	}
	text := m.file(first.typ.defaultText(string(whole)))
	file, problems := grammar.Parse("types", text)
	problems = append(problems, compile.Check(file, nil)...)
	if problems.HasErrors() == fits {
		t.Fatalf("%s\nfits: %v, but\n%v", text, fits, problems.Err())
	}
}

// firstSchema returns the schema of the first parameter.
func (m *typeMaker) firstSchema(t *testing.T) *jsonschema.Schema {
	program := compiledProgram(t, m.file(""))
	var schema struct {
		Properties map[string]json.RawMessage
		Defs       json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(program.Agents[0].Tools[0].Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	first := schema.Properties[m.root.fields[0].name]
	if schema.Defs == nil {
		return independent(t, string(first))
	}
	return independent(t, fmt.Sprintf(`{"allOf":[%s],"$defs":%s}`, first, schema.Defs))
}
