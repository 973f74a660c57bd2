package trace

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// maxConversation is how many bytes of a trace are read as a conversation.
const maxConversation = 64 << 20

// Conversation returns the messages of a trace in full: those of the user, the responses, and
// the results of calls, as they stand in a conversation. Lines that cannot be read are left out.
func Conversation(in io.Reader) (runtime.Conversation, error) {
	limited := &io.LimitedReader{R: in, N: maxConversation + 1}
	scanner := bufio.NewScanner(limited)
	scanner.Buffer(nil, maxLine)
	var c runtime.Conversation
	for scanner.Scan() {
		l := &line{}
		if json.Unmarshal(scanner.Bytes(), l) == nil {
			c = l.addTo(c)
		}
	}
	switch {
	case scanner.Err() != nil:
		return nil, scanner.Err()
	case limited.N == 0:
		return nil, fmt.Errorf("the trace is larger than %d MiB", maxConversation>>20)
	case len(c) == 0:
		return nil, errors.New("this is no trace, as gramc run --trace writes it")
	}
	return c, nil
}

// addTo adds what a line says to a conversation.
func (l *line) addTo(c runtime.Conversation) runtime.Conversation {
	switch {
	case l.Event == eventMessage:
		m := runtime.UserMessage(l.Content)
		for _, name := range l.Attached {
			m.Attachments = append(m.Attachments, runtime.Attachment{Name: name})
		}
		return append(c, m)
	case len(c) == 0:
	case l.Event == eventResponse:
		return append(c, runtime.AssistantMessage(l.Content, nil))
	case l.Event == eventStarted:
		for i := len(c) - 1; i >= 0; i-- {
			if c[i].Role == runtime.RoleAssistant {
				c[i].Calls = append(c[i].Calls, runtime.Call{ID: l.ID, Name: l.Tool, Args: l.Args})
				break
			}
		}
	case l.Event == eventFinished && l.Invocation != nil:
		m := runtime.Message{Role: runtime.RoleTool, CallID: l.ID, ToolName: l.Tool, Content: string(l.Invocation.Result.Success)}
		if strings.HasPrefix(m.Content, `"`) {
			m.Content = plainjson.Text(l.Invocation.Result.Success)
		}
		if failed := l.Invocation.Result.Error; failed != nil {
			m.Content, m.Failed = "Error: "+*failed, true
		}
		return append(c, m)
	}
	return c
}
