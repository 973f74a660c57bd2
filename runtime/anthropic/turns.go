package anthropic

import (
	"strings"

	"github.com/anthropics/anthropic-sdk-go"

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

// isBlank reports whether the API refuses a text.
func isBlank(text string) bool { return strings.TrimSpace(text) == "" }
