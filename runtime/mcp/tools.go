package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/spell"
	"github.com/gram-lang/gramc/runtime"
)

// Limits of the tools of a server.
const (
	MaxTools  = 64       // tools taken of one server
	MaxSchema = 64 << 10 // bytes of a schema
	maxPages  = 32       // pages of the list of tools
	maxName   = 64       // bytes of the name of a tool; providers take no more
	maxDepth  = 64       // brackets open at once in a schema
)

// A toolOffer is a tool as its server describes it.
type toolOffer struct {
	Name         string
	Title        string
	Description  string
	InputSchema  json.RawMessage
	OutputSchema json.RawMessage
	Annotations  Annotations
	Execution    struct{ TaskSupport string }

	json *jsonschema.Node // all of it: it may have members that are not known here
}

// UnmarshalJSON reads the known members and keeps the JSON.
func (o *toolOffer) UnmarshalJSON(text []byte) (err error) {
	if o.json, err = jsonschema.Read(text, &jsonschema.ReadOptions{Accept: jsonschema.AcceptAll}); err != nil {
		return err
	}
	type known toolOffer
	return json.Unmarshal(text, (*known)(o))
}

// renamed returns the offer as the server sent it, but with the name,
// description and input schema that the tool has here.
func (o *toolOffer) renamed(name, description string) (*jsonschema.Node, error) {
	input, err := jsonschema.Read(o.input(), &jsonschema.ReadOptions{Accept: jsonschema.AcceptAll})
	if err != nil {
		return nil, fmt.Errorf("the input schema of %s: %w", o.Name, err)
	}
	out := o.json.Edit()
	out.Set("name", jsonschema.String(name))
	out.Set("description", jsonschema.String(description))
	out.Set("inputSchema", input)
	return out.Node(o.json), nil
}

func (o *toolOffer) input() json.RawMessage {
	if toolIsNull(o.InputSchema) {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return o.InputSchema
}

// Annotations are claims of a server about the effects of a tool, which need not
// be true. Nil means no claim.
type Annotations struct {
	Title       string `json:"title,omitempty"`
	ReadOnly    *bool  `json:"readOnlyHint,omitempty"`    // it changes nothing
	Destructive *bool  `json:"destructiveHint,omitempty"` // it may change what cannot be changed back
	Idempotent  *bool  `json:"idempotentHint,omitempty"`  // a second equal call changes nothing more
	OpenWorld   *bool  `json:"openWorldHint,omitempty"`   // it reaches what the server does not own
}

// repeat returns whether a call may be made again; "" when nothing is claimed.
func (a *Annotations) repeat() runtime.Repeat {
	if a.Idempotent != nil && *a.Idempotent || a.ReadOnly != nil && *a.ReadOnly {
		return runtime.RepeatSafe
	}
	return ""
}

// A Tool is a tool of a server, ready to be put into a library.
type Tool struct {
	runtime.Tool
	Remote      string // its name at the server
	Annotations Annotations

	offer toolOffer
}

// A Refusal is a tool of a server that is not taken, with the reason.
type Refusal struct {
	Tool   string // the name that it would have
	Reason string
}

// Tools returns the tools of the server, in its order, and those that cannot be
// taken. It is an error if the server does not offer a tool that Allow names, or
// offers more than MaxTools.
func (s *Session) Tools() ([]Tool, []Refusal, error) {
	offered, err := s.allowedTools()
	if err != nil {
		return nil, nil, err
	}
	if len(offered) > MaxTools {
		return nil, nil, fmt.Errorf("MCP server %q: it offers %d tools, more than %d; list the ones that are needed in allow",
			s.server.Name, len(offered), MaxTools)
	}
	tools, refused := s.takeTools(offered)
	return tools, refused, nil
}

// takeTools makes tools of what the server offers.
func (s *Session) takeTools(offered []toolOffer) (tools []Tool, refused []Refusal) {
	taken := map[string]bool{}
	for _, d := range offered {
		name := s.localToolName(d.Name)
		t, err := s.tool(name, d)
		if taken[name] {
			err = errors.New("the server has two tools of this name; the first is taken")
		}
		if err != nil {
			refused = append(refused, Refusal{Tool: name, Reason: err.Error()})
			continue
		}
		taken[name] = true
		tools = append(tools, t)
	}
	return tools, refused
}

// ListTools returns the tools that Allow permits, however many, as the server describes
// them but under the names that they have here: {"tools": [...]}. With them come those
// that cannot be taken.
func (s *Session) ListTools() (json.RawMessage, []Refusal, error) {
	offered, err := s.allowedTools()
	if err != nil {
		return nil, nil, err
	}
	tools, refused := s.takeTools(offered)
	nodes := make([]*jsonschema.Node, len(tools))
	for i, t := range tools {
		if nodes[i], err = t.offer.renamed(t.Name(), t.Description()); err != nil {
			return nil, nil, err
		}
	}
	list := jsonschema.Object(jsonschema.Member{Key: "tools", Value: jsonschema.Array(nodes...)})
	return json.RawMessage(list.Compact()), refused, nil
}

// allowedTools returns the definitions that Allow names, or all.
func (s *Session) allowedTools() ([]toolOffer, error) {
	allow := s.server.Allow
	if allow == nil {
		return s.offered, nil
	}
	names := make([]string, len(s.offered))
	var allowed []toolOffer
	for i, d := range s.offered {
		names[i] = d.Name
		if slices.Contains(allow, d.Name) {
			allowed = append(allowed, d)
		}
	}
	for _, name := range allow {
		if slices.Contains(names, name) {
			continue
		}
		if near := spell.Nearest(name, names); near != "" {
			return nil, fmt.Errorf("MCP server %q: allow names %q, and the server has no such tool; did you mean %q?",
				s.server.Name, name, near)
		}
		return nil, fmt.Errorf("MCP server %q: allow names %q, and the server has no such tool; it has %s",
			s.server.Name, name, shortToolList(names))
	}
	return allowed, nil
}

func shortToolList(names []string) string {
	const most = 20
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > most:
		return fmt.Sprintf("%q and %d more", names[:most], len(names)-most)
	}
	return fmt.Sprintf("%q", names)
}

