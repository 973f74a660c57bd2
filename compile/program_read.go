package compile

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// ReadProgram reads an IR file. The schemas in it are not read: they are made
// again from the signatures. What File refuses in a gram file is refused here
// too; the error reports every such mistake with its place, as in
// agents[0].tools[1].typeSignature. The name is only used in errors. The options are those
// of [File]; nil means none.
func ReadProgram(name string, data []byte, o *Options) (*Program, error) {
	r := &programReader{file: name, shared: map[toolKey]*Tool{}, signatures: map[*Tool]*ast.Pattern{}, paths: map[*Tool]string{}}
	p := r.program(data)
	if len(r.problems) > 0 {
		return nil, errors.Join(r.problems...)
	}
	f := r.tree(p)
	read, problems := File(f, o)
	r.report(problems)
	switch {
	case len(r.problems) > 0:
		return nil, errors.Join(r.problems...)
	case read == nil:
		return nil, fmt.Errorf("%s: something in it does not parse", name)
	}
	read.copyPlaces(p)
	return read, nil
}

// A programReader reads an IR file as a gram tree, which File then lowers. Each member of the
// IR file is a source file of its own whose name is the path of the member, so that
// diagnostics are about members.
type programReader struct {
	file       string
	problems   []error
	shared     map[toolKey]*Tool // agents share equal tools, as in gram files
	signatures map[*Tool]*ast.Pattern
	paths      map[*Tool]string // of the first use of each tool
}

type toolKey struct {
	toolText
	timeoutMS int64
	noRetry   bool
	repeat    string
	strict    bool
	place     source.Place
}

// maxReadProblems is how many mistakes of one file are reported.
const maxReadProblems = diag.MaxPerList

func (r *programReader) errorf(path, format string, args ...any) {
	if len(r.problems) < maxReadProblems {
		r.problems = append(r.problems, fmt.Errorf("%s%w", r.nameOf(path), fmt.Errorf(": "+format, args...)))
	}
}

// nameOf returns the name of the source file of a member.
func (r *programReader) nameOf(path string) string {
	if path == "" {
		return r.file
	}
	return r.file + ": " + path
}

// report reports the errors of a list, with the position in texts that hold gram.
func (r *programReader) report(list diag.List) {
	for _, d := range list {
		path := strings.TrimPrefix(d.Span.File.Name(), r.file+": ")
		switch {
		case d.Severity != diag.Error:
		case strings.HasSuffix(path, "typeSignature"), strings.HasSuffix(path, "definition"):
			r.errorf(path, "%s: %s", d.Span.Pos(), d.Message)
		default:
			r.errorf(path, "%s", d.Message)
		}
	}
}

// decode reads data into v and reports whether that was possible.
func (r *programReader) decode(path string, data []byte, v any) bool {
	err := json.Unmarshal(data, v)
	var typed *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return true
	case errors.As(err, &typed) && typed.Field != "":
		r.errorf(path, "%s is a JSON %s; it must be %s", typed.Field, report.Clip(typed.Value), readJSONWord(typed.Type))
	case errors.As(err, &typed):
		r.errorf(path, "a JSON %s; it must be %s", typed.Value, readJSONWord(typed.Type))
	case errors.As(err, &syntax):
		r.errorf(path, "not JSON: %w (at byte %d)", err, syntax.Offset)
	default:
		r.errorf(path, "%w", err)
	}
	return false
}

func readJSONWord(t reflect.Type) string {
	if t == reflect.TypeFor[json.Number]() {
		return "a number"
	}
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "an array"
	}
	return "an object"
}

// program returns what the file has, with texts in place of types and signatures.
func (r *programReader) program(data []byte) *Program {
	var in struct {
		Version   *int                  `json:"version"`
		Types     []types.TypeText      `json:"types"`
		Agents    []json.RawMessage     `json:"agents"`
		Libraries []library.LibraryJSON `json:"libraries"`
	}
	if !r.decode("", data, &in) {
		return nil
	}
	switch {
	case in.Version == nil:
		r.errorf("", "no version: this is not a program of gramc")
	case *in.Version != Version:
		r.errorf("version", "version %d is not known here; only version %d is", *in.Version, Version)
	case len(in.Agents)+len(in.Libraries) == 0:
		r.errorf("agents", "there is no agent")
	}
	if len(r.problems) > 0 {
		return nil
	}
	p := &Program{}
	for i, t := range in.Types {
		definition := r.definition(fmt.Sprintf("types[%d]", i), t.Definition, ast.IsNamedType, "type")
		if definition != nil && definition.Identity() != t.Name {
			r.errorf(fmt.Sprintf("types[%d].name", i), "the definition is that of the type %s", report.Quote(definition.Identity()))
		}
		p.Types = append(p.Types, &types.TypeDef{Name: t.Name, Pattern: definition})
	}
	for i, data := range in.Agents {
		p.Agents = append(p.Agents, r.agent(fmt.Sprintf("agents[%d]", i), data))
	}
	for i, l := range in.Libraries {
		read := &library.Library{Place: l.Span, Pattern: r.definition(fmt.Sprintf("libraries[%d]", i), l.Definition, library.HasLibraryLabel, "library")}
		for _, e := range l.Entries {
			read.Entries = append(read.Entries, &library.Entry{Place: e.Span})
		}
		p.Libraries = append(p.Libraries, read)
	}
	return p
}

