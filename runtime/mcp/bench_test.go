package mcp_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The two benchmarks call the same tool of the same server over stdio: ours
// with everything that a run does to a call, the other with the client of the
// SDK alone.

func BenchmarkCall(b *testing.B) {
	s := connect(b, server(b, "ours"))
	add := named(b, s, "add").Tool
	args := json.RawMessage(`{"a":2,"b":3}`)
	for b.Loop() {
		if _, err := add.Invoke(b.Context(), args, time.Minute); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCallOfTheSDK(b *testing.B) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), part+"=ours")
	client := sdk.NewClient(&sdk.Implementation{Name: "bench", Version: "1"}, nil)
	s, err := client.Connect(b.Context(), &sdk.CommandTransport{Command: cmd}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	args := json.RawMessage(`{"a":2,"b":3}`)
	for b.Loop() {
		if _, err := s.CallTool(b.Context(), &sdk.CallToolParams{Name: "add", Arguments: args}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkConnect(b *testing.B) {
	c := server(b, "ours")
	for b.Loop() {
		s := connect(b, c)
		s.Close()
	}
}
