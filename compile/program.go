package compile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// Version is the version of the Programs that this package makes and reads.
const Version = 1

// A Program is what a gram file means: its agents and its libraries, in the
// order of the text. It is immutable and may be shared. Its JSON form is the IR
// file, see ReadProgram.
type Program struct {
	Version int              `json:"version"`
	Types   []*types.TypeDef `json:"types,omitempty"` // those that the agents use
	Agents  []*Agent         `json:"agents"`

	Libraries []*library.Library `json:"libraries,omitempty"`
}

// JSON returns the IR file of the program: indented as Indent does, always the
// same bytes for the same program.
func (p *Program) JSON() []byte {
	text, err := plainjson.Marshal(p)
	if err != nil {
		panic("compile: " + err.Error())
	}
	return Indent(text)
}

// Indent returns JSON with each value on a line of its own, indented by two
// spaces; or as it is, where nesting would make that more than ten times as
// long. It ends with a line end.
func Indent(text []byte) []byte {
	const most = 10
	if n := indentedSize(text); n > most*len(text) {
		return append(bytes.Clone(text), '\n')
	}
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		panic("compile: " + err.Error())
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// indentedSize returns about how long compact JSON is when it is indented.
func indentedSize(text []byte) int {
	size, depth, quoted := len(text), 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			depth++
			size += 2 * depth
		case c == '}', c == ']':
			depth--
			size += 2 * depth
		case c == ',':
			size += 2 * depth
		}
	}
	return size
}

// An Agent is a model with an instruction and tools.
type Agent struct {
	Name        string  `json:"name"`
	Description *string `json:"description,omitempty"` // nil when there is none
	Model       Model   `json:"model"`
	Fallbacks   []Model `json:"fallbacks,omitempty"` // asked in this order when the model is busy or cannot be reached
	Instruction string  `json:"instruction"`
	Settings
	Tools []*Tool      `json:"tools"` // agents of one file share their tools
	Place source.Place `json:"span,omitzero"`
}

// Settings are what an agent says of its requests. The zero Settings leave all
// to the model and the run.
type Settings struct {
	Temperature   json.Number `json:"temperature,omitempty"`   // "" when it is not said
	MaxTokens     int64       `json:"maxTokens,omitempty"`     // of one answer
	MaxIterations int64       `json:"maxIterations,omitempty"` // requests for one message
	Returns       *Returns    `json:"returns,omitempty"`       // nil when answers are text

	MaxRequests    int64       `json:"maxRequests,omitempty"`    // for one message, with those that are repeated
	MaxTotalTokens int64       `json:"maxTotalTokens,omitempty"` // for one message
	MaxCost        json.Number `json:"maxCost,omitempty"`        // US dollars for one message; "" when it is not said
	TimeoutMS      int64       `json:"timeoutMs,omitempty"`      // of one message, in milliseconds
	OnOverflow     string      `json:"onOverflow,omitempty"`     // "compact", or "" for fail
}

// A Returns is the type of what an agent answers, when that is not text.
type Returns struct {
	Text string // as written: WeatherReport, [Text]
	Type *types.Type
}

// Schema returns the JSON Schema of the answers.
func (r *Returns) Schema() json.RawMessage { return r.Type.Schema("") }

// MarshalJSON writes the type and its schema.
func (r *Returns) MarshalJSON() ([]byte, error) {
	return plainjson.Marshal(struct {
		Type   string          `json:"type"`
		Schema json.RawMessage `json:"schema"`
	}{r.Text, r.Schema()})
}

// Models returns the model and its fallbacks.
func (a *Agent) Models() []Model { return slices.Concat([]Model{a.Model}, a.Fallbacks) }

// WithTool returns a copy of the agent that has one tool more. A tool without
// a valid name or with the name of another tool of the agent is an error.
func (a *Agent) WithTool(t *Tool) (*Agent, error) {
	if problem := types.ToolNameProblem(t.Name); problem != "" {
		return nil, fmt.Errorf("agent %s: %s", report.Quote(a.Name), problem)
	}
	if slices.ContainsFunc(a.Tools, func(have *Tool) bool { return have.Name == t.Name }) {
		return nil, fmt.Errorf("agent %s has a tool %s already", report.Quote(a.Name), report.Quote(t.Name))
	}
	copied := *a
	copied.Tools = append(slices.Clone(a.Tools), t)
	return &copied, nil
}

