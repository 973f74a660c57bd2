// Package durabletest is the suite that every engine of durable runs passes: it kills a
// process that works on many runs, again and again, and then reads in a ledger what was
// done.
//
//	func TestMain(m *testing.M) { durabletest.Main(m, engine) }
//
//	func TestEngine(t *testing.T) { durabletest.Test(t) }
//
// The processes are the test binary itself. GRAMC_DURABLE_KILLS sets how many kills each test
// makes, and GRAMC_DURABLE_TURNS how long the runs are, of three steps each; the default is a few.
package durabletest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

// An Engine runs the sessions of a world.
type Engine struct {
	// Work begins the sessions that have not begun, goes on with those that have, and
	// returns when all have ended. Other processes may be working on them at the same time. It
	// keeps all it needs in the folder, and ranges over the events of each run with Watch.
	Work func(ctx context.Context, folder string, w *World) error

	// Conversations returns the conversation of each session that has ended.
	Conversations func(ctx context.Context, folder string, sessions []string) (map[string]runtime.Conversation, error)
}

const (
	sessions  = 64
	fewTurns  = 6
	fewKills  = 4
	atMost    = 2 * time.Minute // for all sessions, once nothing is killed any more
	workerEnv = "GRAMC_DURABLETEST_WORKER"
	killsEnv  = "GRAMC_DURABLE_KILLS"
	turnsEnv  = "GRAMC_DURABLE_TURNS"
)

// A job is what a worker is started with.
type job struct {
	Folder   string
	Repeat   runtime.Repeat
	Turns    int
	Sessions []string
}

func (j *job) open() (*World, error) {
	return openWorld(filepath.Join(j.Folder, "world"), j.Repeat, j.Turns, j.Sessions)
}

// current is the engine of this test binary, which Main sets.
var current Engine

