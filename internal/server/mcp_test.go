package server

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/runtime/mcp"
)

// TestAgentsAreToolsOfAnMCPServer calls them with the token of a user, whose runs they are.
func TestAgentsAreToolsOfAnMCPServer(t *testing.T) {
	address := start(t, twoUsers)
	if s, err := mcp.Connect(t.Context(), mcp.Server{Name: "agents", URL: address + "/mcp", ConnectTimeout: 5 * time.Second}); err == nil {
		s.Close()
		t.Error("nobody's client is let in")
	}
	s, err := mcp.Connect(t.Context(), mcp.Server{Name: "agents", URL: address + "/mcp", Headers: map[string]string{"Authorization": "Bearer " + otherSecret}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tools, refused, err := s.Tools()
	if err != nil || len(tools) != 2 || len(refused) > 0 {
		t.Fatalf("%d tools, %v, %v", len(tools), refused, err)
	}
	for message, want := range map[string]string{"call add": `"The result is 3"`, "call risky": "needs the approval of a person", "busy": "slow down, ***"} {
		args, _ := json.Marshal(map[string]string{"message": message})
		result, err := tools[0].Tool.Invoke(t.Context(), args, 0)
		got := string(result)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", message, got, want)
		}
	}
	var list []*runState
	if (caller{t, address, secret}).do("GET", "/api/runs", nil, &list); len(list) != 0 {
		t.Errorf("they are runs of ada: %d", len(list))
	}
	if (caller{t, address, otherSecret}).do("GET", "/api/runs", nil, &list); len(list) != 3 {
		t.Errorf("the runs of bea: %d", len(list))
	}
	for _, r := range list {
		if r.Title == "call risky" && r.Status != journal.Waiting {
			t.Errorf("the call that needs approval: %+v", r)
		}
	}
}
