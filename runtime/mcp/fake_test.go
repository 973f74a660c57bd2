package mcp_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime/mcp"
)

// The test binary is a server, too, when it finds its part in the environment.
const part = "GRAMC_TEST_PART"

func TestMain(m *testing.M) {
	switch role := os.Getenv(part); role {
	case "":
		os.Exit(m.Run())
	case "ours":
		if err := mcp.Serve(sigterm(), os.Stdin, os.Stdout, ours()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	default:
		(&fake{fault: role}).run()
	}
}

// A fake is a server that does one thing wrong.
type fake struct {
	fault string
	hint  string // of the tool
	first bool   // it was not started before
}

type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		Meta      json.RawMessage `json:"_meta"`
		Cursor    string          `json:"cursor"`

		Capabilities json.RawMessage `json:"capabilities"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func (f *fake) run() {
	if file := os.Getenv("PID_FILE"); file != "" {
		_ = os.WriteFile(file, []byte(strconv.Itoa(os.Getpid())), 0o600)
	}
	if file := os.Getenv("STARTS"); file != "" {
		before, _ := os.ReadFile(file)
		_ = os.WriteFile(file, append(before, '.'), 0o600)
		f.first = len(before) == 0
	}
	f.fault, f.hint, _ = strings.Cut(f.fault, ",")
	f.atStart()
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		var r request
		if json.Unmarshal(line, &r) == nil && r.ID != nil && r.Method != "" {
			f.answer(in, r)
		}
	}
	if f.fault == "stubborn" {
		time.Sleep(time.Minute)
	}
}

// atStart does what goes wrong before the first message.
func (f fake) atStart() {
	switch f.fault {
	case "exits":
		fmt.Fprintln(os.Stderr, "cannot open the database")
		os.Exit(3)
	case "exits-happily":
		os.Exit(0)
	case "usage":
		fmt.Println("usage: server FOLDER")
		os.Exit(2)
	case "noise":
		fmt.Print("Starting…\n\n{\"level\":\"info\"}\n[1,2]\n\"text\"\nnull\n{broken\n")
	case "noise-flood":
		fmt.Print(strings.Repeat("Debugger attached. Waiting for the debugger.\n", 40000))
	case "endless-line":
		for block := strings.Repeat("x", 1<<20); ; {
			if _, err := io.WriteString(os.Stdout, block); err != nil {
				os.Exit(0)
			}
		}
	case "closes-stdout":
		_ = os.Stdout.Close()
	case "stubborn":
		signal.Ignore(syscall.SIGTERM, os.Interrupt)
		child := exec.Command(os.Args[0])
		child.Env = []string{part + "=grandchild", "GORACE=atexit_sleep_ms=0", "PID_FILE=" + os.Getenv("PID_FILE") + ".child"}
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			os.Exit(1)
		}
	case "grandchild":
		signal.Ignore(syscall.SIGTERM, os.Interrupt)
		time.Sleep(time.Minute)
	}
}

func (f fake) answer(in *bufio.Reader, r request) {
	switch r.Method {
	case "initialize":
		f.initialize(r)
	case "server/discover":
		f.discover(r)
	case "tools/list":
		f.list(r)
	case "tools/call":
		f.call(in, r)
	default:
		f.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, r.ID)
	}
}

func (fake) send(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func (f fake) result(r request, format string, args ...any) {
	id := string(r.ID)
	switch f.fault {
	case "text-ids":
		id = strconv.Quote(id)
	case "wrong-ids":
		id = "4711"
	case "answers-twice":
		defer f.send(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"again"}]}}`, id)
	}
	f.send(`{"result":`+format+`,"jsonrpc":"2.0","id":%s}`, append(args, id)...)
}

func (f fake) initialize(r request) {
	version := "2025-11-25"
	_ = os.Setenv("CAPABILITIES", string(r.Params.Capabilities))
	switch f.fault {
	case "silent":
		return
	case "silent-but-loud":
		fmt.Fprintln(os.Stderr, "waiting for the license server")
		return
	case "no-handshake":
		f.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"no license"}}`, r.ID)
		return
	case "later-handshake":
		f.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"initialize is history"}}`, r.ID)
		return
	case "old-version":
		version = "1999-12-31"
	case "cut-message":
		f.send(`{"jsonrpc":"2.0","id":%s,"result":{"protoc`, r.ID)
		return
	}
	f.result(r, `{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}`, version)
}

