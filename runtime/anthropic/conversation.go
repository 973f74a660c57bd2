package anthropic

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/param"

	"github.com/gram-lang/gramc/runtime"
)

// empty is the text of a turn of the user without content, which the API refuses.
const empty = "(empty)"

// turns returns a conversation as the API takes it: turns of the user and of the
// model alternate, and the user begins. A turn of the user has the results of the
// calls before it first.
func turns(provider string, messages []runtime.Message) ([]anthropic.MessageParam, error) {
	var out []anthropic.MessageParam
	add := func(role anthropic.MessageParamRole, blocks ...anthropic.ContentBlockParamUnion) {
		if last := len(out) - 1; last >= 0 && out[last].Role == role {
			out[last].Content = append(out[last].Content, blocks...)
			return
		}
		out = append(out, anthropic.MessageParam{Role: role, Content: blocks})
	}
	for i := range messages {
		m := &messages[i]
		switch m.Role {
		case runtime.RoleAssistant:
			if len(out) == 0 {
				add(anthropic.MessageParamRoleUser, textBlock(empty))
			}
			if blocks := assistantBlocks(provider, m); len(blocks) > 0 {
				add(anthropic.MessageParamRoleAssistant, blocks...)
			}
		case runtime.RoleTool:
			add(anthropic.MessageParamRoleUser, resultBlock(m))
		default:
			blocks, err := userBlocks(m)
			if err != nil {
				return nil, err
			}
			add(anthropic.MessageParamRoleUser, blocks...)
		}
	}
	return out, nil
}

func textBlock(text string) anthropic.ContentBlockParamUnion {
	return anthropic.ContentBlockParamUnion{OfText: &anthropic.TextBlockParam{Text: text}}
}

// isBlank reports whether the API refuses a text.
func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

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
