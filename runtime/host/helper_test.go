package host_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
	"github.com/gram-lang/gramc/runtime/mcp"
)

// The test binary is a program of a library, too, when it finds its part in the
// environment. Where it does, libraries set GORACE to atexit_sleep_ms=0: else each of
// its processes waits for a second at its end when it was built with -race.
const part = "GRAMC_TEST_PART"

func TestMain(m *testing.M) {
	value := os.Getenv("VALUE")
	if value == "" && len(os.Args) > 2 {
		value = os.Args[2]
	}
	switch os.Getenv(part) {
	case "":
		os.Exit(m.Run())
	case "tell":
		fmt.Print(spelled(os.Args[1], value))
	case "fail":
		fmt.Fprint(os.Stderr, spelled(os.Args[1], value))
		os.Exit(3)
	case "serve":
		serveEcho(os.Args[1], value)
	}
}

// spellings names what spelled knows.
func spellings() []string {
	return []string{
		"raw", "json", "json-ascii", "json-twice", "go", "json-object", "json-value", "query", "path", "percent-lower", "html",
		"base64", "base64-url", "basic", "hex", "HEX", "padded", "cut", "long",
	}
}

// spelled returns how a program may print a secret.
func spelled(how, secret string) string {
	quoted, _ := json.Marshal(secret)
	switch how {
	case "json":
		return `{"key": ` + string(quoted) + `, "n": 1}`
	case "json-ascii":
		return strings.ReplaceAll(strconv.QuoteToASCII(secret), "/", `\/`)
	case "json-twice":
		twice, _ := json.Marshal(`{"key": ` + string(quoted) + `}`)
		return `[` + string(twice) + `]`
	case "json-object":
		return `{` + string(quoted) + `: [` + string(quoted) + `, 12, true]}`
	case "json-value":
		return secret
	case "go":
		return fmt.Sprintf("cannot open %q", secret)
	case "query":
		return "https://example.com/?key=" + url.QueryEscape(secret) + "&x=1"
	case "path":
		return "https://example.com/" + url.PathEscape(secret) + "/x"
	case "percent-lower":
		return regexp.MustCompile(`%..`).ReplaceAllStringFunc(url.QueryEscape(secret), strings.ToLower)
	case "html":
		return "<p>" + html.EscapeString(secret) + "</p>"
	case "base64":
		return base64.StdEncoding.EncodeToString([]byte(secret))
	case "base64-url":
		return base64.RawURLEncoding.EncodeToString([]byte("ab" + secret + "\n"))
	case "basic":
		return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+secret))
	case "hex":
		return hex.EncodeToString([]byte(secret))
	case "HEX":
		return fmt.Sprintf("%X", secret)
	case "padded":
		return "  " + strings.TrimSpace(secret) + "  \n"
	case "cut":
		return strings.Repeat("x", 2048-10) + secret + "!"
	case "long":
		return secret + strings.Repeat("y", max(1000, 2048-len(secret)/2))
	}
	return secret
}

// serveEcho is an MCP server that sends a secret wherever it can.
func serveEcho(how, secret string) {
	text := spelled(how, secret)
	switch how {
	case "world":
		serveList(`{"name":"tell","description":"d","inputSchema":{"type":"object"}},
			{"name":"out","description":"d","inputSchema":{"type":"object"},"annotations":{"openWorldHint":true}}`)
	case "named":
		serveList(`{"name":"get_` + secret + `","description":"d","inputSchema":{"type":"object"}}`)
	case "hello":
		serveList(`{"name":"Hello","description":"d","inputSchema":{"type":"object"}}`)
	}
	if how == "noise" {
		fmt.Println("listening with " + secret)
		os.Exit(1)
	}
	if how == "stderr" {
		fmt.Fprintln(os.Stderr, "cannot log in with "+secret)
		os.Exit(1)
	}
	schema, _ := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{
		"city": map[string]any{"type": "string", "description": text}}})
	tool := func(name string, run runtime.Handler) runtime.Tool {
		t, err := runtime.NewTool(runtime.ToolConfig{Name: name, Description: "Tells " + text, Input: schema, Execute: run})
		if err != nil {
			panic(err)
		}
		return t
	}
	o := mcp.ServeOptions{Name: "echo", Version: "1", Tools: []runtime.Tool{
		tool("tell", func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.Marshal(text) }),
		tool("fail", func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, errors.New(text) }),
	}}
	if err := mcp.Serve(context.Background(), os.Stdin, os.Stdout, o); err != nil {
		os.Exit(1)
	}
}

// tryOpen opens a library; its variables are those of env.
func tryOpen(t *testing.T, env map[string]string, list ...*library.Library) (*host.Set, error) {
	t.Helper()
	set, err := host.Open(t.Context(), list, &host.Options{LookupEnv: func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	}})
	if err == nil {
		t.Cleanup(func() {
			if err := set.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return set, err
}

// serveList is an MCP server that has these tools, and ends the program.
func serveList(tools string) {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var call struct {
			ID     json.RawMessage
			Method string
		}
		_ = json.Unmarshal(lines.Bytes(), &call)
		switch call.Method {
		case "initialize":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`+"\n", call.ID)
		case "tools/list":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[%s]}}`+"\n", call.ID, strings.NewReplacer("\n", "", "\t", "").Replace(tools))
		}
	}
	os.Exit(0)
}
