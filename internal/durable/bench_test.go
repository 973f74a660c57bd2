package durable_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// noise returns a text of so many bytes that cannot be compressed by much.
func noise(size int) string {
	raw := make([]byte, size)
	_, _ = rand.Read(raw) // it never fails
	return base64.StdEncoding.EncodeToString(raw)[:size]
}

// A talker calls a tool in each turn but the last, with a text of 2 KB.
type talker struct{ turns int }

func (talker) Name() string { return "talker" }

func (m talker) Generate(_ context.Context, r *runtime.Request) (*runtime.Response, error) {
	response := &runtime.Response{Content: noise(2000), Finish: "stop"}
	if turn := len(r.Messages)/2 + 1; turn < m.turns {
		response.Calls = []runtime.Call{{ID: fmt.Sprint("c", turn), Name: "t", Args: json.RawMessage(`{}`)}}
	}
	return response, nil
}

func bindTalker(turns int, repeat runtime.Repeat, o *interp.Options) (*interp.Bound, error) {
	tool, err := runtime.NewTool(runtime.ToolConfig{Name: "t", Adopt: true, Repeat: repeat, Execute: func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"` + noise(2000) + `"`), nil
	}})
	if err != nil {
		return nil, err
	}
	lib, err := runtime.Library{}.Add("t", tool)
	if err != nil {
		return nil, err
	}
	a := &interp.Agent{Name: "a", Instruction: "i", Model: compile.Model{ID: "m"}, Tools: []runtime.Contract{{Name: "t", Description: "d", Input: json.RawMessage(`{"type":"object"}`)}}}
	return interp.Bind(a, lib, talker{turns}, o)
}

// talk makes a run of so many turns.
func talk(j *journal.Journal, about journal.Run, turns int, repeat runtime.Repeat) error {
	start := &durable.Start{Message: runtime.UserMessage("hello"), Limits: durable.Limits{MaxTurns: turns}}
	run, err := durable.Begin(context.Background(), j, &about, []byte("program"), start, nil)
	if err != nil {
		return err
	}
	bound, err := bindTalker(turns, repeat, run.Options(nil))
	if err != nil {
		return err
	}
	for _, failed := range run.Events(context.Background(), bound) {
		err = errors.Join(err, failed)
	}
	return err
}

// atOnce does something in so many goroutines, and returns how long that took.
func atOnce(b testing.TB, n int, do func(i int) error) time.Duration {
	b.Helper()
	start, errs := time.Now(), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = do(i) })
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// BenchmarkSteps compares runs with a journal, with their beginnings and ends, with bare inserts
// of what one step writes into SQLite, each in a transaction of its own that is on the disk when
// it ends. Rounds of each follow one another, so that all of them meet the same disk, and the
// medians of the rounds are compared.
func BenchmarkSteps(b *testing.B) {
	for _, sessions := range []int{1, 64} {
		b.Run(fmt.Sprintf("sessions=%d", sessions), func(b *testing.B) {
			const turns = 26
			const steps = 2*turns - 1 // of a run
			insert := bareTable(b)
			safe, once := newBench(b), newBench(b)
			var took [3][]float64 // seconds of a round
			rounds := 0
			for b.Loop() {
				rounds++
				took[0] = append(took[0], atOnce(b, sessions, func(int) error {
					for range steps {
						if _, err := insert.Exec([]byte(noise(2100))); err != nil {
							return err
						}
					}
					return nil
				}).Seconds())
				for i, bench := range []*bench{safe, once} {
					repeat := []runtime.Repeat{runtime.RepeatSafe, runtime.RepeatOnce}[i]
					took[1+i] = append(took[1+i], atOnce(b, sessions, func(int) error { return talk(bench.journal, journal.Run{}, turns, repeat) }).Seconds())
				}
			}
			round := float64(steps * sessions)
			b.ReportMetric(round/median(took[0]), "bare-inserts/s")
			b.ReportMetric(round/median(took[1]), "safe-steps/s")
			b.ReportMetric(round/median(took[2]), "once-steps/s")
			b.ReportMetric(median(took[0])/median(took[1]), "safe/bare")
			b.ReportMetric(median(took[0])/median(took[2]), "once/bare")
			b.ReportMetric(safe.size(b)/(round*float64(rounds)), "B/step")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// A bench is a journal that is measured.
type bench struct {
	dir     string
	journal *journal.Journal
}

func newBench(b *testing.B) *bench {
	dir := filepath.Join(b.TempDir(), "state")
	j, err := journal.Open(dir, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = j.Close() })
	return &bench{dir, j}
}

// size closes the journal, and returns the bytes of its file.
func (s *bench) size(b *testing.B) float64 {
	if err := s.journal.Close(); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(s.dir, "journal.db"))
	if err != nil {
		b.Fatal(err)
	}
	return float64(info.Size())
}

// bareTable returns what inserts a row into a table that has nothing else.
func bareTable(b *testing.B) *sql.Stmt {
	path := filepath.Join(b.TempDir(), "bare.db")
	query := url.Values{"_pragma": {"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(10000)"}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}).String())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("CREATE TABLE entry (id INTEGER PRIMARY KEY, data BLOB NOT NULL)"); err != nil {
		b.Fatal(err)
	}
	insert, err := db.Prepare("INSERT INTO entry (data) VALUES (?)")
	if err != nil {
		b.Fatal(err)
	}
	return insert
}

// BenchmarkResume measures how long a run with 100 steps takes until it goes on.
func BenchmarkResume(b *testing.B) {
	j, err := journal.Open(filepath.Join(b.TempDir(), "state"), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	start := &durable.Start{Message: runtime.UserMessage("hello"), Limits: durable.Limits{MaxTurns: 60}}
	run, err := durable.Begin(b.Context(), j, &journal.Run{ID: "r"}, []byte("program"), start, nil)
	if err != nil {
		b.Fatal(err)
	}
	runUntil(b, run, 51)
	var times []time.Duration
	for b.Loop() {
		at := time.Now()
		if run, err = durable.Resume(b.Context(), j, "r", nil); err != nil {
			b.Fatal(err)
		}
		runUntil(b, run, 51)
		times = append(times, time.Since(at))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
}

// runUntil interrupts a run before a request.
func runUntil(b *testing.B, run *durable.Run, turn int) {
	b.Helper()
	bound, err := bindTalker(60, runtime.RepeatSafe, run.Options(nil))
	if err != nil {
		b.Fatal(err)
	}
	for e, err := range run.Events(b.Context(), bound) {
		if err != nil {
			b.Fatal(err)
		}
		if e.Kind == interp.EventRequest && e.Turn == turn {
			break
		}
	}
}
