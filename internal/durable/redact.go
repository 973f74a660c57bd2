package durable

import (
	"encoding/json"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// redact takes secrets out of a text.
func (r *Run) redact(text string) string {
	if r.options.Redact == nil {
		return text
	}
	return r.options.Redact(text)
}

var stringInJSON = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(?:[^"\\]|\\.)*"`) })

// redactJSON takes secrets out of the texts in a JSON value, which stays one. What is no JSON
// is a text.
func (r *Run) redactJSON(value json.RawMessage) json.RawMessage {
	if r.options.Redact == nil || len(value) == 0 {
		return value
	}
	if !json.Valid(value) {
		return json.RawMessage(r.redact(string(value)))
	}
	return stringInJSON().ReplaceAllFunc(value, func(quoted []byte) []byte {
		var text string
		if json.Unmarshal(quoted, &text) != nil {
			return quoted
		}
		if hidden := r.redact(text); hidden != text {
			return plainjson.String(hidden)
		}
		return quoted
	})
}

// redactMessage takes secrets out of a message of the user and its text files.
func (r *Run) redactMessage(m runtime.Message) runtime.Message {
	m.Content = r.redact(m.Content)
	m.Attachments = slices.Clone(m.Attachments)
	for i := range m.Attachments {
		a := &m.Attachments[i]
		a.Name = r.redact(a.Name)
		if r.options.Redact != nil && utf8.Valid(a.Data) {
			a.Data = []byte(r.redact(string(a.Data)))
		}
	}
	return m
}

// redactOutcome takes secrets out of an outcome.
func (r *Run) redactOutcome(o *interp.Outcome) {
	if r.options.Redact == nil {
		return
	}
	if o.Response != nil {
		response := *o.Response
		response.Content, response.Refusal, response.Reasoning = r.redact(response.Content), r.redact(response.Refusal), r.redact(response.Reasoning)
		response.Extra, response.Calls = r.redactJSON(response.Extra), slices.Clone(response.Calls)
		for i := range response.Calls {
			c := &response.Calls[i]
			c.Args, c.Extra = r.redactJSON(c.Args), r.redactJSON(c.Extra)
		}
		o.Response = &response
	}
	if o.Failure != nil {
		o.Failure = r.redactError(o.Failure)
	}
	o.Failed = slices.Clone(o.Failed)
	for i, err := range o.Failed {
		o.Failed[i] = r.redactError(err)
	}
	if o.Error != nil {
		failed := *o.Error
		failed.Message = r.redact(failed.Message)
		o.Error = &failed
	}
	o.Result, o.Args = r.redactJSON(o.Result), r.redactJSON(o.Args)
}

func (r *Run) redactError(err *runtime.Error) *runtime.Error {
	redacted := *err
	redacted.Message = r.redact(err.Message)
	return &redacted
}
