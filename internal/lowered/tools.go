// Package lowered makes the tools of a run, and its answer, what a provider takes, and
// reads the responses with them: what the models of all protocols have in common.
package lowered

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync/atomic"

	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

// Tools are tools as a provider takes them, and a copy of what they were made of. They are
// never changed.
type Tools[E any] struct {
	List    []provider.Tool
	Encoded E // the list as requests have it
	from    []runtime.Contract
}

// Names returns the names for the provider.
func (t *Tools[E]) Names() []string {
	names := make([]string, len(t.List))
	for i := range t.List {
		names[i] = t.List[i].Name
	}
	return names
}

// Own returns the name that the agent has for a tool, given that for the provider.
func (t *Tools[E]) Own(name string) string {
	if c := t.Contract(name); c != nil {
		return c.Name
	}
	return name
}

// Strict returns the schemas of the strict tools, as the agent has them.
func (t *Tools[E]) Strict() (schemas []json.RawMessage) {
	for i := range t.List {
		if t.List[i].Strict {
			schemas = append(schemas, t.from[i].Input)
		}
	}
	return schemas
}

// Contract returns the tool that the provider knows by a name, nil if there is none.
func (t *Tools[E]) Contract(name string) *runtime.Contract {
	for i := range t.List {
		if t.List[i].Name == name {
			return &t.from[i]
		}
	}
	return nil
}

// A Toolbox lowers the tools of requests. All requests of a run have the same ones: it
// keeps those of the last request. It can be shared.
type Toolbox[E any] struct {
	target, strict provider.Target
	encode         func([]provider.Tool) (E, error)
	last           atomic.Pointer[Tools[E]]
}

// NewToolbox returns a Toolbox for a target. Tools that are to be strict are lowered for
// the target strict; "" means that the provider has no strict tools.
func NewToolbox[E any](target, strict provider.Target, encode func([]provider.Tool) (E, error)) *Toolbox[E] {
	return &Toolbox[E]{target: target, strict: strict, encode: encode}
}

// Lower returns tools as the provider takes them. The error is a [*runtime.Error].
func (b *Toolbox[E]) Lower(tools []runtime.Contract) (*Tools[E], error) {
	if last := b.last.Load(); last != nil && slices.EqualFunc(last.from, tools, sameContract) {
		return last, nil
	}
	t := &Tools[E]{}
	for i := range tools {
		c := &tools[i]
		t.from = append(t.from, runtime.Contract{Name: c.Name, Description: c.Description, Strict: c.Strict, Input: bytes.Clone(c.Input)})
	}
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = tools[i].Name
	}
	names, collisions := provider.Names(names, b.target)
	if len(collisions) > 0 {
		return nil, runtime.Errorf(runtime.KindConfiguration, "%w", collisions[0])
	}
	for i := range t.from {
		c := &t.from[i]
		strict := b.IsStrict(c)
		schema, err := b.inputSchema(c, strict)
		if err != nil {
			return nil, err
		}
		t.List = append(t.List, provider.Tool{Name: names[i], Description: c.Description, Input: schema, Strict: strict})
	}
	if problems := provider.CheckStrictTogether(t.Strict(), nil, b.strict); len(problems) > 0 {
		return nil, runtime.Errorf(runtime.KindConfiguration, "the tools cannot be sent: %s", problems[0])
	}
	var err error
	if t.Encoded, err = b.encode(t.List); err != nil {
		return nil, runtime.Errorf(runtime.KindConfiguration, "the tools cannot be sent: %w", err)
	}
	b.last.Store(t)
	return t, nil
}

func sameContract(a, b runtime.Contract) bool {
	return a.Name == b.Name && a.Description == b.Description && a.Strict == b.Strict && bytes.Equal(a.Input, b.Input)
}

// IsStrict reports whether the provider is asked to hold the model to the schema of a tool.
func (b *Toolbox[E]) IsStrict(c *runtime.Contract) bool {
	return c.Strict && b.strict != "" && len(c.Input) > 0
}

// OpenInput is the schema of arguments that can be anything.
var OpenInput = json.RawMessage(`{"type":"object","properties":{}}`)

// inputSchema returns the schema of the arguments as the provider takes it.
func (b *Toolbox[E]) inputSchema(c *runtime.Contract, strict bool) (json.RawMessage, error) {
	switch {
	case len(c.Input) == 0:
		return OpenInput, nil
	case !json.Valid(c.Input):
		return nil, runtime.Errorf(runtime.KindValidation, "the input schema of tool %q is not JSON", c.Name)
	}
	target := b.target
	if strict {
		target = b.strict
	}
	schema, problems := provider.Lower(c.Input, target)
	for _, p := range problems {
		if p.Severity == provider.Error {
			return nil, runtime.Errorf(runtime.KindConfiguration, "the input schema of tool %q cannot be sent: %s", c.Name, p)
		}
	}
	return schema, nil
}
