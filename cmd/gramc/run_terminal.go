package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/compat"
	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/internal/terminal"
	"github.com/gram-lang/gramc/internal/trace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// canTalk reports whether a person can talk to the agent.
func (r *runner) canTalk() bool {
	return !r.asJSON && isTerminal(r.in) && isTerminal(r.unbuffered)
}

// A talk is a conversation of a runner.
type talk struct {
	*runner
	file      string
	libraries []*library.Library
	lock      *compat.Lock

	notes   noteList // what goes to standard error otherwise
	window  *terminal.Terminal
	session *session.Session
}

// talk holds a conversation on the terminal.
func (r *runner) talk(file string, libraries []*library.Library, lock *compat.Lock) error {
	t := &talk{runner: r, file: file, libraries: libraries, lock: lock}
	plain := t.isPlain()
	ctx, interrupts, stop := talkContext(plain)
	defer stop()
	ctx, cancel := r.runContext(ctx)
	defer cancel()
	if err := r.openTools(ctx, libraries, lock); err != nil {
		return err
	}
	defer func() { r.closeSet(r.tools) }()
	options := t.windowOptions(ctx)
	options.Plain, options.Interrupts = plain, interrupts
	t.window = terminal.New(options)
	var err error
	if t.session, err = session.New(r.agent, r.models(), t.bindTo); err != nil {
		return r.failed(ctx, err)
	}
	if err := r.keep(ctx, t.session, t.window.Ask); err != nil {
		return err
	}
	stderr := r.err
	r.err = &t.notes
	err = t.window.Run(ctx, t.session)
	r.err = stderr
	for _, note := range t.notes.take() {
		r.note(note)
	}
	r.noteResume()
	switch {
	case errors.Is(err, terminal.ErrInterrupted):
		return exitSilently(exitInterrupted)
	case ctx.Err() != nil:
		return r.failed(ctx, ctx.Err())
	}
	return err
}

// isPlain reports whether the terminal can only show lines.
func (t *talk) isPlain() bool {
	name, _ := t.lookup("TERM")
	return name == "dumb" || name == "" && goruntime.GOOS != "windows"
}

// windowOptions returns what the conversation needs of the command line.
func (t *talk) windowOptions(ctx context.Context) *terminal.Options {
	o := &terminal.Options{
		In: t.in.(*os.File), Out: t.unbuffered.(*os.File), Quiet: t.quiet, Approved: t.approve,
		History: t.historyFile, Agents: t.agentNames(), Notes: t.notes.take,
		Agent: func(name string) error { return t.takeOther(ctx, name) },
		Trace: t.traceFrom, Observe: t.observe, Reason: overBudget,
	}
	noColor, _ := t.lookup("NO_COLOR")
	o.Color = t.color.value == "always" || t.color.value == "auto" && noColor == "" && !t.isPlain()
	for p, m := range t.models().All() {
		if !m.Deprecated {
			o.Models = append(o.Models, p.Name+"/"+m.ID)
		}
	}
	if !t.quiet {
		o.Intro = t.intro()
	}
	return o
}

// intro returns what a conversation begins with.
func (t *talk) intro() []string {
	lines := []string{fmt.Sprintf("%s: %s, %s; /help shows what you can write",
		cleanLine(t.agent.Name), cleanLine(t.agent.Model.String()), counted(len(t.agent.Tools), "tool"))}
	if t.offline {
		lines = append(lines, "offline: no model is called; the answers come from fixed rules")
	}
	return append(lines, "")
}

// bindTo binds an agent, which the conversation then is with.
func (t *talk) bindTo(a *interp.Agent) (*interp.Bound, error) {
	if t.session != nil && t.baseURL != "" {
		if first := t.session.Agent().Model.Provider; a.Model.Provider != first {
			return nil, fmt.Errorf("--base-url is the address of %s: end the conversation to talk to %s", first, a.Model.Provider)
		}
	}
	previous := t.agent
	t.agent = a
	o := t.loop
	o.Bind, o.Stream, o.Approve = t.bind.mode(), true, t.traced(t.window.Approve)
	t.keeping.hook(&o)
	bound, err := t.bindAgent(t.guardLeaks(t.tools, a), &o)
	if err != nil {
		t.agent = previous
	}
	return bound, err
}

// agentNames returns the names of the agents in the file.
func (t *talk) agentNames() (names []string) {
	if t.pinned != nil {
		return namesOfAgents(t.pinned)
	}
	text, err := t.readInput(t.file)
	if err != nil {
		return nil
	}
	if isProgram(t.file, text) {
		program, err := compile.ReadProgram(t.file, []byte(text), &compile.Options{Models: t.models()})
		if err != nil {
			return nil
		}
		return namesOfAgents(program)
	}
	u, err := t.loadInput(input{t.file, true, text})
	if err != nil {
		return nil
	}
	return completeAgents(u.File, nil)
}

func namesOfAgents(p *compile.Program) (names []string) {
	for _, a := range p.Agents {
		names = append(names, a.Name)
	}
	return names
}

// takeOther lets the conversation go on with another agent of the file.
func (t *talk) takeOther(ctx context.Context, name string) error {
	before, tools := *t.runner, t.tools
	t.agentName = name
	err := t.loadAgent(t.file)
	if err == nil {
		err = t.openTools(ctx, t.libraries, t.lock)
	}
	if err == nil {
		if err = t.session.SetAgent(t.agent); err == nil {
			t.closeSet(tools)
			return nil
		}
		t.closeSet(t.tools)
	}
	t.agentName, t.agent, t.tools = before.agentName, before.agent, before.tools
	if silent(err) {
		return fmt.Errorf("the agent %q cannot be used", name)
	}
	return err
}

// traceFrom writes all events to a file from now on.
func (t *talk) traceFrom(name string) error {
	opened, err := t.openTrace("/trace", name)
	if err != nil {
		return err
	}
	t.trace.close()
	t.trace = opened
	return nil
}

// observe passes on what happens.
func (t *talk) observe(message *runtime.Message, e *interp.Event, err error) error {
	switch {
	case message != nil:
		return t.began(message)
	case err != nil:
		return t.stopped(trace.FailureOf(err))
	}
	return t.saw(e)
}

// historyFile returns the file of the messages that the user wrote to an agent;
// "" if the user has no folder for it.
func (t *talk) historyFile(agent string) string {
	file, err := filepath.Abs(t.file)
	folder, none := t.state.folderIn(t.cli)
	if err != nil || none != nil || t.keeping.none {
		return ""
	}
	sum := sha256.Sum256([]byte(file + "\x00" + agent))
	return filepath.Join(folder, "history", fmt.Sprintf("%x.jsonl", sum[:12]))
}

// A noteList collects lines.
type noteList struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (n *noteList) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(p)
}

// take returns the lines since the last call.
func (n *noteList) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	text := strings.TrimRight(n.text.String(), "\n")
	n.text.Reset()
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// talkContext returns a context that ends when the system or the terminal asks us
// to end. With plain, Ctrl-C does not end it but is sent to the channel, since it
// stops only the turn. A second signal kills.
func talkContext(plain bool) (ctx context.Context, interrupts <-chan os.Signal, stop context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	all, keys := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(all, interruptSignals()...)
	go func() {
		for {
			select {
			case s := <-all:
				if plain && s == os.Interrupt {
					select {
					case keys <- s:
					default: // it has not stopped since the last one
						cancel()
					}
					continue
				}
				cancel()
			case <-ctx.Done():
				signal.Stop(all)
				return
			}
		}
	}()
	return ctx, keys, cancel
}