func (f fake) discover(r request) {
	if f.fault != "later-handshake" {
		f.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, r.ID)
		return
	}
	f.result(r, `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"resultType":"complete","ttlMs":0,"cacheScope":"private"}`)
}

// tool is the definition of a tool that takes and returns a text.
func tool(name string, more ...string) string {
	return fmt.Sprintf(`{"name":%q,"description":"Says it again","inputSchema":{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"string"}}}%s}`,
		name, strings.Join(more, ""))
}

func described(name, description string) string {
	return fmt.Sprintf(`{"name":%q,"description":%s,"inputSchema":{"type":"object"}}`, name, description)
}

func withSchema(name, schema string) string {
	return fmt.Sprintf(`{"name":%q,"description":"d","inputSchema":%s}`, name, schema)
}

func (f fake) list(r request) {
	tools, more := tool("echo"), ""
	switch f.fault {
	case "dies-in-list":
		fmt.Fprintln(os.Stderr, "panic: list")
		os.Exit(7)
	case "no-list":
		f.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"the index is broken"}}`, r.ID)
		return
	case "hangs-in-list":
		return
	case "null-list":
		tools = "null"
	case "list-of-numbers":
		tools = "1,2"
	case "endless-cursor":
		n, _ := strconv.Atoi(cmp.Or(r.Params.Cursor, "0"))
		tools, more = tool("echo"+r.Params.Cursor), fmt.Sprintf(`,"nextCursor":"%d"`, n+1)
	case "pages":
		n, _ := strconv.Atoi(cmp.Or(r.Params.Cursor, "0"))
		tools = tool(fmt.Sprintf("page%d", n))
		if n < 4 {
			more = fmt.Sprintf(`,"nextCursor":"%d"`, n+1)
		}
	case "many-tools":
		for i := range 80 {
			tools += "," + tool(fmt.Sprintf("tool%d", i))
		}
	case "names":
		tools = strings.Join([]string{
			tool("echo"), tool("echo"), tool("get.sum"), tool("a/b c"), tool(""), tool("get_sum"), tool(strings.Repeat("n", 100)), tool("функция"),
		}, ",")
	case "schemas":
		tools = strings.Join([]string{
			withSchema("deep", strings.Repeat(`{"type":"object","properties":{"x":`, 60)+"true"+strings.Repeat("}}", 60)),
			withSchema("large", fmt.Sprintf(`{"type":"object","description":%q}`, strings.Repeat("x", 70000))),
			withSchema("array", `{"type":"array"}`), withSchema("broken", `{"type":5}`), withSchema("outside", `{"type":"object","properties":{"x":{"$ref":"file:///etc/passwd"}}}`),
			withSchema("none", `null`), `{"name":"bare"}`, withSchema("fine", `{"type":"object"}`),
			tool("bad-output", `,"outputSchema":{"type":"object","properties":7}`),
		}, ",")
	case "very-deep":
		tools = withSchema("deep", strings.Repeat(`{"x":`, 50000)+"1"+strings.Repeat("}", 50000))
	case "hidden-text":
		tools = strings.Join([]string{
			described("tags", `"Adds \udb40\udc41"`), described("turned", `"Adds \u202e"`), described("escape", `"Adds \u001b[2J"`),
			described("zero-width", `"A\u200bdds"`), described("joiners", `"\u200d\u200c\u200d\u200c"`),
			withSchema("parameter", `{"type":"object","properties":{"x":{"description":"\u2066secret"}}}`),
			withSchema("key", `{"type":"object","properties":{"x\u200b":{}}}`),
			described("emoji", `"Adds \u2764\ufe0f\u200d\ud83d\udd25, line\nby line"`),
		}, ",")
	case "dies-once", "annotated":
		tools = tool("echo", `,"annotations":{"`+f.hint+`Hint":true}`)
	case "changes-list":
		if !f.first {
			tools = tool("echo", `,"title":"Another"`)
		}
	case "annotations":
		tools = tool("echo", `,"title":"Echo","annotations":{"readOnlyHint":false,"destructiveHint":true,"openWorldHint":false}`)
	case "task":
		tools = tool("echo", `,"execution":{"taskSupport":"required"}`)
	case "structured":
		tools = tool("echo", `,"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
	}
	f.result(r, `{"tools":[%s]%s}`, tools, more)
}
