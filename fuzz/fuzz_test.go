// Package fuzz holds the fuzz targets that cross packages. Their seeds are the
// golden inputs and, where it is at hand, the conformance material.
package fuzz

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/source"
)

// maxInput keeps the fuzzer at small inputs: what grows with the size is the
// business of the limit tests.
const maxInput = 1 << 14

// signatures are seeds for the targets that read one.
var signatures = []string{
	"()==>(::String)", "(::String)", `(a::Text {default: "x"})==>(::Int)`, `(::Text {paramName: "n", optional: true})==>(::Bool)`,
	`(o::Object {fields: [{name: "a", type: "[Maybe Int]", default: []}]})==>(r::Array {elementType: "Object"})`,
	"(u::`{name: Text, tags: [Text]}`)-->(::Number)", "(::String)<--(a::Int {default: 0xFF})", "(a::`IO Text`)==>(b)==>()", "",
}

func addFiles(f *testing.F) {
	for _, file := range golden.Inputs(f) {
		f.Add(golden.Read(f, file))
	}
	examples, _ := filepath.Glob(filepath.Join(sharedFolder(f), "corpus", "examples", "*.gram"))
	for _, file := range examples {
		f.Add(golden.Read(f, file))
	}
	for _, s := range signatures {
		f.Add(agentWith(s))
	}
}

// sharedFolder returns the folder of the conformance material, which may not be
// there.
func sharedFolder(f *testing.F) string {
	if shared := os.Getenv("GRAMC_SHARED"); shared != "" {
		return shared
	}
	return filepath.Join(filepath.Dir(golden.Root(f)), "shared")
}

func agentWith(signature string) string {
	return `[a:Agent {instruction: "i", model: "OpenAI/m"} | [t:Tool {description: "d"} | ` + signature + `]]`
}

// places are left out when trees and programs are compared.
var places = cmp.Options{
	cmpopts.IgnoreTypes(ast.Base{}, source.Place{}),
	cmpopts.IgnoreFields(ast.File{}, "Source"),
	cmpopts.EquateEmpty(),
}

func FuzzParse(f *testing.F) {
	addFiles(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxInput {
			t.Skip()
		}
		file, problems := grammar.Parse("fuzz", text)
		checkDiagnostics(t, text, problems)
		checkSpans(t, file, file)
		if problems.HasErrors() {
			return
		}
		printed := ast.Print(file)
		again, problems := grammar.Parse("printed", printed)
		if problems.HasErrors() {
			t.Fatalf("%q prints as %q: %v", text, printed, problems.Err())
		}
		if diff := cmp.Diff(file, again, places); diff != "" {
			t.Fatalf("%q prints as %q:\n%s", text, printed, diff)
		}
		var b strings.Builder
		if err := ast.WriteJSON(&b, file); err != nil || !json.Valid([]byte(b.String())) {
			t.Fatalf("%q as JSON: %v\n%s", text, err, b.String())
		}
	})
}

func checkDiagnostics(t *testing.T, text string, list diag.List) {
	if len(list) > diag.MaxPerList+2 {
		t.Fatalf("%d diagnostics", len(list))
	}
	for i, d := range list {
		if d.Span.Start > d.Span.End || d.Span.End > len(text) || d.Message == "" || strings.Contains(d.Message, "\n") {
			t.Fatalf("diagnostic %v at %d-%d", d, d.Span.Start, d.Span.End)
		}
		if i > 0 && d.Span.Start < list[i-1].Span.Start {
			t.Fatalf("diagnostics out of order: %v", list)
		}
	}
}

// checkSpans fails unless every node lies inside its parent.
func checkSpans(t *testing.T, parent, n ast.Node) {
	outer := parent.Span()
	ast.Walk(n, func(child ast.Node) bool {
		if child == n {
			return true
		}
		if s := child.Span(); s.Start < outer.Start || s.End > outer.End || s.Start > s.End {
			t.Fatalf("%T at %d-%d inside %T at %d-%d", child, s.Start, s.End, parent, outer.Start, outer.End)
		}
		checkSpans(t, child, child)
		return false
	})
}

