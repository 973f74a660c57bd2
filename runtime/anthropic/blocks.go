package anthropic

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// A block is a part of a response. Its JSON is what the conversation keeps of it:
// that of a call is only its place, since the calls are in the message.
type block struct {
	Type      string `json:"type"`
	Text      string `json:"text,omitempty"`
	Thinking  string `json:"thinking,omitempty"`
	Signature string `json:"signature,omitempty"` // of thinking
	Data      string `json:"data,omitempty"`      // of redacted thinking

	id, name string          // of a call
	input    json.RawMessage // of a call, as the model wrote it
	raw      json.RawMessage // of a type that is not known here
}

// blocksExtra returns what a conversation keeps of blocks; nil if a text and then calls
// are all there is.
func blocksExtra(provider string, blocks []block) json.RawMessage {
	var list []json.RawMessage
	needed, calls := false, false
	for _, b := range blocks {
		kept := b.raw
		switch b.Type {
		case "text":
			needed = needed || calls
		case "tool_use":
			calls = true
		default:
			needed = true
		}
		switch b.Type {
		case "text", "tool_use", "thinking", "redacted_thinking":
			kept = mustMarshal(b)
		}
		list = append(list, kept)
	}
	if !needed {
		return nil
	}
	return mustMarshal(map[string][]json.RawMessage{provider: list})
}

func mustMarshal(v any) json.RawMessage {
	text, err := plainjson.Marshal(v)
	if err != nil {
		panic("anthropic: " + err.Error()) // strings, and JSON that was decoded
	}
	return text
}

// blocksOf returns the blocks that a message was made of; nil if they are unknown,
// or no longer those of its text and its calls.
func blocksOf(provider string, m *runtime.Message) []block {
	var kept map[string]json.RawMessage
	var list []json.RawMessage
	if json.Unmarshal(m.Extra, &kept) != nil || json.Unmarshal(kept[provider], &list) != nil {
		return nil
	}
	var text strings.Builder
	calls := 0
	blocks := make([]block, len(list))
	for i, raw := range list {
		if json.Unmarshal(raw, &blocks[i]) != nil {
			return nil
		}
		blocks[i].raw = raw
		text.WriteString(blocks[i].Text)
		if blocks[i].Type == "tool_use" {
			calls++
		}
	}
	if text.String() != m.Content || calls != len(m.Calls) {
		return nil
	}
	return blocks
}

func textBlock(text string) anthropic.ContentBlockParamUnion {
	return anthropic.ContentBlockParamUnion{OfText: &anthropic.TextBlockParam{Text: text}}
}

// userBlocks returns a message of the user. Images and files come before the text,
// as https://platform.claude.com/docs/en/build-with-claude/vision recommends.
func userBlocks(m *runtime.Message) ([]anthropic.ContentBlockParamUnion, error) {
	var blocks []anthropic.ContentBlockParamUnion
	for i := range m.Attachments {
		block, err := attachmentBlock(&m.Attachments[i])
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, block)
	}
	switch {
	case !isBlank(m.Content):
		blocks = append(blocks, textBlock(m.Content))
	case len(blocks) == 0:
		blocks = append(blocks, textBlock(empty))
	}
	return blocks, nil
}

func attachmentBlock(a *runtime.Attachment) (anthropic.ContentBlockParamUnion, error) {
	mediaType, _, _ := strings.Cut(a.MediaType, ";")
	document := &anthropic.DocumentBlockParam{}
	if a.Name != "" {
		document.Title = param.NewOpt(a.Name)
	}
	switch {
	case mediaType == "image/jpeg", mediaType == "image/png", mediaType == "image/gif", mediaType == "image/webp":
		return anthropic.NewImageBlockBase64(mediaType, base64.StdEncoding.EncodeToString(a.Data)), nil
	case mediaType == "application/pdf":
		document.Source.OfBase64 = &anthropic.Base64PDFSourceParam{Data: base64.StdEncoding.EncodeToString(a.Data)}
	case strings.HasPrefix(mediaType, "text/") && !isBlank(string(a.Data)):
		document.Source.OfText = &anthropic.PlainTextSourceParam{Data: strings.ToValidUTF8(string(a.Data), "\uFFFD")}
	default:
		return anthropic.ContentBlockParamUnion{}, runtime.Errorf(runtime.KindValidation,
			"the attachment %q of type %q cannot be sent: Anthropic takes images (JPEG, PNG, GIF, WebP), PDF and text that is not empty", a.Name, a.MediaType)
	}
	return anthropic.ContentBlockParamUnion{OfDocument: document}, nil
}

func resultBlock(m *runtime.Message) anthropic.ContentBlockParamUnion {
	result := &anthropic.ToolResultBlockParam{ToolUseID: callID(m.CallID)}
	if m.Failed {
		result.IsError = param.NewOpt(true)
	}
	if !isBlank(m.Content) {
		result.Content = []anthropic.ToolResultBlockParamContentUnion{{OfText: &anthropic.TextBlockParam{Text: m.Content}}}
	}
	return anthropic.ContentBlockParamUnion{OfToolResult: result}
}

// assistantBlocks returns a message of the model: as it came, if it is from here and
// unchanged, or else its text and then its calls. Its calls are those of the
// message in any case, since a run may give them other ids.
func assistantBlocks(provider string, m *runtime.Message) []anthropic.ContentBlockParamUnion {
	order := blocksOf(provider, m)
	if order == nil {
		order = []block{{Type: "text", Text: m.Content}}
		for range m.Calls {
			order = append(order, block{Type: "tool_use"})
		}
	}
	var blocks []anthropic.ContentBlockParamUnion
	calls := m.Calls
	for _, b := range order {
		switch b.Type {
		case "text":
			if !isBlank(b.Text) {
				blocks = append(blocks, textBlock(b.Text))
			}
		case "tool_use":
			blocks = append(blocks, callBlock(&calls[0]))
			calls = calls[1:]
		case "thinking":
			blocks = append(blocks, anthropic.NewThinkingBlock(b.Signature, b.Thinking))
		case "redacted_thinking":
			blocks = append(blocks, anthropic.NewRedactedThinkingBlock(b.Data))
		default:
			blocks = append(blocks, param.Override[anthropic.ContentBlockParamUnion](b.raw))
		}
	}
	return blocks
}

func callBlock(c *runtime.Call) anthropic.ContentBlockParamUnion {
	input := c.Args
	if len(input) == 0 || input[0] != '{' || !json.Valid(input) {
		input = json.RawMessage("{}")
	}
	return anthropic.NewToolUseBlock(callID(c.ID), input, toolName(c.Name))
}

// callID returns the id of a call as the API takes it: of letters, digits, "_" and
// "-". Ids of other providers have other characters.
func callID(id string) string {
	valid := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
	}
	if id != "" && !strings.ContainsFunc(id, func(c rune) bool { return !valid(c) }) {
		return id
	}
	sum := fnv.New64a()
	sum.Write([]byte(id))
	return fmt.Sprintf("call_%016x", sum.Sum64())
}