// definition reads the gram text of one type or one library.
func (r *programReader) definition(path, text string, is func(*ast.Pattern) bool, word string) *ast.Pattern {
	f, problems := grammar.Parse(r.nameOf(path+".definition"), text)
	switch {
	case problems.HasErrors():
		r.report(problems)
	case len(f.Patterns) != 1 || f.Header != nil || !is(f.Patterns[0]):
		r.errorf(path+".definition", "it is not one %s", word)
	default:
		return f.Patterns[0]
	}
	return nil
}

func (r *programReader) agent(path string, data []byte) *Agent {
	var in struct {
		Name        string      `json:"name"`
		Description *string     `json:"description"`
		Model       Model       `json:"model"`
		Fallbacks   []Model     `json:"fallbacks"`
		Instruction string      `json:"instruction"`
		Temperature json.Number `json:"temperature"`
		MaxTokens   int64       `json:"maxTokens"`
		MaxTurns    int64       `json:"maxIterations"`
		MaxRequests int64       `json:"maxRequests"`
		MaxTotal    int64       `json:"maxTotalTokens"`
		MaxCost     json.Number `json:"maxCost"`
		TimeoutMS   int64       `json:"timeoutMs"`
		OnOverflow  string      `json:"onOverflow"`
		Returns     *struct {
			Type string `json:"type"`
		} `json:"returns"`
		Tools []json.RawMessage `json:"tools"`
		Span  source.Place      `json:"span"`
	}
	r.decode(path, data, &in)
	a := &Agent{Name: in.Name, Description: in.Description, Model: in.Model, Fallbacks: in.Fallbacks, Instruction: in.Instruction, Place: in.Span}
	a.Settings = Settings{Temperature: in.Temperature, MaxTokens: in.MaxTokens, MaxIterations: in.MaxTurns,
		MaxRequests: in.MaxRequests, MaxTotalTokens: in.MaxTotal, MaxCost: in.MaxCost, TimeoutMS: in.TimeoutMS, OnOverflow: in.OnOverflow}
	if in.Returns != nil {
		a.Returns = &Returns{Text: in.Returns.Type}
	}
	for i, data := range in.Tools {
		a.Tools = append(a.Tools, r.tool(fmt.Sprintf("%s.tools[%d]", path, i), data))
	}
	return a
}

func (r *programReader) tool(path string, data []byte) *Tool {
	var in struct {
		toolText
		TimeoutMS int64        `json:"timeoutMs"`
		NoRetry   bool         `json:"noRetry"`
		Repeat    string       `json:"repeat"`
		Strict    bool         `json:"strict"`
		Span      source.Place `json:"span"`
	}
	r.decode(path, data, &in)
	key := toolKey{in.toolText, in.TimeoutMS, in.NoRetry, in.Repeat, in.Strict, in.Span}
	if known := r.shared[key]; known != nil {
		return known
	}
	t := &Tool{TimeoutMS: in.TimeoutMS, NoRetry: in.NoRetry, Repeat: in.Repeat, Strict: in.Strict, Place: in.Span}
	t.Name, t.Description = in.Name, in.Description
	signature, problems := types.SignaturePattern(r.nameOf(path+".typeSignature"), in.TypeSignature)
	r.report(problems)
	r.shared[key], r.signatures[t], r.paths[t] = t, signature, path
	return t
}

// tree returns the gram tree of a program that was read.
func (r *programReader) tree(p *Program) *ast.File {
	f := decompile(p, func(t *Tool, pattern *ast.Pattern) {
		pattern.Elements = []*ast.Pattern{r.signatures[t]}
		r.place(pattern, r.paths[t])
	})
	agents := 0
	for _, pattern := range f.Patterns {
		if _, ok := ast.AsAgent(pattern); !ok {
			continue
		}
		path := fmt.Sprintf("agents[%d]", agents)
		agents++
		r.place(pattern, path)
		for i, e := range pattern.Elements {
			if e.Form == ast.FormRef {
				e.Base = r.at(fmt.Sprintf("%s.tools[%d].name", path, i))
				e.Subject.Identity.Base = e.Base
			}
		}
	}
	return f
}

// place says of the parts of an agent or a tool which members of the IR file they are.
func (r *programReader) place(p *ast.Pattern, path string) {
	whole := r.at(path)
	p.Base, p.Subject.Base, p.Subject.Record.Base = whole, whole, whole
	p.Subject.Identity.Base = r.at(path + ".name")
	for _, property := range p.Subject.Record.Properties {
		base := r.at(path + "." + property.Key.Text)
		property.Base, property.Key.Base = base, base
		switch v := property.Value.(type) {
		case *ast.String:
			v.Base = base
		case *ast.Number:
			v.Base = base
		case *ast.Bool:
			v.Base = base
		case *ast.Tagged:
			v.Base = base
		}
	}
}

// at returns the place of a member.
func (r *programReader) at(path string) ast.Base {
	return ast.At(source.NewFile(r.nameOf(path), "").Span(0, 0))
}