// A Tool is a ToolSpec that an agent has.
type Tool struct {
	ToolSpec
	TimeoutMS int64  // how long a call may take, in milliseconds; 0 means the limit of the run
	NoRetry   bool   // after a failure the model may not call it again
	Repeat    string // "safe", "keyed" or "once": whether a call may be made again; "" when nothing is said
	Strict    bool   // the provider is asked to keep strictly to the schema
	Place     source.Place

	span, named, described source.Span     // the tool, its name and its description
	used                   bool            // an agent has it
	takenBy                provider.Target // a target that takes it for sure; "" = none is known
}

// MarshalJSON writes the tool with the schemas of its arguments and its
// result.
func (t Tool) MarshalJSON() ([]byte, error) {
	return plainjson.Marshal(struct {
		toolText
		Schema       json.RawMessage `json:"schema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
		TimeoutMS    int64           `json:"timeoutMs,omitempty"`
		NoRetry      bool            `json:"noRetry,omitempty"`
		Repeat       string          `json:"repeat,omitempty"`
		Strict       bool            `json:"strict,omitempty"`
		Place        source.Place    `json:"span,omitzero"`
	}{toolText{t.Name, t.Description, t.TypeSignature}, t.Schema(), t.OutputSchema(), t.TimeoutMS, t.NoRetry, t.Repeat, t.Strict, t.Place})
}

// limitProgram reports when a small file makes a huge program, by many agents that
// refer to the same large tools.
func (c *compiler) limitProgram(agents []*Agent, libraries []*library.Library) {
	size := 0
	for i, l := range libraries {
		for _, e := range l.Entries {
			size += len(e.Schema()) + len(e.OutputSchema())
		}
		if size > types.MaxProgram {
			c.Diags.Errorf(report.NameSpan(c.names.libraries[i]), diag.CodeTooLarge,
				"with the entries of this library the program is larger than %d MiB", types.MaxProgram>>20)
			return
		}
	}
	for i, a := range agents {
		for _, t := range a.Tools {
			if t.Signature == nil {
				continue
			}
			size += len(t.Schema()) + len(t.OutputSchema()) + len(t.TypeSignature) + len(t.Description)
		}
		if size > types.MaxProgram {
			c.Diags.Errorf(report.NameSpan(c.names.agents[i].Pattern), diag.CodeTooLarge,
				"with the tools of this agent the program is larger than %d MiB", types.MaxProgram>>20)
			return
		}
	}
}

// setPlaces notes where agents, tools, libraries and entries are defined. Columns are
// counted on from one place to the next: counting each from the start of its
// line takes quadratic time in a file of one line.
func (c *compiler) setPlaces(agents []*Agent, libraries []*library.Library) {
	type item struct {
		place *source.Place
		span  source.Span
	}
	items := make([]item, 0, len(agents)+len(c.tools))
	for i, a := range agents {
		items = append(items, item{&a.Place, c.names.agents[i].Span()})
	}
	for _, t := range c.tools {
		items = append(items, item{&t.Place, t.span})
	}
	for _, l := range libraries {
		items = append(items, item{&l.Place, l.Pattern.Span()})
		for _, e := range l.Entries {
			items = append(items, item{&e.Place, e.Pattern.Span()})
		}
	}
	items = slices.DeleteFunc(items, func(it item) bool { return it.span.IsZero() })
	slices.SortStableFunc(items, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.span.File.Name(), b.span.File.Name()), a.span.Start-b.span.Start)
	})
	at := &source.Cursor{}
	for _, it := range items {
		if it.span.File != at.File {
			at = &source.Cursor{File: it.span.File}
		}
		*it.place = at.Move(it.span)
	}
}

// UnmarshalJSON is ReadProgram for programs inside of other JSON.
func (p *Program) UnmarshalJSON(data []byte) error {
	read, err := ReadProgram("program", data, nil)
	if err != nil {
		return err
	}
	*p = *read
	return nil
}

// copyPlaces takes the places from the program in the IR file.
func (p *Program) copyPlaces(in *Program) {
	for i, a := range p.Agents {
		a.Place = in.Agents[i].Place
		for j, t := range a.Tools {
			t.Place = in.Agents[i].Tools[j].Place
		}
	}
	for i, l := range p.Libraries {
		l.Place = in.Libraries[i].Place
		for j, e := range l.Entries {
			e.Place = source.Place{}
			if j < len(in.Libraries[i].Entries) {
				e.Place = in.Libraries[i].Entries[j].Place
			}
		}
	}
}
