package session

import (
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// Markdown returns the conversation as text for people.
func (s *Session) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Conversation with %s (%s)\n", s.agent.Name, s.agent.Model)
	for _, t := range s.turns {
		fmt.Fprintf(&b, "\n## %s\n\n", t.Start.Format("2006-01-02 15:04:05"))
		for line := range strings.Lines(t.sent.Content) {
			b.WriteString("> " + strings.TrimRight(line, "\n") + "\n")
		}
		for i := range t.sent.Attachments {
			b.WriteString("\n- with `" + t.sent.Attachments[i].Name + "`\n")
		}
		for _, step := range t.Steps {
			if i := step.Invocation; i != nil {
				result := "`" + string(i.Result) + "`"
				if i.Err != nil {
					result = "failed: " + i.Err.Message
				}
				fmt.Fprintf(&b, "\n- called `%s(%s)`: %s\n", i.Tool, i.Args, result)
			}
		}
		if t.Answer != "" {
			b.WriteString("\n" + strings.TrimRight(t.Answer, "\n") + "\n")
		}
		if t.Err != nil {
			fmt.Fprintf(&b, "\n*No answer: %s*\n", t.Err)
		}
	}
	return b.String()
}

// JSON returns the messages of the conversation, with which another run can
// begin.
func (s *Session) JSON() ([]byte, error) {
	conversation := s.Conversation()
	if conversation == nil {
		return []byte("[]\n"), nil
	}
	text, err := plainjson.Marshal(conversation)
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}
