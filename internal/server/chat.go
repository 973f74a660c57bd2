package server

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// models lists the agents as the models that a client can ask.
func (s *Server) models(w http.ResponseWriter, _ *http.Request, _ Principal) *problem {
	agents, since, done := s.o.Catalog.use()
	defer done()
	list := make([]modelEntry, len(agents))
	for i, a := range agents {
		list[i] = a.entry(since)
	}
	writeJSON(w, map[string]any{"object": "list", "data": list})
	return nil
}

// model describes one agent.
func (s *Server) model(w http.ResponseWriter, r *http.Request, _ Principal) *problem {
	agents, since, done := s.o.Catalog.use()
	defer done()
	a := named(agents, r.PathValue("name"))
	if a == nil {
		return noAgent(r.PathValue("name"), agents)
	}
	writeJSON(w, a.entry(since))
	return nil
}

// A modelEntry is an agent in the list of models.
type modelEntry struct {
	ID          string `json:"id"`
	Object      string `json:"object"`
	Created     int64  `json:"created"`
	OwnedBy     string `json:"owned_by"`
	Description string `json:"description,omitempty"`
}

func (a *Agent) entry(since time.Time) modelEntry {
	return modelEntry{a.Name, "model", since.Unix(), "gramc", a.Description}
}

func noAgent(name string, agents []*Agent) *problem {
	p := invalid("model", fmt.Sprintf("no agent is named %q; there is %s", name, strings.Join(agentNames(agents), ", ")))
	p.status, p.Code = http.StatusNotFound, "model_not_found"
	return p
}

func writeJSON(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // a client that is gone needs no answer
}

// chat answers the last message of a conversation.
func (s *Server) chat(w http.ResponseWriter, r *http.Request, who Principal) *problem {
	a, p := s.beginChat(r, who)
	if p != nil {
		return p
	}
	if a.streamed {
		a.out = newEventStream(w, s.o.KeepAlive, func(why error) { a.run.stop(why) })
		defer a.out.close()
	}
	a.run.makeFor(r.Context())
	switch {
	case a.failure == nil && a.streamed:
		a.last()
	case a.failure == nil:
		w.Header().Set(runHeader, a.run.id)
		writeJSON(w, a.completion())
	case a.streamed && a.out.begun():
		a.out.data(a.failure.body())
		return nil
	}
	return a.failure
}

// beginChat begins the run that a request is for.
func (s *Server) beginChat(r *http.Request, who Principal) (*chatAnswer, *problem) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, bodyProblem(err)
	}
	q, p := readChat(text)
	if p != nil {
		return nil, p
	}
	agents, _, done := s.o.Catalog.use()
	agent := named(agents, q.model)
	if agent == nil {
		done()
		return nil, noAgent(q.model, agents)
	}
	if s.ending.Err() != nil {
		done()
		return nil, endingProblem()
	}
	a := &chatAnswer{id: "chatcmpl-" + rand.Text(), created: time.Now().Unix(), agent: agent, streamed: q.stream, usageWanted: q.usage}
	a.run, err = s.hub.begin(r.Context(), &newRun{
		agent: agent, release: done, user: who.Name, message: q.message, conversation: q.conversation, observe: a.observe,
	})
	if err != nil {
		return nil, s.stored(err)
	}
	return a, nil
}

// makeFor makes a run, which ends with its client.
func (m *making) makeFor(client context.Context) {
	defer context.AfterFunc(client, func() { m.stop(errClientGone) })()
	m.make()
}

// runHeader is the header of a response with the ID of its run.
const runHeader = "X-Gramc-Run"

// bodyProblem says why the body of a request cannot be read.
func bodyProblem(err error) *problem {
	var large *http.MaxBytesError
	var own *problem
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &large):
		return &problem{status: http.StatusRequestEntityTooLarge, Type: typeInvalid, Code: "too_large", Message: fmt.Sprintf("the request has more than %d bytes", large.Limit)}
	}
	return &problem{status: http.StatusRequestTimeout, Type: typeInvalid, Code: "incomplete", Message: "the body of the request did not arrive"}
}

// A chatAnswer is what an agent has said so far, to one request.
type chatAnswer struct {
	id      string
	created int64
	agent   *Agent
	run     *making

	streamed    bool
	out         *eventStream // nil for an answer in one piece
	usageWanted bool
	started     bool // the first piece was sent

	text   strings.Builder // of the responses that have ended, and of the one that is sent
	sent   int             // bytes of text that were sent
	open   int             // where the response that arrives begins in text
	again  bool            // the response was begun anew: its pieces are not sent, only its end
	finish string
	usage  runtime.Usage

	failure *problem
}

// observe takes what happens in the run.
func (a *chatAnswer) observe(e *interp.Event, err error) {
	switch {
	case a.failure != nil:
	case errors.Is(err, interp.ErrWaiting):
		a.failure = &problem{status: http.StatusConflict, Type: typeInvalid, Code: "approval_required",
			Message: "a call needs the approval of a person: the run waits for it, and can be followed on the page of this server"}
	case errors.Is(err, context.Canceled):
		a.failure = &problem{status: http.StatusServiceUnavailable, Type: typeServer, Code: "stopped", Message: "the run was stopped"}
	case errors.Is(err, durable.ErrNotBegun):
		a.failure = a.run.hub.server.stored(err)
	case err != nil:
		a.failure = problemOf(err, a.agent.Redact)
	default:
		a.failure = a.event(e)
	}
}

