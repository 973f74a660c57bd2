package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// workerVariable has the folder of a server that this test program is, started again.
const workerVariable = "GRAMC_TEST_SERVER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(workerVariable); folder != "" {
		serveLedger(folder)
		return
	}
	if os.Getenv(loadVariable) != "" {
		serveLoad()
		return
	}
	os.Exit(m.Run())
}

// turnsOfLedger is how many calls a conversation of the ledger makes.
const turnsOfLedger = 3

// A ledgerModel calls the tool a few times, and then answers.
type ledgerModel struct{}

func (ledgerModel) Name() string { return "ledger" }

func (ledgerModel) Generate(_ context.Context, r *runtime.Request) (*runtime.Response, error) {
	calls := 0
	for i := range r.Messages {
		if r.Messages[i].Role == runtime.RoleTool {
			calls++
		}
	}
	if calls == turnsOfLedger {
		return &runtime.Response{Content: "done", Finish: "stop"}, nil
	}
	return &runtime.Response{Calls: []runtime.Call{{ID: fmt.Sprint("c", calls), Name: "note", Args: json.RawMessage("{}")}}, Finish: "tool_calls"}, nil
}

// serveLedger serves an agent whose tool appends the key of the call to a file. It writes its
// address to standard output.
func serveLedger(folder string) {
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	ledger, err := os.OpenFile(filepath.Join(folder, "ledger"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	check(err)
	note, err := runtime.NewTool(runtime.ToolConfig{Name: "note", Description: "Notes", Input: json.RawMessage(`{"type":"object"}`),
		Execute: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			time.Sleep(5 * time.Millisecond)
			_, err := ledger.WriteString(runtime.CallKey(ctx) + "\n")
			return json.RawMessage(`"noted"`), err
		}})
	check(err)
	lib, err := runtime.Library{}.Add("note", note)
	check(err)
	agent := &interp.Agent{Name: "echo", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m"},
		Tools: []runtime.Contract{{Name: "note", Description: "Notes", Input: note.Input()}}}
	catalog := &Catalog{}
	catalog.Set([]*Agent{{Name: "echo", File: "/ledger.gram", Program: []byte("ledger"), Redact: func(text string) string { return text },
		Bind: func(o *interp.Options) (*interp.Bound, error) { return interp.Bind(agent, lib, ledgerModel{}, o) }}}, nil)
	j, err := journal.Open(filepath.Join(folder, "state"), nil)
	check(err)
	token, err := NewToken(Principal{Name: "ada"}, secret)
	check(err)
	s, err := New(Options{Catalog: catalog, Engine: OnJournal(j), Access: Access{Tokens: []Token{token}}, Grace: 20 * time.Millisecond,
		Limits: Limits{ClientRuns: 1000, Burst: 100_000, Watchers: 1000}})
	check(err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	time.AfterFunc(2*time.Minute, func() { os.Exit(1) }) // if the test is gone
	fmt.Println("http://" + listener.Addr().String())
	check(s.Serve(ctx, listener))
	check(j.Close())
}

// startLedger starts a server, and returns what talks to it.
func startLedger(t *testing.T, folder string) (*exec.Cmd, caller) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), workerVariable+"="+folder)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // if it is still there
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, problems.String())
	}
	return cmd, caller{t, strings.TrimSpace(address), secret}
}

func TestNoConversationIsLostInACrash(t *testing.T) {
	if goruntime.GOOS == "windows" {
		t.Skip("there is no SIGTERM on Windows")
	}
	const conversations = 200
	for _, how := range []os.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		folder := t.TempDir()
		cmd, c := startLedger(t, folder)
		var mu sync.Mutex
		var ids []string
		var sending sync.WaitGroup
		for w := range 8 {
			sending.Go(func() {
				for i := w; i < conversations; i += 8 {
					id, _ := c.send("", "go")
					mu.Lock()
					ids = append(ids, id)
					mu.Unlock()
				}
			})
		}
		sending.Wait()
		if err := cmd.Process.Signal(how); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was ended
		cmd, c = startLedger(t, folder)
		unknown := 0
		for _, id := range ids {
			list := c.follow(id, "", ended)
			last := list[len(list)-1].Run
			if last == nil || last.Status != journal.Finished || last.Answer != "done" {
				t.Fatalf("%v: a conversation ended as %+v", how, last)
			}
			for _, e := range list {
				if e.Kind == kindResult && e.Failed {
					unknown++
				}
			}
		}
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		text, err := os.ReadFile(filepath.Join(folder, "ledger"))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for key := range strings.Lines(string(text)) {
			if seen[key]++; seen[key] > 1 {
				t.Errorf("%v: the call %q was made twice", how, key)
			}
		}
		if missing := conversations*turnsOfLedger - len(seen); missing > unknown || missing < 0 {
			t.Errorf("%v: %d calls were not made, and %d are reported as unknown", how, missing, unknown)
		}
		t.Logf("%v: %d calls, %d unknown", how, len(seen), unknown)
	}
}
