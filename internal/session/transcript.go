package session

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/page"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/runtime"
)

// A Transcript is a conversation as it is shown and exported.
type Transcript struct {
	Name         string // of the session; "" for one that is not kept
	Agent, Model string
	File         string // of the agent; may be ""
	Turns        []*Turn
}

// transcript returns the conversation so far.
func (s *Session) transcript() *Transcript {
	return &Transcript{Agent: s.agent.Name, Model: s.agent.Model.String(), Turns: s.turns}
}

// Markdown returns the conversation as text for people.
func (s *Session) Markdown() string { return s.transcript().Markdown() }

// JSON returns the messages of the conversation, with which another run can
// begin.
func (s *Session) JSON() ([]byte, error) {
	conversation := s.Conversation()
	if conversation == nil {
		return []byte("[]\n"), nil
	}
	text, err := plainjson.Marshal(conversation)
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}

// Markdown returns the conversation as text for people.
func (c *Transcript) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Conversation with %s (%s)\n", c.Agent, c.Model)
	for _, t := range c.Turns {
		fmt.Fprintf(&b, "\n## %s\n\n", t.Start.Format("2006-01-02 15:04:05"))
		for line := range strings.Lines(t.sent.Content) {
			b.WriteString("> " + strings.TrimRight(line, "\n") + "\n")
		}
		for i := range t.sent.Attachments {
			b.WriteString("\n- with " + codeSpan(t.sent.Attachments[i].Name) + "\n")
		}
		for _, step := range t.Steps {
			if step.Call != nil {
				b.WriteString("\n- called " + codeSpan(step.Call.Name+"("+string(step.args())+")") + ": " + step.outcome(codeSpan) + "\n")
			}
		}
		if t.Answer != "" {
			b.WriteString("\n" + strings.TrimRight(t.Answer, "\n") + "\n")
		}
		if t.Err != nil {
			fmt.Fprintf(&b, "\n*No answer: %s*\n", t.Err)
		}
	}
	return b.String()
}

// args returns the arguments of a call.
func (s *Step) args() []byte {
	if s.Invocation != nil {
		return s.Invocation.Args
	}
	return s.Call.Args
}

// outcome returns what became of a call, its result as quote shows it.
func (s *Step) outcome(quote func(string) string) string {
	switch i := s.Invocation; {
	case i == nil:
		return "not finished"
	case i.Err != nil:
		return "failed: " + i.Err.Message
	default:
		return quote(string(i.Result))
	}
}

// codeSpan returns text as code in Markdown, whatever quotes are in it.
func codeSpan(text string) string {
	quotes := "`"
	for strings.Contains(text, quotes) {
		quotes += "`"
	}
	if len(quotes) > 1 {
		return quotes + " " + text + " " + quotes
	}
	return quotes + text + quotes
}

const pageStyle = `section{margin-top:1.5rem;border-top:1px solid var(--line)}details{margin:.4rem 0}summary{cursor:pointer;overflow-wrap:anywhere}
.said{border-left:3px solid var(--a)}.answer{border-left:3px solid var(--b)}`

// HTML returns the conversation as a page that needs nothing else, and runs no script.
func (c *Transcript) HTML() string {
	w := &page.Writer{}
	title := "Conversation with " + c.Agent
	about := []string{c.Model, visible.Counted(len(c.Turns), "turn")}
	if c.Name != "" {
		about = append([]string{c.Name}, about...)
	}
	w.Markup("<h1>%s</h1>\n<p class=soft>%s</p>\n", title, strings.Join(about, " · "))
	for _, t := range c.Turns {
		t.writeHTML(w)
	}
	return w.Page(title, pageStyle)
}

