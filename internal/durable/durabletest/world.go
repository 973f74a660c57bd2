package durabletest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A World is what the runs of a test work on: an agent whose model and tools do the same
// whenever they get the same, and write what they do to a ledger. An engine sees it in a
// process that is killed.
type World struct {
	dir    string // of the ledger
	repeat runtime.Repeat
	turns  int // requests of a run, but the last
	names  []string
	quick  bool // nothing takes time
	ledger *os.File
}

// The lines of the ledger: what, of which session, which step.
const (
	lineRequest  = "request"  // a request is made
	lineCall     = "call"     // a call is made
	lineEffect   = "effect"   // it had its effect
	lineFinished = "finished" // the loop went on after a request or a call
)

const callsPerTurn = 2 // they run in parallel

func openWorld(dir string, repeat runtime.Repeat, turns int, names []string) (*World, error) {
	f, err := os.OpenFile(filepath.Join(dir, "ledger"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	return &World{dir: dir, repeat: repeat, turns: turns, names: names, ledger: f}, err
}

// Sessions returns the names of the runs.
func (w *World) Sessions() []string { return w.names }

// Message returns the message of the user in a session.
func (w *World) Message(session string) string { return "the task of " + session }

// write writes a line, at once.
func (w *World) write(what, session, step string) error {
	_, err := fmt.Fprintf(w.ledger, "%s %s %s %d\n", what, session, step, time.Now().UnixMicro())
	return err
}

// Bind binds the agent of a session. The options are those of the engine.
func (w *World) Bind(session string, o *interp.Options) (*interp.Bound, error) {
	tool, err := runtime.NewTool(runtime.ToolConfig{
		Name: "work", Adopt: true, Concurrent: true, Repeat: w.repeat,
		Execute: func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			return w.work(ctx, session, args)
		},
	})
	if err != nil {
		return nil, err
	}
	lib, err := runtime.Library{}.Add("work", tool)
	if err != nil {
		return nil, err
	}
	agent := &interp.Agent{
		Name: "worker", Instruction: "Work.", Model: compile.Model{Provider: "OpenAI", ID: "m"}, MaxIterations: w.turns + 1,
		Tools: []runtime.Contract{{Name: "work", Description: "Works.", Input: json.RawMessage(`{"type":"object"}`)}},
	}
	return interp.Bind(agent, lib, model{w, session}, o)
}

// Watch ranges over the events of a run, and returns its error.
func (w *World) Watch(session string, events iter.Seq2[interp.Event, error]) error {
	for e, err := range events {
		switch {
		case err != nil:
			return err
		case e.Replayed:
			continue
		}
		step := ""
		switch e.Kind {
		case interp.EventResponse:
			step = fmt.Sprint(e.Turn)
		case interp.EventToolFinished:
			step = stepOf(e.Invocation.Args)
		default:
			continue
		}
		if err := w.write(lineFinished, session, step); err != nil {
			return err
		}
	}
	return nil
}

// A model calls the tool twice for some turns, and then answers with what it got.
type model struct {
	*World
	session string
}

func (model) Name() string { return "durabletest" }

func (m model) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	turn, got := 1, sha256.New()
	for _, message := range r.Messages {
		if message.Role == runtime.RoleAssistant {
			turn++
		}
		got.Write([]byte(message.Content))
	}
	if err := m.write(lineRequest, m.session, fmt.Sprint(turn)); err != nil {
		return nil, err
	}
	if err := m.pause(ctx, m.session, turn, 0); err != nil {
		return nil, err
	}
	response := &runtime.Response{Content: fmt.Sprintf("turn %d of %s after %x", turn, m.session, got.Sum(nil)), Finish: "stop", Usage: runtime.Usage{Input: 10, Output: 5, Total: 15}}
	if turn <= m.turns {
		for n := range callsPerTurn {
			args := fmt.Sprintf(`{"turn": %d, "n": %d, "text": %q}`, turn, n, strings.Repeat("work ", 50))
			response.Calls = append(response.Calls, runtime.Call{ID: fmt.Sprintf("c%d_%d", turn, n), Name: "work", Args: json.RawMessage(args)})
		}
	}
	return response, nil
}

// stepOf returns the name of a call in the ledger.
func stepOf(args json.RawMessage) string {
	var in struct{ Turn, N int }
	_ = json.Unmarshal(args, &in) // they are those of the model above
	return fmt.Sprintf("%d/%d", in.Turn, in.N+1)
}

// work is the tool.
func (w *World) work(ctx context.Context, session string, args json.RawMessage) (json.RawMessage, error) {
	step := stepOf(args)
	if err := w.write(lineCall, session, step); err != nil {
		return nil, err
	}
	if err := w.pause(ctx, session+step, 1, 1); err != nil {
		return nil, err
	}
	first, err := w.first(ctx)
	if err != nil {
		return nil, err
	}
	if first {
		if err := w.write(lineEffect, session, step); err != nil {
			return nil, err
		}
	}
	if err := w.pause(ctx, session+step, 1, 2); err != nil {
		return nil, err
	}
	return resultOf(session, step), nil
}

// first reports whether a call has not been made before, as far as its key says so.
func (w *World) first(ctx context.Context) (bool, error) {
	if w.repeat != runtime.RepeatKeyed {
		return true, nil
	}
	key := runtime.CallKey(ctx)
	if key == "" {
		return false, errors.New("a call of a keyed tool has no key")
	}
	sum := sha256.Sum256([]byte(key))
	f, err := os.OpenFile(filepath.Join(w.dir, "key-"+hex.EncodeToString(sum[:8])), os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, f.Close()
}

func resultOf(session, step string) json.RawMessage {
	return fmt.Appendf(nil, `{"done":  %q, "text": %q}`, session+" "+step, strings.Repeat("<result> ", 30))
}

// pause waits for up to 4 ms, always the same time at the same place.
func (w *World) pause(ctx context.Context, of string, turn, place int) error {
	if w.quick {
		return nil
	}
	h := fnv.New32a()
	fmt.Fprint(h, of, turn, place)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(h.Sum32()%4000) * time.Microsecond):
		return nil
	}
}
