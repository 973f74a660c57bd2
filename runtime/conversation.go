package runtime

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// A Role is the author of a message. The instruction of an agent is not a
// message; see [Request.Instruction].
type Role string

// The roles of a conversation.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// UnmarshalText accepts the three roles and nothing else.
func (r *Role) UnmarshalText(text []byte) error {
	switch role := Role(text); role {
	case RoleUser, RoleAssistant, RoleTool:
		*r = role
		return nil
	}
	return fmt.Errorf("unknown role %q: use user, assistant or tool", text)
}

// A Call is a request of the model to call a tool.
type Call struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"` // in a response: as the model wrote it, which may not be JSON

	// Extra is data of the provider that is sent back unchanged with the call, as
	// that of a [Message] is with the message.
	Extra json.RawMessage `json:"extra,omitempty"`
}

// A Message is one entry of a conversation.
type Message struct {
	Role     Role   `json:"role"`
	Content  string `json:"content"`
	Calls    []Call `json:"calls,omitempty"`     // assistant: the calls it requests
	CallID   string `json:"call_id,omitempty"`   // tool: the call that has this result
	ToolName string `json:"tool_name,omitempty"` // tool: the name in that call
	Failed   bool   `json:"failed,omitempty"`    // tool: the call failed, and the content says why

	Attachments []Attachment `json:"attachments,omitempty"` // user: images and files

	// Extra is data of the provider that is sent back unchanged with a message
	// of the assistant, such as signed reasoning. It is an object with one
	// member, named as the provider is; other providers ignore it.
	Extra json.RawMessage `json:"extra,omitempty"`
}

// An Attachment is an image or a file that the user sends along with a message.
type Attachment struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"` // such as "image/png"
	Data      []byte `json:"data"`       // base64 in JSON
}

// Text returns a text file as a text that begins with its name.
func (a *Attachment) Text() string { return "The file " + a.Name + ":\n\n" + string(a.Data) }

// UnmarshalJSON reads a message and refuses a tool message without a name.
func (m *Message) UnmarshalJSON(data []byte) error {
	type plain Message
	var p plain
	if err := json.Unmarshal(data, &p); err != nil {
		return fmt.Errorf("message: %w", err)
	}
	switch {
	case p.Role == "":
		return errors.New("message: role is missing")
	case p.Role == RoleTool && p.ToolName == "":
		return errNoToolName
	}
	*m = Message(p)
	return nil
}

var errNoToolName = errors.New("message: a tool message needs the name of its tool")

// A Conversation is a list of messages, newest last. A run never changes the
// conversation that it is given. Each call of an assistant message has exactly
// one tool message with its result.
type Conversation []Message

// UserMessage returns a message of the user.
func UserMessage(text string) Message { return Message{Role: RoleUser, Content: text} }

// AssistantMessage returns a message of the model with the calls it requests.
func AssistantMessage(text string, calls []Call) Message {
	return Message{Role: RoleAssistant, Content: text, Calls: calls}
}

// ToolMessage returns the result of a call. The name must not be empty.
func ToolMessage(name, callID, text string) (Message, error) {
	if name == "" {
		return Message{}, errNoToolName
	}
	return Message{Role: RoleTool, Content: text, CallID: callID, ToolName: name}, nil
}

// An Invocation is the record of one call of a tool, successful or not.
type Invocation struct {
	Tool   string
	Args   json.RawMessage // as the model gave them; text that is not JSON stands here as a JSON string
	Result json.RawMessage // nil after a failure
	Err    *ToolError      // nil after a success
}

// MarshalJSON writes {"tool_name": …, "args": …, "result": …}, where the
// result is {"success": value} or {"error": "message"}.
func (i Invocation) MarshalJSON() ([]byte, error) {
	type result struct {
		Success json.RawMessage `json:"success,omitempty"`
		Error   *string         `json:"error,omitempty"`
	}
	j := struct {
		Tool   string          `json:"tool_name"`
		Args   json.RawMessage `json:"args"`
		Result result          `json:"result"`
	}{Tool: i.Tool, Args: i.Args}
	switch {
	case i.Err != nil:
		j.Result.Error = &i.Err.Message
	case len(i.Result) == 0:
		j.Result.Success = json.RawMessage("null")
	default:
		j.Result.Success = i.Result
	}
	return plainjson.Marshal(j)
}
