package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/runtime"
)

// A chatRequest is a request to the chat endpoint, read.
type chatRequest struct {
	model        string
	message      runtime.Message
	conversation runtime.Conversation
	stream       bool
	usage        bool // the stream ends with the usage
}

// A wireChat is the request as it is sent. What is not here has no meaning for an
// agent, which has its own model, instruction and limits, and is ignored.
type wireChat struct {
	Model    string                `json:"model"`
	Messages wireList[wireMessage] `json:"messages"`
	Stream   bool                  `json:"stream"`
	Options  struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`

	N         *int            `json:"n"`
	Tools     json.RawMessage `json:"tools"`
	Functions json.RawMessage `json:"functions"`
	LogProbs  bool            `json:"logprobs"`
	Format    *struct {
		Type string `json:"type"`
	} `json:"response_format"`
}

// maxWireList is how many messages a request can have, and parts a message.
const maxWireList = 10_000

// A wireList is a list whose length is bounded while it is read: a few bytes of JSON can stand
// for an element that takes a hundred.
type wireList[T any] []T

// UnmarshalJSON implements [json.Unmarshaler].
func (l *wireList[T]) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	switch open, err := d.Token(); {
	case err != nil:
		return err
	case open == nil: // null
		return nil
	case open != json.Delim('['):
		return errors.New("a list is expected")
	}
	for d.More() {
		if len(*l) == maxWireList {
			return fmt.Errorf("a list has more than %d elements", maxWireList)
		}
		var one T
		if err := d.Decode(&one); err != nil {
			return err
		}
		*l = append(*l, one)
	}
	return nil
}

type wireMessage struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	ToolCalls json.RawMessage `json:"tool_calls"`
}

// readChat reads a request. What would change the meaning of an answer is refused
// rather than ignored.
func readChat(text []byte) (*chatRequest, *problem) {
	var wire wireChat
	if err := json.Unmarshal(text, &wire); err != nil {
		return nil, invalid("", "the request is not JSON of a chat completion: "+err.Error())
	}
	present := func(raw json.RawMessage) bool {
		return len(raw) > 0 && string(raw) != "null" && string(raw) != "[]"
	}
	switch {
	case wire.Model == "":
		return nil, invalid("model", "model is missing: it is the name of an agent")
	case present(wire.Tools), present(wire.Functions):
		return nil, invalid("tools", "an agent has its own tools; leave tools out")
	case wire.N != nil && *wire.N != 1:
		return nil, invalid("n", "an agent gives one answer; leave n out")
	case wire.LogProbs:
		return nil, invalid("logprobs", "an agent has no log probabilities; leave logprobs out")
	case wire.Format != nil && wire.Format.Type != "text":
		return nil, invalid("response_format", "the agent's file says what it returns; leave response_format out")
	case len(wire.Messages) == 0:
		return nil, invalid("messages", "there is no message for the agent")
	}
	q := &chatRequest{model: wire.Model, stream: wire.Stream, usage: wire.Options.Usage}
	for i := range wire.Messages {
		m, p := wire.Messages[i].read(fmt.Sprintf("messages[%d]", i))
		if p != nil {
			return nil, p
		}
		q.conversation = append(q.conversation, m)
	}
	last := len(q.conversation) - 1
	if q.message = q.conversation[last]; q.message.Role != runtime.RoleUser {
		return nil, invalid("messages", "the last message must be one of the user")
	}
	q.conversation = q.conversation[:last]
	return q, nil
}

// read returns a message of a client.
func (w *wireMessage) read(at string) (m runtime.Message, _ *problem) {
	switch w.Role {
	case "user":
		m.Role = runtime.RoleUser
	case "assistant":
		m.Role = runtime.RoleAssistant
		if raw := string(w.ToolCalls); raw != "" && raw != "null" && raw != "[]" {
			return m, invalid(at+".tool_calls", "the tools of an agent are called by the server; send only its texts")
		}
	case "system", "developer":
		return m, invalid(at+".role", "an agent has its own instruction; leave "+w.Role+" messages out")
	default:
		return m, invalid(at+".role", fmt.Sprintf("the role %q is not user or assistant", w.Role))
	}
	if json.Unmarshal(w.Content, &m.Content) == nil {
		if strings.TrimSpace(m.Content) == "" {
			return m, invalid(at+".content", "the message is empty")
		}
		return m, nil
	}
	return w.readParts(at, m)
}

// A wirePart is a part of a message: a text, an image or a file.
type wirePart struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Image struct {
		URL string `json:"url"`
	} `json:"image_url"`
	File struct {
		Name string `json:"filename"`
		Data string `json:"file_data"`
	} `json:"file"`
}

// readParts reads a content of several parts.
func (w *wireMessage) readParts(at string, m runtime.Message) (runtime.Message, *problem) {
	var parts wireList[wirePart]
	if err := json.Unmarshal(w.Content, &parts); err != nil || len(parts) == 0 {
		return m, invalid(at+".content", fmt.Sprintf("the content must be a text or a list of at most %d parts", maxWireList))
	}
	var texts []string
	for i, part := range parts {
		here := fmt.Sprintf("%s.content[%d]", at, i)
		switch {
		case part.Type == "text":
			texts = append(texts, part.Text)
		case m.Role != runtime.RoleUser:
			return m, invalid(here+".type", "a message of the assistant has texts alone")
		case part.Type == "image_url", part.Type == "file":
			data, name := part.Image.URL, fmt.Sprintf("image-%d", i+1)
			if part.Type == "file" {
				data, name = part.File.Data, part.File.Name
			}
			a, p := attachment(here, name, data)
			if p != nil {
				return m, p
			}
			m.Attachments = append(m.Attachments, a)
		default:
			return m, invalid(here+".type", fmt.Sprintf("a part of type %q is not understood; there is text, image_url and file", part.Type))
		}
	}
	m.Content = strings.Join(texts, "\n")
	if strings.TrimSpace(m.Content) == "" {
		return m, invalid(at+".content", "the message has no text")
	}
	return m, nil
}
