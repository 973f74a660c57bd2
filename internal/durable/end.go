package durable

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// An endJSON is how a run ended, with the conversation after it.
type endJSON struct {
	Kind     runtime.ErrorKind `json:"kind,omitempty"`    // of the error
	Error    *plainjson.Exact  `json:"error,omitempty"`   // nil for an answer
	Content  *plainjson.Exact  `json:"content,omitempty"` // of the answer, if it is not that of the last message
	Finish   string            `json:"finish,omitempty"`
	Usage    runtime.Usage     `json:"usage,omitzero"`
	Cut      bool              `json:"out_of_budget,omitempty"`
	Keep     int               `json:"keep,omitempty"` // how many messages of the conversation before stay as they are
	Messages []messageJSON     `json:"messages"`       // that follow them
}

// newEnd returns the end of a run that was given a conversation.
func newEnd(s *source, given runtime.Conversation, answer *interp.AgentResponse, failure error, redact func(string) string) *endJSON {
	end := &endJSON{Finish: answer.Finish, Usage: answer.Usage, Cut: answer.OutOfBudget}
	after := answer.Conversation
	for end.Keep < len(given) && end.Keep < len(after) && reflect.DeepEqual(given[end.Keep], after[end.Keep]) {
		end.Keep++
	}
	end.Messages = s.write(after[end.Keep:])
	var known *runtime.Error
	switch {
	case failure != nil:
		end.Error = plainjson.ExactOf([]byte(redact(failure.Error())))
		if errors.As(failure, &known) {
			end.Kind = known.Kind
		}
	case len(after) == 0 || after[len(after)-1].Content != answer.Content:
		end.Content = plainjson.ExactOf([]byte(answer.Content))
	}
	return end
}

func (e *endJSON) encode() ([]byte, error) { return plainjson.Marshal(e) }

// An End is how a run ended.
type End struct {
	Content     string // of the answer
	Error       error  // instead; a [*runtime.Error], if it was one
	Finish      string
	Usage       runtime.Usage
	OutOfBudget bool

	Keep     int                  // how many messages of the conversation before stay as they are
	Messages runtime.Conversation // that follow them, beginning with that of the user
}

// readEnd reads the end of a run.
func readEnd(data []byte, s *source) (*End, error) {
	var j endJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, fmt.Errorf("the end of the run cannot be read: %w", err)
	}
	messages, err := s.read(j.Messages)
	if err != nil {
		return nil, err
	}
	e := &End{Finish: j.Finish, Usage: j.Usage, OutOfBudget: j.Cut, Keep: j.Keep, Messages: messages}
	switch {
	case j.Error != nil && j.Kind != "":
		e.Error = &runtime.Error{Kind: j.Kind, Message: string(*j.Error)}
	case j.Error != nil:
		e.Error = errors.New(string(*j.Error))
	case j.Content != nil:
		e.Content = string(*j.Content)
	case len(messages) > 0:
		e.Content = messages[len(messages)-1].Content
	}
	return e, nil
}

// After returns the conversation after a run that was given another one.
func (e *End) After(given runtime.Conversation) (runtime.Conversation, error) {
	if e.Keep > len(given) {
		return nil, fmt.Errorf("the run continues a conversation of %d messages, and there are %d", e.Keep, len(given))
	}
	return append(given[:e.Keep:e.Keep], e.Messages...), nil
}
