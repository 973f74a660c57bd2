package server

import (
	"encoding/json"
	"fmt"
	"net/http"
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

// TestNobodyUsesUpTheMCPSessionsOfOthers opens as many as there may be, and more.
func TestNobodyUsesUpTheMCPSessionsOfOthers(t *testing.T) {
	address := start(t, twoUsers)
	initialize := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
	open := func(token string) (status int, session string) {
		r, err := http.NewRequestWithContext(t.Context(), "POST", address+"/mcp", strings.NewReader(initialize))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		return response.StatusCode, response.Header.Get("Mcp-Session-Id")
	}
	refused := false
	for range 80 {
		status, _ := open(otherSecret)
		refused = refused || status != 200
	}
	if !refused {
		t.Error("a user can open as many sessions as it likes")
	}
	status, session := open(secret)
	if status != 200 || session == "" {
		t.Fatalf("another user: %d", status)
	}
	for token, want := range map[string]int{otherSecret: 404, secret: 200} {
		if status, text := get(t, "POST", address+"/mcp", `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, "Authorization", "Bearer "+token,
			"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "Mcp-Session-Id", session); status != want {
			t.Errorf("the session of ada, used by %s: %d %s", token, status, text)
		}
	}
}

func TestMCPServersAreBounded(t *testing.T) {
	catalog := newCatalog(t, &talker{})
	var s *Server
	startWith(t, func(o *Options) { o.Catalog = catalog }, &s)
	agents, _, done := catalog.use()
	defer done()
	for i := range maxMCPServers + 1 {
		if _, err := s.offer.current(s, agents, Principal{Name: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.offer.servers); n != maxMCPServers || s.offer.servers["0"] != nil {
		t.Errorf("%d servers", n)
	}
}