// event takes what a run has done.
func (a *chatAnswer) event(e *interp.Event) *problem {
	switch e.Kind {
	case interp.EventRequest:
		a.open, a.again = a.text.Len(), false
	case interp.EventDelta:
		a.piece(e.Delta)
	case interp.EventFallback:
		a.again = true
	case interp.EventResponse:
		a.usage = a.usage.Add(e.Response.Usage)
		return a.response(e.Response.Content)
	case interp.EventCompacted:
		a.usage = a.usage.Add(e.Compaction.Response.Usage)
	case interp.EventAnswer:
		a.finish = "stop"
		if e.Answer.Finish == "length" {
			a.finish = "length"
		}
		if a.agent.JSON {
			a.text.WriteString(e.Answer.Content)
			a.send()
		}
	}
	return nil
}

// separator stands between the texts of two responses of one run.
const separator = "\n\n"

// piece takes a piece of a response.
func (a *chatAnswer) piece(d *runtime.Delta) {
	switch {
	case d.Kind == runtime.DeltaRestart:
		a.again = true
	case d.Kind != runtime.DeltaText || d.Text == "" || a.again || a.agent.JSON || a.out == nil:
	default:
		a.separate()
		a.text.WriteString(d.Text)
		a.send()
	}
}

// separate ends the text of earlier responses, before the first text of the next.
func (a *chatAnswer) separate() {
	if a.text.Len() == a.open && a.open > 0 {
		a.text.WriteString(separator)
		a.open = a.text.Len()
	}
}

// response takes a whole response. Its pieces were sent before, except where it was begun
// anew; what was sent cannot be taken back.
func (a *chatAnswer) response(content string) *problem {
	if a.agent.JSON || content == "" && a.text.Len() == a.open {
		return nil
	}
	a.separate()
	sent := a.text.String()[a.open:]
	rest, ok := strings.CutPrefix(content, sent)
	if !ok {
		return &problem{status: http.StatusBadGateway, Type: typeServer, Code: "restarted",
			Message: "the response of the model broke off and began anew with other words, after a part of it had been sent; ask again"}
	}
	a.text.WriteString(rest)
	a.send()
	return nil
}

// The pieces and the whole of an answer, as the API writes them.
type (
	chatChunk struct {
		ID      string        `json:"id"`
		Object  string        `json:"object"`
		Created int64         `json:"created"`
		Model   string        `json:"model"`
		Choices []chunkChoice `json:"choices"`
		Usage   *chatUsage    `json:"usage,omitempty"`
	}
	chunkChoice struct {
		Index  int        `json:"index"`
		Delta  chunkDelta `json:"delta"`
		Finish *string    `json:"finish_reason"`
	}
	chunkDelta struct {
		Role    string `json:"role,omitempty"`
		Content string `json:"content,omitempty"`
	}
	chatCompletion struct {
		ID      string       `json:"id"`
		Object  string       `json:"object"`
		Created int64        `json:"created"`
		Model   string       `json:"model"`
		Choices []chatChoice `json:"choices"`
		Usage   chatUsage    `json:"usage"`
	}
	chatChoice struct {
		Index   int          `json:"index"`
		Message chatResponse `json:"message"`
		Finish  string       `json:"finish_reason"`
	}
	chatResponse struct {
		Role    string  `json:"role"`
		Content string  `json:"content"`
		Refusal *string `json:"refusal"`
	}
	chatUsage struct {
		Prompt     int64 `json:"prompt_tokens"`
		Completion int64 `json:"completion_tokens"`
		Total      int64 `json:"total_tokens"`
		Details    struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	}
)

func usageOf(u runtime.Usage) chatUsage {
	c := chatUsage{Prompt: u.Input, Completion: u.Output, Total: u.Total}
	c.Details.Cached = u.CacheRead
	return c
}

// chunk sends a piece.
func (a *chatAnswer) chunk(delta chunkDelta, finish *string) {
	if !a.started {
		a.started = true
		delta.Role = "assistant"
	}
	a.write(chatChunk{Choices: []chunkChoice{{Delta: delta, Finish: finish}}})
}

func (a *chatAnswer) write(c chatChunk) {
	c.ID, c.Object, c.Created, c.Model = a.id, "chat.completion.chunk", a.created, a.agent.Name
	text, err := json.Marshal(c)
	if err != nil {
		panic("server: a piece has no JSON form: " + err.Error())
	}
	a.out.data(text)
}

// send sends the text that was not sent yet.
func (a *chatAnswer) send() {
	if a.out == nil || a.text.Len() == a.sent {
		return
	}
	a.chunk(chunkDelta{Content: a.text.String()[a.sent:]}, nil)
	a.sent = a.text.Len()
}

// last ends the stream.
func (a *chatAnswer) last() {
	a.chunk(chunkDelta{}, &a.finish)
	if a.usageWanted {
		u := usageOf(a.usage)
		a.write(chatChunk{Choices: []chunkChoice{}, Usage: &u})
	}
	a.out.data([]byte("[DONE]"))
}

// completion returns the whole answer.
func (a *chatAnswer) completion() chatCompletion {
	return chatCompletion{
		a.id, "chat.completion", a.created, a.agent.Name,
		[]chatChoice{{Message: chatResponse{Role: "assistant", Content: a.text.String()}, Finish: a.finish}},
		usageOf(a.usage),
	}
}