// Main runs the tests of a package with an engine, or the work of a worker.
func Main(m *testing.M, e Engine) {
	current = e
	text := os.Getenv(workerEnv)
	if text == "" {
		os.Exit(m.Run())
	}
	if err := work(e, text); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func work(e Engine, text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	w, err := j.open()
	if err != nil {
		return err
	}
	return e.Work(context.Background(), filepath.Join(j.Folder, "engine"), w)
}

// Test runs the suite.
func Test(t *testing.T) {
	kills := number(killsEnv, fewKills)
	for _, workers := range []int{1, 3} {
		for _, repeat := range []runtime.Repeat{runtime.RepeatSafe, runtime.RepeatKeyed, runtime.RepeatOnce} {
			t.Run(fmt.Sprintf("%d workers/%s", workers, repeat), func(t *testing.T) { killAll(t, repeat, kills, workers) })
		}
	}
}

// number returns a number of the environment.
func number(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
}

// killAll kills workers so many times, in as many rounds of sessions as that takes, and checks
// each round.
func killAll(t *testing.T, repeat runtime.Repeat, kills, workers int) {
	var sum tally
	for round := 0; kills > 0; round++ {
		j := job{Folder: t.TempDir(), Repeat: repeat, Turns: number(turnsEnv, fewTurns)}
		for i := range sessions {
			j.Sessions = append(j.Sessions, fmt.Sprintf("r%ds%d", round, i))
		}
		for _, name := range []string{"world", "engine"} {
			if err := os.Mkdir(filepath.Join(j.Folder, name), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		const mostPerRound = 10
		killed := j.kill(t, min(kills, mostPerRound), workers)
		if killed == 0 {
			t.Fatal("no worker could be killed at work")
		}
		kills -= killed
		sum.killed += killed
		j.check(t, &sum)
	}
	t.Logf("%d kills: %d runs, %d calls, %d steps made again, %d unknown; first step of a resumed run after %v (median of %d), %v at most",
		sum.killed, sum.runs, sum.calls, sum.again, sum.unknown, sum.quantile(0.5), len(sum.resumed), sum.quantile(1))
}

// kill has so many workers at work at a time and kills up to so many of them; those that it
// starts then end. It returns how many were killed.
func (j *job) kill(t *testing.T, most, workers int) (killed int) {
	all := make([]*worker, workers)
	defer func() {
		for _, w := range all {
			if w != nil {
				w.kill()
			}
		}
	}()
	for {
		for i, w := range all {
			if w == nil {
				all[i] = j.start(t)
			}
		}
		if killed == most {
			j.wait(t, all, killed)
			return killed
		}
		if !j.waitForWork(all) {
			j.wait(t, all, killed)
			return killed
		}
		time.Sleep(time.Duration(rand.IntN(60_000)) * time.Microsecond)
		i := rand.IntN(workers)
		if all[i].kill() {
			all[i] = nil
			killed++
		}
	}
}

// wait waits until all workers have ended.
func (j *job) wait(t *testing.T, all []*worker, killed int) {
	enough := time.After(atMost)
	for _, w := range all {
		select {
		case <-w.ended:
		case <-enough:
			t.Fatalf("after %d kills, not all runs have ended within %v", killed, atMost)
		}
		if w.err != nil {
			t.Fatalf("a worker has failed: %v\n%s", w.err, w.cmd.Stderr)
		}
	}
}

// A worker is a process that works on the sessions.
type worker struct {
	cmd   *exec.Cmd
	ended chan struct{}
	err   error // once it has ended
}

// kill kills a worker, and returns false if it has ended before.
func (w *worker) kill() bool {
	select {
	case <-w.ended:
		return false
	default:
	}
	_ = w.cmd.Process.Kill()
	<-w.ended
	return w.err != nil
}

func (j *job) start(t *testing.T) *worker {
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	w := &worker{cmd: exec.Command(os.Args[0], "-test.run=^$"), ended: make(chan struct{})}
	w.cmd.Env = append(os.Environ(), workerEnv+"="+string(text))
	w.cmd.Stderr = new(strings.Builder)
	f, err := os.OpenFile(j.ledger(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintf(f, "start - - %d\n", time.Now().UnixMicro())
	}
	if err == nil {
		err = f.Close()
	}
	if err == nil {
		err = w.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		w.err = w.cmd.Wait()
		close(w.ended)
	}()
	return w
}

func (j *job) ledger() string { return filepath.Join(j.Folder, "world", "ledger") }

// waitForWork waits until the workers have done something; false if all, or one with an error,
// have ended.
func (j *job) waitForWork(all []*worker) bool {
	before, _ := os.Stat(j.ledger())
	for {
		working := false
		for _, w := range all {
			select {
			case <-w.ended:
				if w.err != nil {
					return false
				}
			default:
				working = true
			}
		}
		if !working {
			return false
		}
		if now, err := os.Stat(j.ledger()); err == nil && now.Size() > before.Size() {
			return true
		}
		time.Sleep(time.Millisecond)
	}
}

// A tally sums up what was done.
type tally struct {
	killed, runs, calls, again, unknown int
	resumed                             []time.Duration
}

// quantile returns the time within which that part of the resumed runs, up to 1 of them, had gone on.
func (s *tally) quantile(part float64) time.Duration {
	if len(s.resumed) == 0 {
		return 0
	}
	slices.Sort(s.resumed)
	return s.resumed[int(part*float64(len(s.resumed)-1))]
}

// check compares what was done with what runs do that are not killed.
func (j *job) check(t *testing.T, sum *tally) {
	effects := j.readLedger(t, sum)
	w, err := j.open()
	if err != nil {
		t.Fatal(err)
	}
	defer w.ledger.Close()
	got, err := current.Conversations(t.Context(), filepath.Join(j.Folder, "engine"), j.Sessions)
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range j.Sessions {
		conversation, ok := got[session]
		if !ok {
			t.Errorf("%s is lost", session)
			continue
		}
		sum.runs++
		sum.calls += j.Turns * callsPerTurn
		if j.Repeat == runtime.RepeatOnce {
			sum.unknown += checkOnce(t, session, conversation, j.Turns, effects)
			continue
		}
		checkEqual(t, w, session, conversation)
	}
	for call, n := range effects {
		if n > 1 && j.Repeat == runtime.RepeatKeyed {
			t.Errorf("%s has had %d effects", call, n)
		}
	}
}

// readLedger reports finished steps that were made again, and returns how many effects each
// call has had.
func (j *job) readLedger(t *testing.T, sum *tally) map[string]int {
	f, err := os.Open(j.ledger())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	finished, made, effects := map[string]bool{}, map[string]bool{}, map[string]int{}
	begun, started, first := map[string]bool{}, int64(0), map[string]bool{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var what, session, step string
		var at int64
		if _, err := fmt.Sscan(lines.Text(), &what, &session, &step, &at); err != nil {
			t.Fatalf("the ledger has the line %q", lines.Text())
		}
		name := session + " " + step
		switch what {
		case "start":
			started, first = at, map[string]bool{}
		case lineRequest, lineCall:
			if finished[name] {
				t.Errorf("%s was finished, and is made again", name)
			}
			if made[name] {
				sum.again++
			}
			made[name] = true
			if begun[session] && !first[session] {
				sum.resumed = append(sum.resumed, time.Duration(at-started)*time.Microsecond)
			}
			first[session], begun[session] = true, true
		case lineEffect:
			effects[name]++
		case lineFinished:
			finished[name] = true
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return effects
}

// checkEqual compares the conversation of a session with that of a run that is not killed.
func checkEqual(t *testing.T, w *World, session string, got runtime.Conversation) {
	quiet := *w
	quiet.repeat, quiet.quick = runtime.RepeatSafe, true
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	quiet.ledger = null
	bound, err := quiet.Bind(session, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := bound.Run(t.Context(), w.Message(session), nil)
	if err != nil {
		t.Fatal(err)
	}
	if g, w := text(t, got), text(t, want.Conversation); g != w {
		t.Errorf("%s ends otherwise than without a kill:\n%s\nwant\n%s", session, g, w)
	}
}

// text returns a conversation byte for byte.
func text(t *testing.T, c runtime.Conversation) string {
	var b strings.Builder
	for _, m := range c {
		fmt.Fprintf(&b, "%q %q %q %q %t %q", m.Role, m.Content, m.CallID, m.ToolName, m.Failed, m.Extra)
		for _, call := range m.Calls {
			fmt.Fprintf(&b, " (%q %q %q %q)", call.ID, call.Name, call.Args, call.Extra)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// checkOnce checks the calls of a session that must not be made twice, and returns how many are
// reported as unknown.
func checkOnce(t *testing.T, session string, c runtime.Conversation, turns int, effects map[string]int) (unknown int) {
	results := 0
	for i := range c {
		m := &c[i]
		if m.Role != runtime.RoleTool {
			continue
		}
		results++
		var turn, n int
		if _, err := fmt.Sscanf(m.CallID, "c%d_%d", &turn, &n); err != nil {
			t.Fatal(err)
		}
		step := fmt.Sprintf("%d/%d", turn, n+1)
		had := effects[session+" "+step]
		switch reported := strings.Contains(m.Content, runtime.UnknownEffect); {
		case had > 1:
			t.Errorf("%s %s has had %d effects", session, step, had)
		case reported:
			unknown++
		case had != 1 || !strings.Contains(m.Content, fmt.Sprintf("%q", session+" "+step)):
			t.Errorf("%s %s has had %d effects, and its result is %s", session, step, had, m.Content)
		}
	}
	if results != turns*callsPerTurn || len(c) != results+turns+2 {
		t.Errorf("%s has %d messages with %d results", session, len(c), results)
	}
	return unknown
}
