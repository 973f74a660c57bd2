package gemini

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// loweredTools are tools as the API takes them, and a copy of what they were
// lowered from.
type loweredTools struct {
	from   []runtime.Contract
	list   []declaration   // in the order of from; never changed
	text   json.RawMessage // the list as the tools of a request; nil if it is empty
	strict bool            // one of them is
}

// lowerTools returns tools as the API takes them. All requests of a run have the
// same tools: those of the last request are kept.
func (m *Model) lowerTools(tools []runtime.Contract) (*loweredTools, error) {
	if last := m.lowered.Load(); last != nil && slices.EqualFunc(last.from, tools, sameContract) {
		return last, nil
	}
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	names, collisions := provider.Names(names, provider.Gemini)
	if len(collisions) > 0 {
		return nil, runtime.Errorf(runtime.KindConfiguration, "%w", collisions[0])
	}
	l := &loweredTools{}
	for i, t := range tools {
		schema, err := inputSchema(t)
		if err != nil {
			return nil, err
		}
		l.strict = l.strict || t.Strict
		l.list = append(l.list, declaration{names[i], t.Description, schema})
		l.from = append(l.from, runtime.Contract{Name: t.Name, Description: t.Description, Strict: t.Strict, Input: bytes.Clone(t.Input)})
	}
	if len(l.list) > 0 {
		l.text = l.with()
	}
	m.lowered.Store(l)
	return l, nil
}

func sameContract(a, b runtime.Contract) bool {
	return a.Name == b.Name && a.Description == b.Description && a.Strict == b.Strict && bytes.Equal(a.Input, b.Input)
}

// with returns the tools of a request, with others after them.
func (l *loweredTools) with(others ...*declaration) json.RawMessage {
	list := slices.Clone(l.list)
	for _, d := range others {
		list = append(list, *d)
	}
	text, err := plainjson.Marshal([]functionTool{{list}})
	if err != nil {
		panic("gemini: " + err.Error()) // strings, and schemas that are JSON
	}
	return text
}

// names returns the names for the API.
func (l *loweredTools) names() []string {
	names := make([]string, len(l.list))
	for i := range l.list {
		names[i] = l.list[i].Name
	}
	return names
}

// own returns the name of a tool for the run, given that for the API.
func (l *loweredTools) own(name string) string {
	for i := range l.list {
		if l.list[i].Name == name {
			return l.from[i].Name
		}
	}
	return name
}

// inputSchema returns the schema of the arguments as the API takes it. It is the
// schema of "parameters", a part of OpenAPI that every model and every way to reach
// it take, and that gramc check knows the limits of; "parametersJsonSchema" takes
// more, at some of them.
func inputSchema(t runtime.Contract) (json.RawMessage, error) {
	switch {
	case len(t.Input) == 0:
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	case !json.Valid(t.Input):
		return nil, runtime.Errorf(runtime.KindValidation, "the input schema of tool %q is not JSON", t.Name)
	}
	schema, problems := provider.Lower(t.Input, provider.Gemini)
	for _, p := range problems {
		if p.Severity == provider.Error {
			return nil, runtime.Errorf(runtime.KindConfiguration, "the input schema of tool %q cannot be sent: %s", t.Name, p)
		}
	}
	return schema, nil
}
