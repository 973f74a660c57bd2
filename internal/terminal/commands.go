package terminal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/internal/spell"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/runtime"
)

// A command is what the user can write instead of a message.
type command struct {
	name, arg, about string
	do               func(t *Terminal, arg string) outcome
	anytime          bool // also while a turn runs: it does not use the session
}

// An outcome is what a command leads to.
type outcome struct {
	lines   []string // to print
	send    string   // a message to send
	prefill string   // what the prompt then has
	quit    bool
}

// commands returns all commands, in the order of the help.
func commands() []command {
	return []command{
		{"/help", "", "what you can write here", (*Terminal).help, true},
		{"/model", "[NAME]", "show the model, or let another answer from now on", (*Terminal).model, false},
		{"/agent", "[NAME]", "show the agent, or begin anew with another of the file", (*Terminal).agent, false},
		{"/tools", "", "list the tools of the agent", (*Terminal).tools, false},
		{"/undo", "", "take the last message back, as if it had not been sent", (*Terminal).undo, false},
		{"/retry", "", "send the last message again", (*Terminal).retry, false},
		{"/clear", "", "forget the conversation", (*Terminal).clear, false},
		{"/save", "[FILE]", "save the conversation as Markdown, or as JSON", (*Terminal).save, false},
		{"/cost", "", "show what the conversation has taken", (*Terminal).cost, false},
		{"/trace", "[FILE]", "show the steps of the last turn, or write all to a file", (*Terminal).trace, false},
		{"/quit", "", "end the conversation, as Ctrl-D does", func(*Terminal, string) outcome { return outcome{quit: true} }, true},
	}
}

var commandWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^/[a-zA-Z]+$`) })

// commandIn returns the first word of what the user wrote, if it is a command.
func (t *Terminal) commandIn(text string) (word string, ok bool) {
	word, _, _ = strings.Cut(strings.TrimSpace(text), " ")
	if ok = commandWord().MatchString(word); strings.EqualFold(word, "/exit") {
		word = "/quit"
	}
	return strings.ToLower(word), ok
}

// isAnytime reports whether a text is a command that need not wait for the end of a
// turn.
func (t *Terminal) isAnytime(text string) bool {
	word, ok := t.commandIn(text)
	return ok && slices.ContainsFunc(commands(), func(c command) bool { return c.name == word && c.anytime })
}

// command executes what the user wrote, if it is a command: a path such as
// /etc/hosts is none.
func (t *Terminal) command(text string) (o outcome, ok bool) {
	word, ok := t.commandIn(text)
	if !ok {
		return outcome{}, false
	}
	_, arg, _ := strings.Cut(strings.TrimSpace(text), " ")
	names := []string{}
	for _, c := range commands() {
		if c.name == word {
			if c.arg == "" && arg != "" {
				return t.failure(fmt.Errorf("%s takes no arguments", word)), true
			}
			return c.do(t, strings.TrimSpace(arg)), true
		}
		names = append(names, c.name)
	}
	why := fmt.Sprintf("there is no command %s", word)
	if meant := spell.Nearest(word, names); meant != "" {
		return outcome{lines: []string{t.style.bad(why + "; did you mean " + meant + "?")}, prefill: strings.TrimSpace(meant + " " + arg)}, true
	}
	return t.failure(errors.New(why + "; /help lists all")), true
}

// stopped shows why a turn ended without an answer.
func (t *Terminal) stopped(err error) outcome {
	if t.Reason != nil {
		err = t.Reason(err)
	}
	return t.failure(err)
}

func (t *Terminal) failure(err error) outcome {
	var lines []string
	text := err.Error()
	var bind runtime.BindErrors
	if errors.As(err, &bind) {
		text = "there are tools that cannot be used here:"
		for _, b := range bind {
			text += "\n  " + visible.Line(b.Error())
		}
	}
	for _, line := range safeLines(text) {
		lines = append(lines, t.style.bad(line))
	}
	return outcome{lines: lines}
}

func said(lines ...string) outcome { return outcome{lines: lines} }

func (t *Terminal) help(string) outcome {
	var lines []string
	for _, c := range commands() {
		lines = append(lines, fmt.Sprintf("%-14s %s", strings.TrimSpace(c.name+" "+c.arg), c.about))
	}
	lines = append(lines, "", fmt.Sprintf("%-14s %s", "@FILE", "add a file to the message: a text, an image, a PDF"))
	if !t.Plain {
		for _, key := range [][2]string{
			{"Enter", "send; Alt-Enter, Ctrl-J, or \\ before Enter begin a new line"},
			{"Tab", "complete a command or a file; Up and Down choose one, Enter takes it, Esc leaves"},
			{"Up, Down", "earlier messages; Up takes a queued one back"},
			{"Ctrl-R", "earlier messages with what you have written"},
			{"Ctrl-O", "show the calls of the last turn in full"},
			{"Ctrl-L", "clear the screen"},
			{"Ctrl-C", "stop the turn, as Esc does; twice ends the program"},
			{"Ctrl-D", "end the conversation"},
		} {
			lines = append(lines, fmt.Sprintf("%-14s %s", key[0], key[1]))
		}
	}
	return said(lines...)
}

func (t *Terminal) model(name string) outcome {
	if name == "" {
		return said("the model is " + visible.Line(t.session.Agent().Model.String()))
	}
	warnings, err := t.session.SetModel(name)
	if err != nil {
		return t.failure(err)
	}
	if len(warnings) == 0 && t.session.Model() == nil {
		warnings = []string{"gramc does not know this model: its limits and its price are unknown, and it may not exist"}
	}
	lines := []string{"from now on " + visible.Line(t.session.Agent().Model.String()) + " answers"}
	for _, w := range warnings {
		lines = append(lines, t.style.warning(safe(w)))
	}
	return said(lines...)
}

func (t *Terminal) agent(name string) outcome {
	if name != "" {
		if t.Agent == nil {
			return t.failure(errors.New("there is no other agent"))
		}
		if !slices.Contains(t.Agents, name) {
			return t.noAgent(name)
		}
		if err := t.Agent(name); err != nil {
			return t.failure(err)
		}
		t.openHistory()
	}
	a := t.session.Agent()
	lines := []string{t.style.strong(visible.Line(a.Name)) + ", answered by " + visible.Line(a.Model.String()) + ", " + visible.Counted(len(a.Tools), "tool")}
	if a.Description != "" {
		lines = append(lines, safeLines(a.Description)...)
	}
	if others := slices.DeleteFunc(slices.Clone(t.Agents), func(n string) bool { return n == a.Name }); len(others) > 0 {
		lines = append(lines, "other agents of the file: "+visible.Line(strings.Join(others, ", ")))
	}
	return said(lines...)
}

// noAgent says which agents there are instead of one.
func (t *Terminal) noAgent(name string) outcome {
	why := fmt.Sprintf("there is no agent %q in the file", name)
	if meant := spell.Nearest(name, t.Agents); meant != "" {
		return outcome{lines: []string{t.style.bad(safe(why + "; did you mean " + meant + "?"))}, prefill: "/agent " + meant}
	}
	return t.failure(fmt.Errorf("%s, but %s", why, strings.Join(t.Agents, ", ")))
}

func (t *Terminal) tools(string) outcome {
	bindings := t.session.Bindings()
	if len(bindings) == 0 {
		return said("the agent has no tools")
	}
	widest := 0
	for _, b := range bindings {
		widest = max(widest, ansi.StringWidth(visible.Line(b.Tool.Name())))
	}
	var lines []string
	for _, b := range bindings {
		name := visible.Line(b.Tool.Name())
		about, _, _ := strings.Cut(strings.TrimSpace(b.Tool.Description()), "\n")
		lines = append(lines, t.style.strong(name)+strings.Repeat(" ", min(widest, maxName)-min(ansi.StringWidth(name), widest, maxName))+"  "+visible.Line(about))
	}
	return said(lines...)
}

// maxName is how wide the column of the names of tools is at most.
const maxName = 24

func (t *Terminal) undo(string) outcome {
	last, before := t.session.Last(), len(t.session.Conversation())
	message, ok := t.session.Undo()
	if !ok {
		return t.failure(errors.New("there is nothing to undo"))
	}
	after := len(t.session.Conversation())
	lines := []string{fmt.Sprintf("taken back: %q and what came of it (%s); the conversation now has %s",
		safeLine(last.Message, maxQuoted), visible.Counted(before-after, "message"), visible.Counted(after, "message"))}
	if ran := calledTools(last); ran != "" {
		lines = append(lines, t.style.warning("not taken back: what these tools did: "+ran))
	}
	return outcome{lines: append(lines, "the message is in the prompt again"), prefill: message}
}

// maxQuoted is how many columns of a message are quoted.
const maxQuoted = 40

// calledTools returns the tools that ran in a turn, with the number of calls.
func calledTools(turn *session.Turn) string {
	var names []string
	calls := map[string]int{}
	for i := range turn.Steps {
		s := &turn.Steps[i]
		if s.Call == nil || s.Invocation != nil && !s.Ran {
			continue // it was refused
		}
		if calls[s.Call.Name]++; calls[s.Call.Name] == 1 {
			names = append(names, s.Call.Name)
		}
	}
	for i, name := range names {
		names[i] = visible.Line(name)
		if n := calls[name]; n > 1 {
			names[i] += fmt.Sprintf(" (%d calls)", n)
		}
	}
	return strings.Join(names, ", ")
}

func (t *Terminal) retry(string) outcome {
	message, ok := t.session.Undo()
	if !ok {
		return t.failure(errors.New("there is no message to send again"))
	}
	return outcome{send: message}
}

func (t *Terminal) clear(string) outcome {
	t.session.Clear()
	if name := t.session.Name(); name != "" {
		return said("the conversation begins anew; gramc sessions delete " + name + " deletes what was said")
	}
	return said("the conversation is forgotten")
}

// save writes the conversation to a new file that only the user can read.
func (t *Terminal) save(name string) outcome {
	turns := t.session.Turns()
	if len(turns) == 0 {
		return t.failure(errors.New("there is nothing to save yet"))
	}
	if name == "" {
		name = fileName(t.session.Agent().Name) + turns[0].Start.Format("-2006-01-02-150405") + ".md"
	}
	text := []byte(t.session.Markdown())
	if strings.EqualFold(filepath.Ext(name), ".json") {
		var err error
		if text, err = t.session.JSON(); err != nil {
			return t.failure(err)
		}
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return t.failure(fmt.Errorf("%s exists; choose another name", name))
	}
	if err != nil {
		return t.failure(fmt.Errorf("%s cannot be written: %w", name, bare(err)))
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return t.failure(err)
	}
	return said("saved as " + visible.Line(name))
}

// bare returns the error of a file without its name.
func bare(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// fileName returns a name as it can stand in the name of a file.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name[:min(len(name), 64)])
}

func (t *Terminal) cost(string) outcome {
	spent := t.session.Spent()
	if spent.Requests == 0 {
		return said("there were no requests yet")
	}
	lines := []string{"in all: " + costText(spent)}
	if last := t.session.Last(); last != nil {
		lines = append(lines, "last turn: "+costText(last.Cost)+", "+visible.Duration(last.Time))
	}
	return said(lines...)
}

func (t *Terminal) trace(name string) outcome {
	if name != "" {
		if t.Trace == nil {
			return t.failure(errors.New("a trace cannot be written here"))
		}
		if err := t.Trace(name); err != nil {
			return t.failure(err)
		}
		return said("from now on all events are written to " + visible.Line(name))
	}
	last := t.session.Last()
	if last == nil {
		return t.failure(errors.New("there is no turn yet"))
	}
	var lines []string
	for i := range last.Steps {
		lines = append(lines, t.stepLine(&last.Steps[i], last))
	}
	return said(lines...)
}

// stepLine shows when a step began, how long it took, and what it was.
func (t *Terminal) stepLine(s *session.Step, of *session.Turn) string {
	took := "not finished"
	if s.Time > 0 {
		took = visible.Duration(s.Time)
	}
	what := "request"
	switch usage := costTokens(s.Usage); {
	case s.Call != nil:
		what = "call " + visible.Line(s.Call.Name)
		if s.Invocation != nil && s.Invocation.Err != nil {
			what += ": " + safeLine(s.Invocation.Err.Message, 200)
		}
		if s.Waited >= time.Second {
			what += ", after " + visible.Duration(s.Waited) + " of waiting for you"
		}
	case usage != "":
		what += ": " + usage
	}
	return t.style.faint(fmt.Sprintf("%9s  %9s", "+"+visible.Duration(s.Start.Sub(of.Start).Truncate(time.Millisecond)), took)) + "  " + what
}