func (t *Turn) writeHTML(w *page.Writer) {
	w.Markup("<section>\n<p class=soft>%s</p>\n<pre class=said>%s</pre>\n", t.Start.UTC().Format("2006-01-02 15:04:05 UTC"), t.sent.Content)
	for i := range t.sent.Attachments {
		w.Markup("<p class=soft>with %s</p>\n", t.sent.Attachments[i].Name)
	}
	for i := range t.Steps {
		s := &t.Steps[i]
		if s.Call == nil {
			continue
		}
		class := ""
		if s.Invocation == nil || s.Invocation.Err != nil {
			class = "bad"
		}
		w.Markup("<details><summary>%s <span class=soft>%s</span></summary><pre>%s</pre><pre class=\"%s\">%s</pre></details>\n",
			s.Call.Name, visible.Duration(s.Time), string(s.args()), class, s.outcome(func(text string) string { return text }))
	}
	if t.Answer != "" {
		w.Markup("<pre class=answer>%s</pre>\n", t.Answer)
	}
	if t.Err != nil {
		w.Markup("<pre class=bad>%s</pre>\n", t.Err.Error())
	}
	w.Markup("</section>\n")
}

// MarshalJSON writes the conversation for programs: its turns, and the messages with
// which another run can begin.
func (c *Transcript) MarshalJSON() ([]byte, error) {
	j := struct {
		Session  string               `json:"session,omitempty"`
		Agent    string               `json:"agent"`
		Model    string               `json:"model"`
		File     string               `json:"file,omitempty"`
		Turns    []jsonTurn           `json:"turns"`
		Messages runtime.Conversation `json:"messages"`
	}{c.Name, c.Agent, c.Model, c.File, []jsonTurn{}, runtime.Conversation{}}
	for _, t := range c.Turns {
		j.Turns = append(j.Turns, t.json())
	}
	if n := len(c.Turns); n > 0 && len(c.Turns[n-1].after) > 0 {
		j.Messages = c.Turns[n-1].after
	}
	return plainjson.Marshal(j)
}

type jsonTurn struct {
	Start    time.Time      `json:"start"`
	Millis   int64          `json:"ms,omitempty"` // 0 while it runs
	Message  string         `json:"message"`
	Attached []string       `json:"attached,omitempty"`
	Calls    []jsonCall     `json:"calls,omitempty"`
	Answer   string         `json:"answer,omitempty"`
	Error    string         `json:"error,omitempty"`
	Requests int            `json:"requests"`
	Usage    *runtime.Usage `json:"usage,omitempty"` // nil where the provider does not report it
	Cost     float64        `json:"cost_usd,omitempty"`
}

type jsonCall struct {
	Tool   string          `json:"tool"`
	Args   json.RawMessage `json:"args"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
	Millis int64           `json:"ms"`
}

func (t *Turn) json() jsonTurn {
	j := jsonTurn{Start: t.Start, Millis: t.Time.Milliseconds(), Message: t.sent.Content, Answer: t.Answer, Requests: t.Cost.Requests}
	for i := range t.sent.Attachments {
		j.Attached = append(j.Attached, t.sent.Attachments[i].Name)
	}
	if t.Err != nil {
		j.Error = t.Err.Error()
	}
	if t.Cost.Usage != (runtime.Usage{}) {
		j.Usage = &t.Cost.Usage
	}
	if t.Cost.Unpriced == 0 {
		j.Cost = float64(t.Cost.Price) / float64(models.Dollar)
	}
	for i := range t.Steps {
		s := &t.Steps[i]
		if s.Call == nil {
			continue
		}
		call := jsonCall{Tool: s.Call.Name, Args: validJSON(s.args()), Millis: s.Time.Milliseconds()}
		switch {
		case s.Invocation == nil:
			call.Error = "not finished"
		case s.Invocation.Err != nil:
			call.Error = s.Invocation.Err.Message
		default:
			call.Result = s.Invocation.Result
		}
		j.Calls = append(j.Calls, call)
	}
	return j
}

// validJSON returns JSON as it is, and other text as a string.
func validJSON(text []byte) json.RawMessage {
	if json.Valid(text) {
		return text
	}
	quoted, err := json.Marshal(string(text))
	if err != nil {
		panic("session: a string has no JSON form: " + err.Error())
	}
	return quoted
}
