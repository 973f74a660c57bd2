package trace

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/runtime"
)

// TestConversation has messages in full, which the tree and the page shorten.
func TestConversation(t *testing.T) {
	long := strings.Repeat("x", 2*maxText)
	got, err := Conversation(strings.NewReader(`
{"event":"model-response","content":"before any message"}
{"event":"message","content":"Q","attached":["cat.png"]}
not JSON
{"event":"model-response"}
{"event":"tool-started","id":"1","tool_name":"a","args":{"n":1}}
{"event":"tool-started","id":"2","tool_name":"b"}
{"event":"tool-finished","id":"2","tool_name":"b","invocation":{"tool_name":"b","result":{"error":"closed"}}}
{"event":"tool-finished","id":"1","tool_name":"a","invocation":{"tool_name":"a","result":{"success":"` + long + `"}}}
{"event":"tool-finished","id":"3","tool_name":"a","invocation":{"tool_name":"a","result":{"success":null}}}
{"event":"model-response","content":"A"}
{"event":"answer","content":"A"}`))
	if err != nil {
		t.Fatal(err)
	}
	asked := runtime.UserMessage("Q")
	asked.Attachments = []runtime.Attachment{{Name: "cat.png"}}
	want := runtime.Conversation{
		asked, runtime.AssistantMessage("", []runtime.Call{{ID: "1", Name: "a", Args: json.RawMessage(`{"n":1}`)}, {ID: "2", Name: "b"}}),
		{Role: runtime.RoleTool, CallID: "2", ToolName: "b", Content: "Error: closed", Failed: true},
		{Role: runtime.RoleTool, CallID: "1", ToolName: "a", Content: long},
		{Role: runtime.RoleTool, CallID: "3", ToolName: "a", Content: "null"},
		runtime.AssistantMessage("A", nil),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, err := Conversation(strings.NewReader(`{"a":1}`)); err == nil {
		t.Error("something else is a trace")
	}
}
