package durable

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A messageJSON is a message as it is journaled, byte for byte. What stands already in the start
// or in an outcome is not written again.
type messageJSON struct {
	// Of says where the message comes from: "start" is that of the user, the key of a request
	// its response, the key of a call its result.
	Of string `json:"of,omitempty"`

	Role        runtime.Role         `json:"role,omitempty"`
	Content     *plainjson.Exact     `json:"content,omitempty"` // nil: that of Of
	Calls       []callJSON           `json:"calls,omitempty"`
	CallID      plainjson.Exact      `json:"call_id,omitempty"`
	ToolName    plainjson.Exact      `json:"tool_name,omitempty"`
	Failed      bool                 `json:"failed,omitempty"`
	Attachments []runtime.Attachment `json:"attachments,omitempty"`
	Extra       *plainjson.Exact     `json:"extra,omitempty"`
}

// A callJSON is a call of a message. What is nil is that of the call in the response.
type callJSON struct {
	ID    *plainjson.Exact `json:"id,omitempty"`
	Name  *plainjson.Exact `json:"name,omitempty"`
	Args  *plainjson.Exact `json:"args,omitempty"`
	Extra *plainjson.Exact `json:"extra,omitempty"`
}

// messageJSONOf returns a message with all that it says.
func messageJSONOf(m *runtime.Message) messageJSON {
	j := messageJSON{
		Role: m.Role, Content: plainjson.ExactOf([]byte(m.Content)), CallID: plainjson.Exact(m.CallID), ToolName: plainjson.Exact(m.ToolName),
		Failed: m.Failed, Attachments: m.Attachments, Extra: plainjson.ExactOf(m.Extra),
	}
	for _, c := range m.Calls {
		j.Calls = append(j.Calls, callJSON{plainjson.ExactOf([]byte(c.ID)), plainjson.ExactOf([]byte(c.Name)), plainjson.ExactOf(c.Args), plainjson.ExactOf(c.Extra)})
	}
	return j
}

// message returns a message that refers to nothing.
func (j *messageJSON) message() runtime.Message {
	m := runtime.Message{
		Role: j.Role, Content: string(j.Content.Bytes()), CallID: string(j.CallID), ToolName: string(j.ToolName), Failed: j.Failed,
		Attachments: j.Attachments, Extra: j.Extra.Bytes(),
	}
	for i := range j.Calls {
		c := &j.Calls[i]
		m.Calls = append(m.Calls, runtime.Call{ID: string(c.ID.Bytes()), Name: string(c.Name.Bytes()), Args: c.Args.Bytes(), Extra: c.Extra.Bytes()})
	}
	return m
}

// A source is what the messages of a run are made of.
type source struct {
	start    *Start
	outcomes map[string]*interp.Outcome // by key
}

// write returns messages of the run that refer to what is journaled already.
func (s *source) write(messages []runtime.Message) []messageJSON {
	list := make([]messageJSON, len(messages))
	callers, started, request := map[string]string{}, false, 0
	for i := range messages {
		m := &messages[i]
		switch {
		case m.Role == runtime.RoleUser && !started && reflect.DeepEqual(*m, s.start.Message):
			started, list[i] = true, messageJSON{Of: "start"}
		case m.Role == runtime.RoleAssistant && s.findResponse(m, &request):
			list[i] = messageJSON{Of: strconv.Itoa(request), Calls: changedCalls(m.Calls, s.outcomes[strconv.Itoa(request)].Response.Calls)}
			for n, call := range m.Calls {
				callers[call.ID] = fmt.Sprintf("%d/%d", request, n+1)
			}
		default:
			list[i] = messageJSONOf(m)
			key := callers[m.CallID]
			if o := s.outcomes[key]; m.Role == runtime.RoleTool && o != nil && len(o.Result) > 0 && interp.ResultText(o.Result) == m.Content {
				list[i].Of, list[i].Content = key, nil
			}
		}
	}
	return list
}

// findResponse finds the response, of a request after this one, that a message is.
func (s *source) findResponse(m *runtime.Message, request *int) bool {
	for n := *request + 1; ; n++ {
		o := s.outcomes[strconv.Itoa(n)]
		if o == nil {
			return false
		}
		if r := o.Response; r != nil && r.Content == m.Content && bytes.Equal(r.Extra, m.Extra) && len(r.Calls) == len(m.Calls) {
			*request = n
			return true
		}
	}
}

// changedCalls returns what calls have that those of the response do not have; nil for
// nothing.
func changedCalls(calls, original []runtime.Call) (changed []callJSON) {
	for i := range calls {
		c, o := &calls[i], &original[i]
		if c.ID == o.ID && c.Name == o.Name && bytes.Equal(c.Args, o.Args) && bytes.Equal(c.Extra, o.Extra) {
			continue
		}
		if changed == nil {
			changed = make([]callJSON, len(calls))
		}
		if c.ID != o.ID {
			changed[i].ID = plainjson.ExactOf([]byte(c.ID))
		}
		if c.Name != o.Name {
			changed[i].Name = plainjson.ExactOf([]byte(c.Name))
		}
		if !bytes.Equal(c.Args, o.Args) {
			changed[i].Args = plainjson.ExactOf(c.Args)
		}
	}
	return changed
}

// read returns the messages that write has written.
func (s *source) read(list []messageJSON) ([]runtime.Message, error) {
	messages := make([]runtime.Message, len(list))
	for i := range list {
		j := &list[i]
		o := s.outcomes[j.Of]
		switch {
		case j.Of == "":
			messages[i] = j.message()
		case j.Of == "start":
			messages[i] = s.start.Message
		case o != nil && o.Response != nil && (j.Calls == nil || len(j.Calls) == len(o.Response.Calls)):
			messages[i] = runtime.AssistantMessage(o.Response.Content, callsOf(j.Calls, o.Response.Calls))
			messages[i].Extra = o.Response.Extra
		case o != nil && len(o.Result) > 0 && j.Content == nil:
			messages[i] = j.message()
			messages[i].Content = interp.ResultText(o.Result)
		default:
			return nil, fmt.Errorf("a message of the run refers to %q, which is not there", j.Of)
		}
	}
	return messages, nil
}

// callsOf returns the calls of a response with what has changed.
func callsOf(changed []callJSON, original []runtime.Call) []runtime.Call {
	calls := append([]runtime.Call(nil), original...)
	for i, c := range changed {
		if c.ID != nil {
			calls[i].ID = string(*c.ID)
		}
		if c.Name != nil {
			calls[i].Name = string(*c.Name)
		}
		if c.Args != nil {
			calls[i].Args = c.Args.Bytes()
		}
	}
	return calls
}
