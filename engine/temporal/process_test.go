package temporal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gram-lang/gramc/engine/temporal"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/durable/durabletest"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/runtime"
)

// processEnv has what a process of workers is started with.
const processEnv = "GRAMC_TEMPORALTEST_PROCESS"

// A process makes the steps of runs that call a tool at each turn.
type process struct {
	Address, Namespace, Queue, Dir string
	Turns                          int
	Pause                          time.Duration // that a call takes
	Ask                            bool          // calls need approval
	Text                           int           // bytes of a response
}

func TestMain(m *testing.M) {
	if text := os.Getenv(processEnv); text != "" {
		if err := processWork(text); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	durabletest.Main(m, durabletest.Engine{Work: suiteWork, Conversations: suiteConversations})
}

// script returns what the agent of a process does. The ledger gets a line before and after each call.
func (p *process) script(ledger *os.File) *script {
	s := &script{respond: func(turn int) runtime.Response {
		if turn > p.Turns {
			return runtime.Response{Content: "done", Finish: "stop"}
		}
		response := callOf(1)
		response.Content = strings.Repeat("text ", p.Text/5)
		return response
	}}
	s.config.Repeat = runtime.RepeatSafe
	if p.Ask {
		s.config.Approval.Default = runtime.Ask
	}
	s.call = func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		if ledger != nil {
			fmt.Fprintf(ledger, "begin %s %d %d\n", runtime.CallKey(ctx), os.Getpid(), time.Now().UnixMicro())
		}
		time.Sleep(p.Pause)
		if ledger != nil {
			fmt.Fprintf(ledger, "end %s %d %d\n", runtime.CallKey(ctx), os.Getpid(), time.Now().UnixMicro())
		}
		return fmt.Appendf(nil, `{"by": %d}`, os.Getpid()), nil
	}
	return s
}

func processWork(text string) error {
	var p process
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return err
	}
	ledger, err := os.OpenFile(filepath.Join(p.Dir, "ledger"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	e, err := temporal.Dial(context.Background(), &temporal.Options{
		Address: p.Address, Namespace: p.Namespace, Queue: p.Queue, Store: temporal.Files(filepath.Join(p.Dir, "store")), Name: "worker-" + strconv.Itoa(os.Getpid()),
	})
	if err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // it ends with the test
		os.Exit(0)
	}()
	return e.Work(context.Background(), p.script(ledger).open)
}

// start starts a process, which is killed at the end of the test.
func (p *process) start(tb testing.TB) *exec.Cmd {
	tb.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		tb.Fatal(err)
	}
	c := exec.Command(os.Args[0], "-test.run=^$")
	c.Env, c.Stderr = append(os.Environ(), processEnv+"="+string(text)), os.Stderr
	if _, err := c.StdinPipe(); err != nil {
		tb.Fatal(err)
	}
	if err := c.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c
}

// processOf returns a process for the shared server, and an engine for the same runs.
func processOf(tb testing.TB, p process) (*process, *temporal.Engine) {
	tb.Helper()
	s := sharedServer(tb)
	p.Address, p.Namespace, p.Queue, p.Dir = s.address, s.namespace, tb.Name(), tb.TempDir()
	return &p, s.dial(tb, p.Queue, temporal.Files(filepath.Join(p.Dir, "store")))
}

// A made call is one line of the ledger.
type madeCall struct {
	what, step string
	by         int
	at         time.Time
}

func (p *process) ledger(tb testing.TB) (calls []madeCall) {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(p.Dir, "ledger"))
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var c madeCall
		var at int64
		if _, err := fmt.Sscan(line, &c.what, &c.step, &c.by, &at); err != nil {
			tb.Fatalf("the ledger has %q", line)
		}
		c.at = time.UnixMicro(at)
		calls = append(calls, c)
	}
	return calls
}

// freeze stops a process while it makes several calls.
func (p *process) freeze(tb testing.TB, it *os.Process) {
	tb.Helper()
	isCalling := func() bool {
		open := map[string]bool{}
		for _, c := range p.ledger(tb) {
			if c.by != it.Pid {
				continue
			}
			if open[c.step] = true; c.what == "end" {
				delete(open, c.step)
			}
		}
		return len(open) >= 3
	}
	for range 1000 {
		if isCalling() {
			if err := it.Signal(syscall.SIGSTOP); err != nil {
				tb.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
			if isCalling() {
				return
			}
			if err := it.Signal(syscall.SIGCONT); err != nil {
				tb.Fatal(err)
			}
		}
		time.Sleep(time.Millisecond)
	}
	tb.Fatal("the process makes no calls")
}

// TestAWorkerDiesAndOneFreezes kills one of three workers, and stops another one for 8 s.
func TestAWorkerDiesAndOneFreezes(t *testing.T) {
	p, e := processOf(t, process{Turns: 40, Pause: 100 * time.Millisecond})
	workers := []*exec.Cmd{p.start(t), p.start(t), p.start(t)}
	var ids []string
	for range 24 {
		ids = append(ids, begin(t, e, "work"))
	}
	for _, id := range ids {
		until(t, e, id, func(r *durable.Record) bool { return len(r.Steps) > 5 })
	}
	frozen := workers[1].Process
	p.freeze(t, frozen)
	if err := workers[0].Process.Kill(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(8 * time.Second)
	thawed := time.Now()
	if err := frozen.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	finished := map[string]time.Time{}
	longest := time.Duration(0)
	for _, id := range ids {
		r := end(t, e, id)
		if r.Run.Status != journal.Finished {
			t.Errorf("run %s is %s: %s", id, r.Run.Status, r.Run.Error)
		}
		for i := range r.Steps {
			s := &r.Steps[i]
			if i > 0 {
				longest = max(longest, s.Time.Sub(r.Steps[i-1].Time))
			}
			finished[id+"/"+s.Key] = s.Time
		}
	}
	refused, again := 0, 0
	begun, ended, thawedEnd := map[string]bool{}, map[string]int{}, map[string]bool{}
	for _, c := range p.ledger(t) {
		switch {
		case c.what == "begin" && c.at.After(finished[c.step]):
			t.Errorf("%s was finished, and is made again", c.step)
		case c.what == "begin":
			if begun[c.step] {
				again++
			}
			begun[c.step] = true
		default:
			ended[c.step]++
			thawedEnd[c.step] = thawedEnd[c.step] || c.by == frozen.Pid && c.at.After(thawed)
		}
	}
	for step, is := range thawedEnd {
		if is {
			refused += ended[step] - 1 // one outcome is in the history, whoever else made the call
		}
	}
	t.Logf("the longest gap is %v; %d steps were made again, and %d writes of the frozen worker were refused", longest.Round(time.Millisecond), again, refused)
	if longest > 12*time.Second {
		t.Errorf("a run rested for %v", longest)
	}
	if refused == 0 {
		t.Error("the frozen worker had nothing to write")
	}
}
