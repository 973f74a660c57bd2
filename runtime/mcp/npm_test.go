package mcp_test

import (
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/process"
	"github.com/gram-lang/gramc/runtime/mcp"
)

// The servers of others that we are tested with.
const (
	everything = "@modelcontextprotocol/server-everything"
	filesystem = "@modelcontextprotocol/server-filesystem"
)

// installed returns the script of a server from npm, which .ci/run installs.
func installed(t *testing.T, name string) string {
	t.Helper()
	golden.Needs(t, "node")
	script, err := filepath.Abs(filepath.Join("testdata", "npm", "node_modules", filepath.FromSlash(name), "dist", "index.js"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(script); err != nil {
		golden.Missing(t, "npm", err)
	}
	return script
}

func TestServerFilesystem(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "poem.txt"), []byte("Two roads\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := connect(t, mcp.Server{
		Name: "files", Command: []string{"node", installed(t, filesystem), "."}, Base: folder,
		Allow: []string{"read_text_file", "list_directory", "write_file"}, ConnectTimeout: time.Minute,
	})
	tools, refused, err := s.Tools()
	if err != nil || len(tools) != 3 || len(refused) > 0 {
		t.Fatalf("got %d tools, %v, %v", len(tools), refused, err)
	}
	read, write := named(t, s, "read_text_file"), named(t, s, "write_file")
	if read.Annotations.ReadOnly == nil || !*read.Annotations.ReadOnly || write.Annotations.Destructive == nil || !*write.Annotations.Destructive {
		t.Errorf("got %+v and %+v", read.Annotations, write.Annotations)
	}
	for _, tt := range []struct {
		tool mcp.Tool
		args string
		want string
	}{
		{read, `{"path":"poem.txt"}`, "Two roads"},
		{named(t, s, "list_directory"), `{"path":"."}`, "[FILE] poem.txt"},
		{read, `{"path":"../../etc/passwd"}`, "execution: Access denied"},
		{read, `{"path":7}`, "validation: invalid arguments"},
		{write, `{"path":"new.txt","content":"diverged"}`, "Successfully wrote"},
	} {
		if got := invoke(t.Context(), tt.tool.Tool, tt.args); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: got %s, want %s", tt.tool.Name(), tt.args, got, tt.want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(folder, "new.txt")); err != nil || string(text) != "diverged" {
		t.Errorf("got %q, %v", text, err)
	}
}

func TestServerEverythingOverStdio(t *testing.T) {
	script := installed(t, everything)
	t.Setenv("GRAMC_TEST_SECRET", "hunter2")
	everythingWorks(t, connect(t, mcp.Server{Name: "everything", Command: []string{"node", script}, ConnectTimeout: time.Minute}))
}

func TestServerEverythingOverHTTP(t *testing.T) {
	script := installed(t, everything)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	_, port, _ := net.SplitHostPort(address)
	node, err := process.Find("node", "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := process.Start(process.Command{Args: []string{node, script, "streamableHttp"}, Env: []string{"PORT=" + port}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the server does not listen: %s", p.Stderr())
		}
	}
	everythingWorks(t, connect(t, mcp.Server{Name: "everything", URL: "http://" + address + "/mcp", ConnectTimeout: time.Minute}))
}

func everythingWorks(t *testing.T, s *mcp.Session) {
	t.Helper()
	tools, refused, err := s.Tools()
	if err != nil || len(tools) < 8 || len(refused) != 1 || refused[0].Tool != "simulate-research-query" {
		t.Fatalf("got %d tools, %v, %v", len(tools), refused, err)
	}
	for _, tt := range []struct{ tool, args, want string }{
		{"echo", `{"message":"hi"}`, `"Echo: hi"`},
		{"get-sum", `{"a":2,"b":3}`, `"The sum of 2 and 3 is 5."`},
		{"get-sum", `{"a":2}`, "validation: invalid arguments: "},
		{"get-tiny-image", `{}`, `"Here's the image you requested:\n[image image/png, `},
		{"get-structured-content", `{"location":"New York"}`, `{"temperature":33,"conditions":"Cloudy","humidity":82}`},
		{"get-resource-links", `{"count":2}`, `"Here are 2 resource links`},
	} {
		if got := invoke(t.Context(), named(t, s, tt.tool).Tool, tt.args); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s %s:\ngot  %.300s\nwant %s", tt.tool, tt.args, got, tt.want)
		}
	}
	long := named(t, s, "trigger-long-running-operation").Tool
	if _, err := long.Invoke(t.Context(), json.RawMessage(`{"duration":60,"steps":60}`), 300*time.Millisecond); err == nil || err.Error() != "timed out after 300ms" {
		t.Errorf("the long call got %v", err)
	}
	if got := invoke(t.Context(), named(t, s, "get-env").Tool, `{}`); strings.Contains(got, "hunter2") {
		t.Error("the server knows our secrets")
	}
}
