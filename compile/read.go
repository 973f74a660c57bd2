package compile

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/internal/lint"
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
// agents[0].tools[1].typeSignature. The name is only used in errors.
func ReadProgram(name string, data []byte) (*Program, error) {
	r := &reader{file: name, tools: map[toolKey]*Tool{}, named: map[string]*Tool{}}
	p := r.program(data)
	if len(r.problems) > 0 {
		return nil, errors.Join(r.problems...)
	}
	return p, nil
}

// UnmarshalJSON is ReadProgram for programs inside of other JSON.
func (p *Program) UnmarshalJSON(data []byte) error {
	read, err := ReadProgram("program", data)
	if err != nil {
		return err
	}
	*p = *read
	return nil
}

type reader struct {
	file     string
	problems []error
	types    *types.Checker    // knows the named types of the program
	tools    map[toolKey]*Tool // agents share equal tools, as in gram files
	named    map[string]*Tool  // the first tool of each name
}

type toolKey struct {
	toolText
	timeoutMS int64
	noRetry   bool
	strict    bool
	place     source.Place
}

// maxReadProblems is how many mistakes of one file are reported.
const maxReadProblems = diag.MaxPerList

func (r *reader) errorf(path, format string, args ...any) {
	if len(r.problems) < maxReadProblems {
		r.problems = append(r.problems, fmt.Errorf("%s: %s%w", r.file, path, fmt.Errorf(format, args...)))
	}
}

// decode reads data into v and reports whether that was possible.
func (r *reader) decode(path string, data []byte, v any) bool {
	err := json.Unmarshal(data, v)
	var typed *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return true
	case errors.As(err, &typed) && typed.Field != "":
		field := strings.TrimPrefix(typed.Field, "settingsText.") // which is no object in the file
		r.errorf(path, "%s is a JSON %s; it must be %s", field, report.Clip(typed.Value), jsonWord(typed.Type))
	case errors.As(err, &typed):
		r.errorf(path, "a JSON %s; it must be %s", typed.Value, jsonWord(typed.Type))
	case errors.As(err, &syntax):
		r.errorf(path, "not JSON: %w (at byte %d)", err, syntax.Offset)
	default:
		r.errorf(path, "%w", err)
	}
	return false
}

