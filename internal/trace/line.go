package trace

import (
	"encoding/json"
	"time"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// The events of lines that no [interp.EventKind] stands for.
const (
	eventMessage  = "message"  // begins a run
	eventApproval = "approval" // the user was asked about the call that was started last
)

// The events of the other lines.
const (
	eventRequest   = string(interp.EventRequest)
	eventResponse  = string(interp.EventResponse)
	eventFallback  = string(interp.EventFallback)
	eventCompacted = string(interp.EventCompacted)
	eventStarted   = string(interp.EventToolStarted)
	eventFinished  = string(interp.EventToolFinished)
	eventAnswer    = string(interp.EventAnswer)
	eventStopped   = string(interp.EventStopped)
)

// A line is one event. It repeats nothing of earlier ones: the conversation that a
// request sends is in the lines above it.
type line struct {
	Event string    `json:"event"`
	Time  time.Time `json:"time"`
	Turn  int       `json:"turn,omitempty"`

	Agent       string   `json:"agent,omitempty"` // of a message, with the next three
	Model       string   `json:"model,omitempty"` // also of a fallback
	Instruction string   `json:"instruction,omitempty"`
	Tools       []string `json:"tools,omitempty"`

	Attached []string `json:"attached,omitempty"` // the names of the files

	Definitions []definition    `json:"definitions,omitempty"` // of a message whose agent is not that of the one before, with the next two
	Returns     json.RawMessage `json:"returns,omitempty"`     // JSON Schema of the answers; empty means text
	Files       []File          `json:"files,omitempty"`

	Context *contextSize `json:"context,omitempty"` // of a request

	Content string        `json:"content,omitempty"` // of a message, a response or an answer
	Refusal string        `json:"refusal,omitempty"`
	Finish  string        `json:"finish,omitempty"`
	Usage   runtime.Usage `json:"usage,omitzero"` // of a response or a summary, with the next three

	Cost       *float64 `json:"cost_usd,omitempty"` // nil if it is unknown
	FirstToken float64  `json:"first_token_ms,omitzero"`
	Attempts   int      `json:"attempts,omitempty"` // with the last one; 0 means 1
	Lost       int      `json:"lost,omitempty"`     // attempts that may have been charged, and are not in Usage

	Messages int `json:"messages,omitempty"` // how many messages the content is the summary of

	ID         string          `json:"id,omitempty"` // of a call
	Tool       string          `json:"tool_name,omitempty"`
	Args       json.RawMessage `json:"args,omitempty"`
	Millis     float64         `json:"ms,omitzero"` // that the tool took, or the user to decide
	Allowed    *bool           `json:"allowed,omitempty"`
	Invocation *invocation     `json:"invocation,omitempty"`

	Error *Failure `json:"error,omitempty"`
}

// A definition is what a model knows of a tool, and the schema of its results.
type definition struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Input       json.RawMessage `json:"input,omitempty"`
	Output      json.RawMessage `json:"output,omitempty"` // empty means anything
}

// A contextSize is how much a request sends.
type contextSize struct {
	Messages int `json:"messages"`
	Tools    int `json:"tools,omitempty"`
	Bytes    int `json:"bytes"`           // of the texts, the arguments and the tools
	Limit    int `json:"limit,omitempty"` // tokens that the model takes; 0 if that is unknown
}

// An invocation is a call as [runtime.Invocation] writes it.
type invocation struct {
	Tool   string          `json:"tool_name"`
	Args   json.RawMessage `json:"args"`
	Result outcome         `json:"result"`
}

type outcome struct {
	Success json.RawMessage `json:"success,omitempty"`
	Error   *string         `json:"error,omitempty"`
}

// A Failure is why a run ended without an answer, or a model did not respond.
type Failure struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}
