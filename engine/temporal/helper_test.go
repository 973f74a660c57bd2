package temporal_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/engine/temporal"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A server is the Temporal server of a test, in a process of its own.
type server struct {
	address, namespace string
	in                 io.Closer // it ends with that
}

// built is the binary of the server, which is linked once.
var built = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("GRAMC_TEMPORAL_SERVER"); path != "" { // one that is there
		return path, nil
	}
	dir, err := os.MkdirTemp("", "gramc-temporal-*")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "testserver")
	build := exec.Command("go", "build", "-o", path, ".")
	build.Dir = filepath.Join("internal", "testserver") // a module of its own
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// shared is the server of most tests. It ends with this process, since its input does then.
var shared = sync.OnceValues(func() (*server, error) {
	s, _, err := start()
	return s, err
})

func sharedServer(tb testing.TB) *server {
	tb.Helper()
	s, err := shared()
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// start starts a server.
func start(args ...string) (*server, *exec.Cmd, error) {
	path, err := built()
	if err != nil {
		return nil, nil, err
	}
	command := exec.Command(path, args...)
	command.Stderr = os.Stderr
	in, err := command.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := command.Start(); err != nil {
		return nil, nil, err
	}
	s := server{in: in}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		_, err = fmt.Sscan(line, &s.address, &s.namespace)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the server says %q: %w", line, err)
	}
	return &s, command, nil
}

// startServer starts a server that ends with the test.
func startServer(tb testing.TB, args ...string) *server {
	tb.Helper()
	s, command, err := start(args...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	return s
}

// dial connects to the server. Each queue has its own workers.
func (s *server) dial(tb testing.TB, queue string, store temporal.Store) *temporal.Engine {
	tb.Helper()
	e, err := temporal.Dial(tb.Context(), &temporal.Options{Address: s.address, Namespace: s.namespace, Queue: queue, Store: store})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(e.Close)
	return e
}

// work has an engine make steps until the test ends, or the function is called.
func work(tb testing.TB, e *temporal.Engine, open temporal.Open) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- e.Work(ctx, open) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			tb.Error(err)
		}
	})
	tb.Cleanup(stop)
	return stop
}

// A script is the model of a test: what it says at each turn, and what was done.
type script struct {
	respond  func(turn int) runtime.Response
	call     func(ctx context.Context, args json.RawMessage) (json.RawMessage, error)
	config   runtime.ToolConfig
	timeout  time.Duration // of the agent
	requests atomic.Int32
	calls    atomic.Int32
}

func (*script) Name() string { return "script" }

func (s *script) Generate(_ context.Context, r *runtime.Request) (*runtime.Response, error) {
	s.requests.Add(1)
	turn := 1
	for _, m := range r.Messages {
		if m.Role == runtime.RoleAssistant {
			turn++
		}
	}
	response := s.respond(turn)
	if response.Finish == "" {
		return nil, runtime.Errorf(runtime.KindConfiguration, "the key is wrong")
	}
	return &response, nil
}

// bind binds an agent with a tool "find" that the script plays.
func (s *script) bind(o *interp.Options) (*interp.Bound, error) {
	config := s.config
	config.Name, config.Adopt = "find", true
	config.Execute = func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
		s.calls.Add(1)
		if s.call != nil {
			return s.call(ctx, args)
		}
		return json.RawMessage(`{"found": "it"}`), nil
	}
	tool, err := runtime.NewTool(config)
	if err != nil {
		return nil, err
	}
	lib, err := runtime.Library{}.Add("find", tool)
	if err != nil {
		return nil, err
	}
	agent := &interp.Agent{
		Name: "clerk", Timeout: s.timeout, Instruction: "Find.", Model: compile.Model{Provider: "OpenAI", ID: "gpt-5.4"}, MaxIterations: 1000,
		Tools: []runtime.Contract{{Name: "find", Description: "Finds.", Input: json.RawMessage(`{"type":"object"}`)}},
	}
	return interp.Bind(agent, lib, s, o)
}

func (s *script) open(context.Context, *journal.Run, []byte) (*temporal.Agent, error) {
	return &temporal.Agent{Bind: s.bind}, nil
}

// begin begins a run of the script.
func begin(tb testing.TB, e *temporal.Engine, message string) string {
	tb.Helper()
	id, err := e.Start(tb.Context(), beginning(message))
	if err != nil {
		tb.Fatal(err)
	}
	return id
}

func beginning(message string) *temporal.Begin {
	return &temporal.Begin{
		Run: journal.Run{Agent: "clerk", User: "ann", Title: message}, Model: "OpenAI/gpt-5.4", Program: []byte("program"),
		Start: &durable.Start{Message: runtime.UserMessage(message)},
	}
}

// end follows a run to its end.
func end(tb testing.TB, e *temporal.Engine, id string) *durable.Record {
	tb.Helper()
	return until(tb, e, id, nil)
}

// until follows a run until it is as it shall be; nil: until it has ended.
func until(tb testing.TB, e *temporal.Engine, id string, enough func(*durable.Record) bool) (last *durable.Record) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), time.Minute)
	defer cancel()
	for r, err := range e.Follow(ctx, id) {
		if err != nil {
			tb.Fatal(err)
		}
		if last = r; enough != nil && enough(r) {
			return r
		}
	}
	if enough != nil || last.End == nil {
		tb.Fatalf("run %s ends otherwise", id)
	}
	return last
}

// twoSteps calls the tool once, and answers.
func twoSteps(turn int) runtime.Response {
	if turn == 1 {
		return callOf(1)
	}
	return runtime.Response{Content: "done", Finish: "stop", Usage: runtime.Usage{Input: 1000, Output: 500, Total: 1500}}
}

// callOf returns a response with so many calls.
func callOf(calls int) runtime.Response {
	r := runtime.Response{Content: "thinking", Finish: "tool_calls", Usage: runtime.Usage{Input: 1000, Output: 500, Total: 1500}}
	for n := range calls {
		r.Calls = append(r.Calls, runtime.Call{Name: "find", Args: fmt.Appendf(nil, `{"n": %d}`, n)})
	}
	return r
}