func jsonWord(t reflect.Type) string {
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

func (r *reader) program(data []byte) *Program {
	var in struct {
		Version *int              `json:"version"`
		Types   []types.TypeText  `json:"types"`
		Agents  []json.RawMessage `json:"agents"`

		Libraries []library.LibraryJSON `json:"libraries"`
	}
	if !r.decode("", data, &in) {
		return nil
	}
	switch {
	case in.Version == nil:
		r.errorf("", "no version: this is not a program of gramc")
		return nil
	case *in.Version != Version:
		r.errorf("version: ", "version %d is not known here; only version %d is", *in.Version, Version)
		return nil
	case len(in.Agents)+len(in.Libraries) == 0:
		r.errorf("agents: ", "there is no agent")
		return nil
	}
	p := &Program{Version: Version, Types: r.namedTypes(in.Types), Agents: make([]*Agent, 0, len(in.Agents))}
	seen := map[string]bool{}
	for i, data := range in.Agents {
		path := fmt.Sprintf("agents[%d]", i)
		a := r.agent(path, data)
		if a == nil {
			continue
		}
		if seen[a.Name] && a.Name != "" {
			r.errorf(path+".name: ", "there are two agents %s", report.Quote(a.Name))
		}
		seen[a.Name] = true
		p.Agents = append(p.Agents, a)
	}
	p.Libraries = r.libraries(in.Libraries)
	return p
}

// namedTypes reads the types of a program, and makes the compiler that knows
// them.
func (r *reader) namedTypes(list []types.TypeText) []*types.TypeDef {
	all := &ast.File{}
	for i, t := range list {
		path := fmt.Sprintf("types[%d].definition: ", i)
		f, problems := grammar.Parse(t.Name, t.Definition)
		switch {
		case problems.HasErrors():
			r.errorf(path, "%s: %s", problems[0].Span.Pos(), problems[0].Message)
		case len(f.Patterns) != 1 || f.Header != nil || !ast.IsNamedType(f.Patterns[0]) || f.Patterns[0].Identity() != t.Name:
			r.errorf(path, "it is not the one type %s", report.Quote(t.Name))
		default:
			all.Patterns = append(all.Patterns, f.Patterns[0])
		}
	}
	r.types = types.NewChecker(types.Scope{File: all, Types: all.Patterns, Graph: true}, &report.Reporter{})
	r.types.LowerAll()
	for _, d := range r.types.Named.Order {
		(&lint.Linter{Reporter: r.types.Reporter}).Node(d.Pattern)
		for _, problem := range append(r.types.Diags, d.Problems...) {
			if problem.Severity == diag.Error {
				r.errorf(fmt.Sprintf("types: %s: ", report.Quote(d.Name)), "%s", problem.Message)
			}
		}
		r.types.Diags = nil
	}
	return r.types.Named.Order
}

func (r *reader) agent(path string, data []byte) *Agent {
	var in struct {
		Name        string  `json:"name"`
		Description *string `json:"description"`
		Model       *Model  `json:"model"`
		Instruction string  `json:"instruction"`
		settingsText
		Tools []json.RawMessage `json:"tools"`
		Span  source.Place      `json:"span"`
	}
	if !r.decode(path+": ", data, &in) {
		return nil
	}
	if in.Name == "" {
		r.errorf(path+".name: ", "the agent has no name")
	}
	if report.Blank(in.Instruction) {
		r.errorf(path+".instruction: ", "the agent has no instruction")
	}
	a := &Agent{Name: in.Name, Description: in.Description, Instruction: in.Instruction, Place: in.Span}
	a.Model = r.model(path+".model", in.Model)
	a.Settings = r.settings(path, in.settingsText)
	a.Tools = make([]*Tool, 0, len(in.Tools))
	has := map[string]bool{}
	for i, data := range in.Tools {
		path := fmt.Sprintf("%s.tools[%d]", path, i)
		t := r.tool(path, data)
		if t == nil {
			continue
		}
		if has[t.Name] {
			r.errorf(path+".name: ", "the agent has the tool %s twice", report.Quote(t.Name))
		}
		has[t.Name] = true
		a.Tools = append(a.Tools, t)
	}
	return a
}

// settingsText is Settings as an IR file has them.
type settingsText struct {
	Temperature   json.Number `json:"temperature"`
	MaxTokens     int64       `json:"maxTokens"`
	MaxIterations int64       `json:"maxIterations"`
	Returns       *struct {
		Type string `json:"type"`
	} `json:"returns"`
}

func (r *reader) settings(path string, in settingsText) Settings {
	s := Settings{Temperature: in.Temperature, MaxTokens: in.MaxTokens, MaxIterations: in.MaxIterations}
	if t := types.Rational(json.RawMessage(in.Temperature)); in.Temperature != "" && !isTemperature(t) {
		r.errorf(path+".temperature: ", "%s is not from 0 to 2", report.Clip(in.Temperature.String()))
	}
	if !isLimit(in.MaxTokens) {
		r.errorf(path+".maxTokens: ", "%d is not from 1 to %d", in.MaxTokens, maxLimit)
	}
	if !isLimit(in.MaxIterations) {
		r.errorf(path+".maxIterations: ", "%d is not from 1 to %d", in.MaxIterations, maxLimit)
	}
	if in.Returns == nil {
		return s
	}
	c := r.types.Fork()
	t, _ := c.ParseType(in.Returns.Type, &ast.String{Text: in.Returns.Type})
	if t != nil {
		if _, fits := c.SchemaOf(t, "", source.Span{}, "the answers"); !fits {
			t = nil
		}
	}
	if t == nil {
		for _, d := range c.Diags {
			r.errorf(path+".returns.type: ", "%s", d.Message)
		}
		return s
	}
	s.Returns = &Returns{in.Returns.Type, t}
	return s
}

func (r *reader) model(path string, in *Model) Model {
	switch {
	case in == nil:
		r.errorf(path+": ", "the agent has no model")
		return Model{}
	case canonicalProvider(in.Provider) == "":
		r.errorf(path+".provider: ", "%w", &providerError{in.Provider})
		return Model{}
	}
	m, err := ParseModel(in.String())
	if err != nil {
		r.errorf(path+".id: ", "%w", err)
	}
	return m
}

func (r *reader) tool(path string, data []byte) *Tool {
	var in struct {
		toolText
		TimeoutMS int64        `json:"timeoutMs"`
		NoRetry   bool         `json:"noRetry"`
		Strict    bool         `json:"strict"`
		Span      source.Place `json:"span"`
	}
	if !r.decode(path+": ", data, &in) {
		return nil
	}
	if in.TimeoutMS < 0 || in.TimeoutMS > report.MaxTimeoutMS {
		r.errorf(path+".timeoutMs: ", "%d is not from 1 to %d", in.TimeoutMS, int64(report.MaxTimeoutMS))
		return nil
	}
	key := toolKey{in.toolText, in.TimeoutMS, in.NoRetry, in.Strict, in.Span}
	if known := r.tools[key]; known != nil {
		return known
	}
	spec, err := newToolSpec(in.Name, in.Description, in.TypeSignature, r.types.Fork())
	if err != nil {
		r.toolProblems(path, err)
		return nil
	}
	t := &Tool{ToolSpec: *spec, TimeoutMS: in.TimeoutMS, NoRetry: in.NoRetry, Strict: in.Strict, Place: in.Span}
	if first := r.named[t.Name]; first == nil {
		r.named[t.Name] = t
	} else if first.Description != t.Description || first.TypeSignature != t.TypeSignature ||
		first.TimeoutMS != t.TimeoutMS || first.NoRetry != t.NoRetry || first.Strict != t.Strict {
		r.errorf(path+".name: ", "the tool %s is different in another agent", report.Quote(t.Name))
	}
	r.tools[key] = t
	return t
}

// toolProblems reports the problems of a tool at the member that each is about.
func (r *reader) toolProblems(path string, err error) {
	list, _ := diag.FromError(err)
	for _, d := range list {
		if d.Severity != diag.Error {
			continue
		}
		switch d.Code {
		case diag.CodeMissingToolName, diag.CodeInvalidToolName:
			r.errorf(path+".name: ", "%s", d.Message)
		case diag.CodeEmptyToolDescription:
			r.errorf(path+".description: ", "%s", d.Message)
		default:
			r.errorf(path+".typeSignature: ", "%s: %s", d.Span.Pos(), d.Message)
		}
	}
}

// libraries reads the libraries of a program.
func (r *reader) libraries(list []library.LibraryJSON) []*library.Library {
	var libraries []*library.Library
	seen := map[string]bool{}
	for i, in := range list {
		path := fmt.Sprintf("libraries[%d].definition: ", i)
		f, problems := grammar.Parse("library", in.Definition)
		switch {
		case problems.HasErrors():
			r.errorf(path, "%s: %s", problems[0].Span.Pos(), problems[0].Message)
			continue
		case len(f.Patterns) != 1 || f.Header != nil || !library.HasLibraryLabel(f.Patterns[0]):
			r.errorf(path, "it is not one library")
			continue
		}
		l := r.library(path, f.Patterns[0])
		if l == nil {
			continue
		}
		if seen[l.Name] && l.Name != "" {
			r.errorf(path, "there are two libraries %s", report.Quote(l.Name))
		}
		seen[l.Name] = true
		l.Place = in.Span
		for i, e := range l.Entries {
			if i < len(in.Entries) {
				e.Place = in.Entries[i].Span
			}
		}
		libraries = append(libraries, l)
	}
	return libraries
}

// library lowers the definition of a library; nil when something is wrong with
// it.
func (r *reader) library(path string, p *ast.Pattern) *library.Library {
	c := r.types.Fork()
	(&lint.Linter{Reporter: c.Reporter}).Node(p)
	l := (&library.Lowerer{Checker: c}).Library(p)
	if c.Broken || c.Diags.HasErrors() {
		for _, d := range c.Diags {
			if d.Severity == diag.Error {
				r.errorf(path, "%s: %s", d.Span.Pos(), d.Message)
			}
		}
		return nil
	}
	return l
}