// localToolName returns the name of a tool here: characters that providers do not
// accept are replaced.
func (s *Session) localToolName(remote string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, s.server.Prefix+remote)
	return name[:min(len(name), maxName)]
}

// toolDescription returns the description of a tool; a model needs one.
func (s *Session) toolDescription(d toolOffer) string {
	return cmp.Or(d.Description, d.Title, d.Annotations.Title,
		fmt.Sprintf("The tool %s of the MCP server %s", d.Name, s.server.Name))
}

func toolIsNull(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }

// tool makes a tool from a definition. Its error is why that is not possible.
func (s *Session) tool(name string, d toolOffer) (Tool, error) {
	if d.Name == "" {
		return Tool{}, errors.New("it has no name")
	}
	if d.Execution.TaskSupport == "required" {
		return Tool{}, errors.New("it runs as a task alone, and tasks are not supported")
	}
	output := d.OutputSchema
	if toolIsNull(output) {
		output = nil
	}
	description := s.toolDescription(d)
	input := d.input()
	if err := errors.Join(checkText("its description", description), checkSchema("its input schema", input),
		checkSchema("its output schema", output)); err != nil {
		return Tool{}, err
	}
	own := runtime.Contract{Output: output, Repeat: d.Annotations.repeat()}
	handler := func(c runtime.Contract) runtime.Handler {
		return func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			return s.call(ctx, &d, args, c)
		}
	}
	t, err := runtime.NewTool(runtime.ToolConfig{
		Name: name, Description: description, Input: input, Output: output,
		Execute: handler(own), Repeat: own.Repeat,
		For: func(c runtime.Contract) runtime.Handler {
			if !c.WantsMoreThanText() {
				c.Output = own.Output
			}
			return handler(c)
		},
	})
	var refused *runtime.BindError
	if errors.As(err, &refused) {
		return Tool{}, errors.New(refused.Detail)
	}
	return Tool{t, d.Name, d.Annotations, d}, err
}
