package compile

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/gram-lang/gramc/diag"
)

// ReadProgram reads an IR file. The schemas in it are not read: they are made
// again from the signatures. What File refuses in a gram file is refused here
// too; the error tells every such mistake with its place, as in
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
	tools    map[toolKey]*Tool // agents share equal tools, as in gram files
	named    map[string]*Tool  // the first tool of each name
}

type toolKey struct {
	toolText
	timeoutMS int64
	noRetry   bool
	place     Place
}

// maxReadProblems is how many mistakes of one file are told.
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
		r.errorf(path, "%s is a JSON %s; it must be %s", typed.Field, typed.Value, jsonWord(typed.Type.Kind()))
	case errors.As(err, &typed):
		r.errorf(path, "a JSON %s; it must be %s", typed.Value, jsonWord(typed.Type.Kind()))
	case errors.As(err, &syntax):
		r.errorf(path, "not JSON: %w (at byte %d)", err, syntax.Offset)
	default:
		r.errorf(path, "%w", err)
	}
	return false
}

func jsonWord(kind reflect.Kind) string {
	switch kind {
	case reflect.String:
		return "a string"
	case reflect.Int:
		return "an integer"
	case reflect.Slice:
		return "an array"
	}
	return "an object"
}

func (r *reader) program(data []byte) *Program {
	var in struct {
		Version *int              `json:"version"`
		Agents  []json.RawMessage `json:"agents"`
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
	case len(in.Agents) == 0:
		r.errorf("agents: ", "there is no agent")
		return nil
	}
	p := &Program{Version: Version}
	seen := map[string]bool{}
	for i, data := range in.Agents {
		path := fmt.Sprintf("agents[%d]", i)
		a := r.agent(path, data)
		if a == nil {
			continue
		}
		if seen[a.Name] && a.Name != "" {
			r.errorf(path+".name: ", "there are two agents %s", quote(a.Name))
		}
		seen[a.Name] = true
		p.Agents = append(p.Agents, a)
	}
	return p
}

func (r *reader) agent(path string, data []byte) *Agent {
	var in struct {
		Name        string            `json:"name"`
		Description *string           `json:"description"`
		Model       *Model            `json:"model"`
		Instruction string            `json:"instruction"`
		Tools       []json.RawMessage `json:"tools"`
		Span        Place             `json:"span"`
	}
	if !r.decode(path+": ", data, &in) {
		return nil
	}
	if in.Name == "" {
		r.errorf(path+".name: ", "the agent has no name")
	}
	if blank(in.Instruction) {
		r.errorf(path+".instruction: ", "the agent has no instruction")
	}
	a := &Agent{Name: in.Name, Description: in.Description, Instruction: in.Instruction, Place: in.Span}
	a.Model = r.model(path+".model", in.Model)
	a.Tools = make([]*Tool, 0, len(in.Tools))
	has := map[string]bool{}
	for i, data := range in.Tools {
		path := fmt.Sprintf("%s.tools[%d]", path, i)
		t := r.tool(path, data)
		if t == nil {
			continue
		}
		if has[t.Name] {
			r.errorf(path+".name: ", "the agent has the tool %s twice", quote(t.Name))
		}
		has[t.Name] = true
		a.Tools = append(a.Tools, t)
	}
	return a
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
		TimeoutMS int64 `json:"timeoutMs"`
		NoRetry   bool  `json:"noRetry"`
		Span      Place `json:"span"`
	}
	if !r.decode(path+": ", data, &in) {
		return nil
	}
	if in.TimeoutMS < 0 || in.TimeoutMS > maxTimeoutMS {
		r.errorf(path+".timeoutMs: ", "%d is not from 1 to %d", in.TimeoutMS, int64(maxTimeoutMS))
		return nil
	}
	key := toolKey{in.toolText, in.TimeoutMS, in.NoRetry, in.Span}
	if known := r.tools[key]; known != nil {
		return known
	}
	spec, err := NewToolSpec(in.Name, in.Description, in.TypeSignature)
	if err != nil {
		r.toolProblems(path, err)
		return nil
	}
	t := &Tool{ToolSpec: *spec, TimeoutMS: in.TimeoutMS, NoRetry: in.NoRetry, Place: in.Span}
	if first := r.named[t.Name]; first == nil {
		r.named[t.Name] = t
	} else if first.Description != t.Description || first.TypeSignature != t.TypeSignature ||
		first.TimeoutMS != t.TimeoutMS || first.NoRetry != t.NoRetry {
		r.errorf(path+".name: ", "the tool %s is different in another agent", quote(t.Name))
	}
	r.tools[key] = t
	return t
}

// toolProblems tells the problems of a tool at the member that each is about.
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
