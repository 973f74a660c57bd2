package main

import (
	"encoding/json"
	"os"
	"time"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A trace writes the events of a run to a file, each as a line of JSON and at
// once, so that it is complete when a run hangs or is killed. A nil trace writes
// nothing.
type trace struct{ file *os.File }

// A traceLine is one event. It repeats nothing of earlier ones: the conversation
// that a request sends is in the lines above it.
type traceLine struct {
	Event string    `json:"event"`
	Time  time.Time `json:"time"`
	Turn  int       `json:"turn,omitempty"`

	Agent       string   `json:"agent,omitempty"` // of a message, with the next three
	Model       string   `json:"model,omitempty"` // also of a fallback
	Instruction string   `json:"instruction,omitempty"`
	Tools       []string `json:"tools,omitempty"`

	Attached []string `json:"attached,omitempty"` // the names of the files

	Content string        `json:"content,omitempty"` // of a message, a response or an answer
	Refusal string        `json:"refusal,omitempty"`
	Finish  string        `json:"finish,omitempty"`
	Usage   runtime.Usage `json:"usage,omitzero"` // of a response

	Messages int `json:"messages,omitempty"` // how many messages the content is the summary of

	ID         string              `json:"id,omitempty"` // of a call
	Tool       string              `json:"tool_name,omitempty"`
	Args       json.RawMessage     `json:"args,omitempty"`
	Invocation *runtime.Invocation `json:"invocation,omitempty"`

	Error *failure `json:"error,omitempty"`
}

// openTrace creates the file of a trace, for what asks for it, such as "--trace".
func (c *cli) openTrace(by, name string) (*trace, error) {
	if name == "" {
		return nil, nil
	}
	file, err := c.createPrivate(by, name)
	if err != nil {
		return nil, err
	}
	return &trace{file}, nil
}

func (t *trace) write(line *traceLine) error {
	if t == nil {
		return nil
	}
	line.Time = time.Now().UTC()
	if err := encodeOutput(t.file, line, ""); err != nil {
		return unusableInput("--trace "+t.file.Name(), err)
	}
	return nil
}

// message begins the trace of one run.
func (t *trace) message(a *interp.Agent, m *runtime.Message) error {
	line := &traceLine{Event: "message", Agent: a.Name, Model: a.Model.String(), Instruction: a.Instruction, Content: m.Content}
	for i := range a.Tools {
		line.Tools = append(line.Tools, a.Tools[i].Name)
	}
	for i := range m.Attachments {
		line.Attached = append(line.Attached, m.Attachments[i].Name)
	}
	return t.write(line)
}

func (t *trace) event(e *interp.Event) error {
	if e.Kind == interp.EventDelta {
		return nil // the response that follows has it
	}
	line := &traceLine{Event: string(e.Kind), Turn: e.Turn}
	switch e.Kind {
	case interp.EventResponse:
		line.Content, line.Refusal, line.Finish, line.Usage = e.Response.Content, e.Response.Refusal, e.Response.Finish, e.Response.Usage
	case interp.EventFallback:
		line.Model = e.Fallback.To.String()
		line.Error = failureOf(e.Fallback.Err)
	case interp.EventCompacted:
		line.Messages, line.Content, line.Usage = e.Compaction.Messages, e.Compaction.Response.Content, e.Compaction.Response.Usage
	case interp.EventToolStarted:
		line.ID, line.Tool, line.Args = e.Call.ID, e.Call.Name, e.Call.Args
	case interp.EventToolFinished:
		line.ID, line.Invocation = e.Call.ID, e.Invocation
	case interp.EventAnswer:
		line.Content = e.Answer.Content
	}
	return t.write(line)
}

// stopped ends the trace of a run that failed.
func (t *trace) stopped(f *failure) error {
	return t.write(&traceLine{Event: string(interp.EventStopped), Error: f})
}

// close ends a trace, of which each line is written already.
func (t *trace) close() {
	if t != nil {
		t.file.Close()
	}
}
