package gemini

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/runtime"
)

const (
	// empty is the text of messages without any. The API refuses a message
	// without parts.
	empty = "(empty)"

	// unsigned stands for the signature of a call that Gemini did not make, or
	// another of its models. A model that requires signatures accepts it:
	// https://ai.google.dev/gemini-api/docs/thought-signatures, "FAQs".
	unsigned = "skip_thought_signature_validator"
)

// A history writes the messages of a conversation as the API takes them.
type history struct {
	*plan
	instruction string          // for the first message of the user
	identified  map[string]bool // the ids of the calls that were sent with their id
}

// keptMessage is what the Extra of a message has under the name of the provider:
// the parts of a response in which something must come back unchanged.
type keptMessage struct {
	Model string         `json:"model"`
	Parts []receivedPart `json:"parts"`
}

// contents returns the messages. The results of the calls of a message stand in one
// message, in the order of the calls.
func (h *history) contents(messages []runtime.Message) ([]content, error) {
	h.identified = map[string]bool{}
	out := make([]content, 0, len(messages))
	for len(messages) > 0 {
		msg := &messages[0]
		n := 1
		switch msg.Role {
		case runtime.RoleAssistant:
			out = append(out, content{"model", h.modelParts(msg)})
		case runtime.RoleTool:
			var results []json.RawMessage
			for n = 0; n < len(messages) && messages[n].Role == runtime.RoleTool; n++ {
				results = append(results, h.resultPart(&messages[n]))
			}
			out = append(out, content{"user", results})
		default:
			parts, err := h.userParts(msg)
			if err != nil {
				return nil, err
			}
			out = append(out, content{"user", parts})
		}
		messages = messages[n:]
	}
	return out, nil
}

// userParts returns a message of the user, with images and files before the text.
func (h *history) userParts(msg *runtime.Message) ([]json.RawMessage, error) {
	var parts []json.RawMessage
	if h.instruction != "" {
		parts = append(parts, textPart(h.instruction))
		h.instruction = ""
	}
	for i := range msg.Attachments {
		a := &msg.Attachments[i]
		switch {
		case strings.HasPrefix(a.MediaType, "text/"): // a blob would have no name
			parts = append(parts, textPart(a.Text()))
		case takesMedia(a.MediaType):
			parts = append(parts, encodedPart(&part{Data: &blob{a.MediaType, a.Data}}))
		default:
			return nil, runtime.Errorf(runtime.KindValidation,
				"%s cannot be sent: Gemini takes no files of type %q; it takes images, PDF, audio, video and text", a.Name, a.MediaType)
		}
	}
	if msg.Content != "" || len(parts) == 0 {
		parts = append(parts, textPart(cmp.Or(msg.Content, empty)))
	}
	return parts, nil
}

// takesMedia reports whether a type of media can be sent:
// https://ai.google.dev/gemini-api/docs/file-input-methods
func takesMedia(mediaType string) bool {
	kind, name, _ := strings.Cut(mediaType, "/")
	switch kind {
	case "image":
		return slices.Contains([]string{"png", "jpeg", "webp", "heic", "heif"}, name)
	case "audio", "video":
		return true
	}
	return mediaType == "application/pdf"
}

// resultPart returns the result of a call. The result of a call with an id has it too.
func (h *history) resultPart(msg *runtime.Message) json.RawMessage {
	r := &functionResult{Name: provider.Name(msg.ToolName, provider.Gemini)}
	if h.identified[msg.CallID] {
		r.ID = msg.CallID
	}
	if r.Response.Output = msg.Content; msg.Failed {
		r.Response.Output, r.Response.Error = "", msg.Content
	}
	return encodedPart(&part{Result: r})
}

// modelParts returns a message of the model.
func (h *history) modelParts(msg *runtime.Message) []json.RawMessage {
	kept := h.kept(msg)
	if kept == nil {
		return h.plainParts(msg.Content, msg.Calls, true)
	}
	var parts []json.RawMessage
	calls := msg.Calls
	for i := range kept {
		switch p := &kept[i]; {
		case p.Call == nil:
			parts = append(parts, p.raw)
		case len(calls) > 0:
			parts = append(parts, h.signedCall(p, &calls[0]))
			calls = calls[1:]
		}
	}
	if len(calls) > 0 {
		parts = append(parts, h.plainParts("", calls, len(calls) == len(msg.Calls))...)
	}
	return parts
}

// plainParts returns a text and calls that have no part of a response. The first call of
// a message stands for all of them where signatures are required.
func (h *history) plainParts(text string, calls []runtime.Call, first bool) []json.RawMessage {
	var parts []json.RawMessage
	if text != "" || len(calls) == 0 && first {
		parts = append(parts, textPart(cmp.Or(text, empty)))
	}
	for i := range calls {
		p := part{Call: h.call(&calls[i])}
		if i == 0 && first && h.family.Signs {
			p.Signature = unsigned
		}
		parts = append(parts, encodedPart(&p))
	}
	return parts
}

// kept returns the parts of a message that this model wrote; nil if another did, or if
// the text of the message is not theirs any more.
func (h *history) kept(msg *runtime.Message) []receivedPart {
	var extra map[string]keptMessage
	if len(msg.Extra) == 0 || json.Unmarshal(msg.Extra, &extra) != nil {
		return nil
	}
	kept := extra[h.provider]
	if kept.Model != h.model {
		return nil
	}
	var text strings.Builder
	for _, p := range kept.Parts {
		if !p.Thought {
			text.WriteString(p.Text)
		}
	}
	if text.String() != msg.Content {
		return nil
	}
	return kept.Parts
}

// signedCall returns the part of a call as the model wrote it, but with what the
// run changed in the call: an id that was used before, a name that is not valid,
// arguments that are no object.
func (h *history) signedCall(p *receivedPart, call *runtime.Call) json.RawMessage {
	now := h.call(call)
	if p.Call.ID != "" {
		now.ID = call.ID
		h.identified[call.ID] = true
	}
	if now.ID == p.Call.ID && now.Name == p.Call.Name && string(now.Args) == string(p.Call.Args) {
		return p.raw
	}
	var members map[string]json.RawMessage
	text, err := plainjson.Marshal(now)
	if err != nil || json.Unmarshal(p.raw, &members) != nil {
		panic("gemini: a part that was read cannot be written")
	}
	members["functionCall"] = text
	if text, err = plainjson.Marshal(members); err != nil {
		panic("gemini: " + err.Error())
	}
	return text
}

// call returns a call without its id.
func (h *history) call(c *runtime.Call) *functionCall {
	args := c.Args
	if len(args) == 0 {
		args = json.RawMessage("{}")
	}
	return &functionCall{Name: provider.Name(c.Name, provider.Gemini), Args: args}
}