func FuzzCompile(f *testing.F) {
	addFiles(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxInput {
			t.Skip()
		}
		file, syntax := grammar.Parse("fuzz", text)
		program, problems := compile.File(file, nil)
		if syntax.HasErrors() {
			return
		}
		if (program == nil) != problems.HasErrors() {
			t.Fatalf("%q: program %v, errors %v", text, program != nil, problems.HasErrors())
		}
		if program == nil {
			return
		}
		read, err := compile.ReadProgram("ir", program.JSON(), nil)
		if err != nil {
			t.Fatalf("%q: its IR is refused: %v", text, err)
		}
		if string(read.JSON()) != string(program.JSON()) {
			t.Fatalf("%q: its IR reads as another:\n%s", text, cmp.Diff(string(program.JSON()), string(read.JSON())))
		}
		decompiled, syntax := grammar.Parse("decompiled", ast.Print(compile.Decompile(program)))
		again, problems := compile.File(decompiled, nil)
		if syntax.HasErrors() || problems.HasErrors() {
			t.Fatalf("%q decompiles to %q: %v %v", text, ast.Print(decompiled), syntax.Err(), problems.Err())
		}
		if want, got := withoutPlaces(t, program), withoutPlaces(t, again); want != got {
			t.Fatalf("%q decompiles to another program:\n%s", text, cmp.Diff(want, got))
		}
	})
}

// withoutPlaces returns the IR without its spans.
func withoutPlaces(t *testing.T, p *compile.Program) string {
	copied := compile.Program{Version: p.Version}
	for _, a := range p.Agents {
		agent := *a
		agent.Place, agent.Tools = source.Place{}, nil
		for _, tool := range a.Tools {
			agent.Tools = append(agent.Tools, &compile.Tool{ToolSpec: tool.ToolSpec})
		}
		copied.Agents = append(copied.Agents, &agent)
	}
	return string(copied.JSON())
}

func FuzzSchema(f *testing.F) {
	for _, s := range signatures {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxInput {
			t.Skip()
		}
		signature, problems := types.ParseTypeSignature(text)
		if (signature == nil) != problems.HasErrors() {
			t.Fatalf("%q: signature %v, errors %v", text, signature != nil, problems.HasErrors())
		}
		if signature == nil {
			return
		}
		for _, schema := range []json.RawMessage{signature.InputSchema(), signature.OutputSchema()} {
			if _, err := runtime.CompileSchema(schema); err != nil {
				t.Fatalf("%q: %s: %v", text, schema, err)
			}
		}
		file, _ := grammar.Parse("fuzz", text)
		lowered, _ := types.LowerSignature(file.Patterns[0])
		if lowered == nil || string(lowered.InputSchema()) != string(signature.InputSchema()) {
			t.Fatalf("%q: the tree and the text give different schemas", text)
		}
	})
}

// FuzzModes runs every agent that compiles in all modes against one scripted
// model: the requests must be equal byte for byte.
func FuzzModes(f *testing.F) {
	addFiles(f)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxInput {
			t.Skip()
		}
		file, syntax := grammar.Parse("fuzz", text)
		program, _ := compile.File(file, nil)
		if syntax.HasErrors() || program == nil {
			for _, mode := range []interp.Mode{interp.ModeAuto, interp.ModeAST, interp.ModeIR} {
				interp.Load(file, "a", mode, nil) // must not panic
			}
			return
		}
		for _, a := range program.Agents {
			if len(program.Agents) > 1 && a.Name == "" {
				continue
			}
			want := requests(t, file, a.Name, interp.ModeIR)
			for _, mode := range []interp.Mode{interp.ModeAST, interp.ModeAuto} {
				if got := requests(t, file, a.Name, mode); got != want {
					t.Fatalf("%q: %s and ir differ:\n%s", text, mode, cmp.Diff(want, got))
				}
			}
		}
	})
}

// requests returns what an agent asks of a model that calls each tool once
// with an empty object and then answers.
func requests(t *testing.T, file *ast.File, name string, mode interp.Mode) string {
	agent, problems := interp.Load(file, name, mode, nil)
	if agent == nil {
		t.Fatalf("%s does not load %q: %v", mode, name, problems.Err())
	}
	var lib runtime.Library
	var calls []runtime.Call
	for _, c := range agent.Tools {
		tool, err := runtime.NewTool(runtime.ToolConfig{
			Name: c.Name, Adopt: true,
			Execute: func(context.Context, json.RawMessage) (json.RawMessage, error) {
				return nil, errors.New("nothing here")
			},
		})
		if err == nil {
			lib, err = lib.Add(c.Name, tool)
		}
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, runtime.Call{Name: c.Name, Args: json.RawMessage("{}")})
	}
	script := []runtime.Response{{Content: "done"}, {Content: "null"}} // the second is for agents that return no text
	if len(calls) > 0 && agent.MaxIterations != 1 {
		script = append([]runtime.Response{{Calls: calls}}, script...)
	}
	model := runtime.NewScript(script...)
	bound, err := interp.Bind(agent, lib, model, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = bound.Run(t.Context(), "hello", nil)
	if err != nil && len(agent.Returns) == 0 {
		t.Fatal(err)
	}
	sent, err := json.Marshal(model.Requests())
	if err != nil {
		t.Fatal(err)
	}
	return string(sent)
}
