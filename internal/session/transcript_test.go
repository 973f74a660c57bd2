package session

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

// hostileText is what models and tools say at worst.
const hostileText = "<script>alert(1)</script>\x1b[2J ``` `x` \"'"

func hostileTranscript(t *testing.T) *Transcript {
	t.Helper()
	call := callAdd
	call.Calls = []runtime.Call{{ID: "1", Name: "add", Args: json.RawMessage(`{"x": "<img src=x onerror=alert(1)>` + "`" + `"}`)}}
	s := newSession(t, &talker{steps: []runtime.Response{call, {Content: hostileText, Finish: "stop"}}})
	if err := send(t.Context(), s, "hi "+hostileText, ""); err != nil {
		t.Fatal(err)
	}
	c := s.transcript()
	c.Name = "clerk-otter"
	return c
}

func TestThePageOfAConversationRunsNothing(t *testing.T) {
	text := hostileTranscript(t).HTML()
	if !strings.Contains(text, "clerk-otter · OpenAI/gpt-4o-mini · 1 turn") || !strings.Contains(text, "add <span") || !strings.Contains(text, "&lt;script&gt;alert(1)") {
		t.Error("something is missing in\n" + text)
	}
	for _, bad := range []string{"<script", "<img", "\x1b"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in\n%s", bad, text)
		}
	}
}

func TestCodeInMarkdownIsCode(t *testing.T) {
	text := hostileTranscript(t).Markdown()
	if !strings.Contains(text, "- called `` add({\"x\": \"<img src=x onerror=alert(1)>`\"}) ``: ") {
		t.Error(text)
	}
}

func TestAConversationAsJSON(t *testing.T) {
	text, err := json.Marshal(hostileTranscript(t))
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Session, Agent, Model string
		Turns                 []struct {
			Message, Answer string
			Requests        int
			Usage           runtime.Usage
			Calls           []struct {
				Tool   string
				Args   json.RawMessage
				Result json.RawMessage
			}
		}
		Messages runtime.Conversation
	}
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if read.Session != "clerk-otter" || read.Agent != "clerk" || len(read.Turns) != 1 || len(read.Messages) != 4 || read.Turns[0].Answer != hostileText ||
		read.Turns[0].Requests != 2 || read.Turns[0].Usage.Input != 10 || len(read.Turns[0].Calls) != 1 || string(read.Turns[0].Calls[0].Result) != "3" {
		t.Errorf("%s", text)
	}
}
