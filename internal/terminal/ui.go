package terminal

import (
	"context"
	"errors"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/term"
)

// A ui is a conversation on a screen. Only the loop of Bubble Tea uses it.
type ui struct {
	*Terminal
	ctx     context.Context
	send    func(tea.Msg) // to the loop
	screen  screen
	size    func() (width, height int, err error) // of the terminal; nil if only messages say it
	prompt  textarea.Model
	printed []string // finished lines that are not painted yet
	last    string   // the last finished line

	turn      *turn     // nil while nothing runs
	question  *question // nil while nothing is asked
	pastes    []paste   // of this conversation
	queue     []string  // what is sent when the turn has ended
	sure      string    // the message that Enter sends although a file of it is missing
	searched  string    // what Ctrl-R looks for
	menu      menu      // of completions
	hint      string    // a line below the prompt, until the next key
	searching bool      // the last key was Ctrl-R
	armed     bool      // another Ctrl-C ends the program
	leaving   bool      // another Ctrl-D ends the conversation in the middle of a turn
	away      bool      // the shell has the terminal, after Ctrl-Z
	lastKey   time.Time
	rest      string // of the word that the last key began as an answer, such as "es\n"
	painted   time.Time
	due       bool // a painting is scheduled
	err       error
	turns     chan struct{} // is sent to when a turn has ended
}

// muted is the terminal as Bubble Tea has it: it makes it raw, asks for its size
// and restores it, but does not write to it.
type muted struct{ *os.File }

func (muted) Write(p []byte) (int, error) { return len(p), nil }

// runScreen is Run with a screen.
func (t *Terminal) runScreen(ctx context.Context) (err error) {
	width, height, err := term.GetSize(t.Out.Fd())
	if err != nil || width <= 0 || height <= 0 {
		width, height = 80, 24
	}
	u := t.newUI(ctx, screen{out: t.Out, width: width, height: height})
	u.size = func() (int, int, error) { return term.GetSize(t.Out.Fd()) }
	p := tea.NewProgram(u, tea.WithContext(ctx), tea.WithInput(t.In), tea.WithOutput(muted{t.Out}), tea.WithFPS(1),
		tea.WithoutSignalHandler(), tea.WithoutCatchPanics())
	u.send = p.Send
	if err := u.screen.open(); err != nil {
		return err
	}
	defer func() {
		if bug := recover(); bug != nil { // the loop cannot restore the terminal any more
			_ = p.ReleaseTerminal()
			_ = u.screen.close()
			panic(bug)
		}
	}()
	_, err = p.Run()
	if u.turn != nil {
		u.turn.cancel()
		<-u.turns
	}
	if closing := errors.Join(u.paint(), u.screen.close()); u.err == nil {
		u.err = closing
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, tea.ErrProgramKilled) && u.err != nil {
		return u.err
	}
	return errors.Join(err, u.err)
}

func (t *Terminal) newUI(ctx context.Context, s screen) *ui {
	u := &ui{Terminal: t, ctx: ctx, screen: s, turns: make(chan struct{}, 1)}
	u.newPrompt()
	t.approver.ask = u.askUser
	u.say(t.Intro...)
	u.print(t.past(s.width)...)
	return u
}

func (u *ui) newPrompt() {
	u.prompt = textarea.New()
	p := &u.prompt
	p.ShowLineNumbers, p.CharLimit = false, 0
	p.DynamicHeight, p.MinHeight, p.MaxContentHeight = true, 1, maxPromptLines
	p.KeyMap.InsertNewline.SetKeys("alt+enter", "shift+enter", "ctrl+j")
	p.KeyMap.Paste.SetEnabled(false) // would start a program that reads the clipboard
	p.SetVirtualCursor(false)
	p.SetStyles(textarea.Styles{})
	p.SetPromptFunc(2, func(i textarea.PromptInfo) string {
		if i.LineNumber == 0 {
			return "> "
		}
		return "  "
	})
	p.Focus()
	u.fit()
}

const maxPromptLines = 1000

// resize adapts everything to the size of the terminal.
func (u *ui) resize(width, height int) {
	if width > 0 && height > 0 && (width != u.screen.width || height != u.screen.height) {
		u.screen.resize(width, height)
		u.fit()
		u.turn.resize(width)
	}
}

// fit adapts the prompt to the size of the terminal.
func (u *ui) fit() {
	u.prompt.MaxHeight = min(max(u.screen.height/3, 1), 10)
	u.prompt.SetWidth(max(u.screen.width, 6)) // also adapts the height
}

// Init lets a turn that has not ended go on; View is for Bubble Tea, which paints nothing.
func (u *ui) Init() tea.Cmd {
	if u.session.Unfinished() {
		return func() tea.Msg { return goOn{} }
	}
	return nil
}
func (u *ui) View() tea.View { return tea.View{} }

// Update handles what happens, and paints.
func (u *ui) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := u.handle(msg)
	u.say(u.notes()...)
	if delta, ok := msg.(turnEvent); ok && delta.deferrable(u) {
		if wait := paintTime - time.Since(u.painted); wait > 0 {
			return u, tea.Batch(cmd, u.paintLater(wait))
		}
	}
	if err := u.paint(); err != nil {
		u.err = err
		return u, tea.Quit
	}
	return u, cmd
}

// paintTime is between two paintings of text that arrives faster than it can be
// read.
const paintTime = 8 * time.Millisecond

type paintDue struct{}

func (u *ui) paintLater(wait time.Duration) tea.Cmd {
	if u.due {
		return nil
	}
	u.due = true
	return tea.Tick(wait, func(time.Time) tea.Msg { return paintDue{} })
}

func (u *ui) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		u.resize(msg.Width, msg.Height)
	case tea.KeyPressMsg:
		defer func() { u.lastKey = time.Now() }()
		return u.key(msg)
	case tea.PasteMsg:
		return u.paste(msg)
	case turnEvent:
		return u.event(msg)
	case turnEnded:
		if msg.bug != nil {
			panic(msg.bug)
		}
		return u.endTurn()
	case goOn:
		return u.goOn()
	case *question:
		u.showQuestion(msg)
	case spin:
		return u.spin()
	case paintDue:
		u.due = false
	case tea.ResumeMsg:
		u.away = false
		u.err = u.screen.open()
	}
	return nil
}

// key handles a key. What is no command edits the prompt.
func (u *ui) key(msg tea.KeyPressMsg) tea.Cmd {
	u.hint = ""
	name := msg.String()
	if name != "ctrl+c" {
		u.armed = false
	}
	searching := u.searching
	u.searching = false
	leaving := u.leaving
	u.leaving = false
	switch name {
	case "ctrl+c":
		return u.interrupt()
	}
	if u.endsAnswer(msg) {
		return nil
	}
	switch name {
	case "ctrl+d":
		switch {
		case u.prompt.Value() != "":
		case u.turn != nil && !leaving:
			u.leaving = true
			u.hint = "Ctrl-D again ends the conversation without the answer; Esc stops the turn"
			return nil
		default:
			return tea.Quit
		}
	case "ctrl+z":
		return u.suspend()
	case "ctrl+l":
		u.err = u.screen.clear()
		return nil
	case "ctrl+o":
		u.unfold()
		return nil
	}
	if u.question != nil {
		return u.answer(msg)
	}
	if name == "ctrl+r" {
		u.search(searching)
		return nil
	}
	switch name {
	case "enter":
		if u.take() {
			return nil
		}
		return u.submit()
	case "tab":
		u.complete()
		return nil
	case "up", "ctrl+p":
		if u.choose(-1) {
			return nil
		}
		if len(u.queue) > 0 && u.prompt.Value() == "" {
			u.unqueue()
			return nil
		}
		if u.prompt.Line() == 0 && u.prompt.LineInfo().RowOffset == 0 {
			if entry, ok := u.history.back(u.prompt.Value()); ok {
				u.setPrompt(entry)
			}
			return nil
		}
	case "down", "ctrl+n":
		if u.choose(1) {
			return nil
		}
		if last := u.prompt.LineInfo(); u.prompt.Line() == u.prompt.LineCount()-1 && last.RowOffset >= last.Height-1 {
			if entry, ok := u.history.forward(); ok {
				u.setPrompt(entry)
			}
			return nil
		}
	case "backspace", "ctrl+h":
		if u.eraseMark() {
			return nil
		}
	case "esc":
		if !u.close() && u.turn != nil {
			u.turn.cancel()
			u.hint = "stopping"
		}
		return nil
	}
	var cmd tea.Cmd
	u.prompt, cmd = u.prompt.Update(msg)
	return cmd
}

// search is Ctrl-R: it shows earlier messages with what the prompt has, or goes on with them.
func (u *ui) search(on bool) {
	if u.searching = true; !on {
		u.searched = u.prompt.Value()
		u.history.at = len(u.history.entries) // whatever Up has shown
	}
	entry, ok := u.history.search(u.searched, u.prompt.Value())
	if !ok {
		u.hint = "no earlier message has " + safe(strconv.Quote(safeLine(u.searched, maxQuoted)))
		return
	}
	u.setPrompt(entry)
	u.hint = "Ctrl-R looks further back"
	if u.searched != "" {
		u.hint = "has " + safe(strconv.Quote(safeLine(u.searched, maxQuoted))) + "; " + u.hint
	}
}

func (u *ui) setPrompt(text string) {
	u.prompt.SetValue(text)
	u.prompt.MoveToEnd()
}

// interrupt is Ctrl-C: it stops the turn, or clears the prompt; twice it ends the
// program.
func (u *ui) interrupt() tea.Cmd {
	if u.armed {
		u.err = ErrInterrupted
		return tea.Quit
	}
	switch {
	case u.turn != nil:
		u.turn.cancel()
		u.armed = true
		u.hint = "stopping; Ctrl-C again ends the program"
	case u.prompt.Value() != "":
		u.setPrompt("")
	default:
		u.armed = true
		u.hint = "Ctrl-C again ends the program"
	}
	return nil
}

// suspend is Ctrl-Z.
func (u *ui) suspend() tea.Cmd {
	if runtime.GOOS == "windows" {
		return nil
	}
	u.away = true
	u.err = u.screen.close()
	return tea.Suspend
}

// unfold shows the calls of the last turn in full.
func (u *ui) unfold() {
	last := u.session.Last()
	if u.turn != nil {
		u.hint = "once the turn has ended, Ctrl-O shows its calls in full"
		return
	}
	var lines []string
	if last != nil {
		lines = u.unfolded(last)
	}
	if len(lines) == 0 {
		u.hint = "there are no calls to show"
		return
	}
	u.print(lines...)
	u.gap()
}

// print prints finished lines above the prompt.
func (u *ui) print(lines ...string) {
	if len(lines) > 0 {
		u.printed = append(u.printed, lines...)
		u.last = lines[len(lines)-1]
	}
}

// say prints lines of ours, which are broken between words.
func (u *ui) say(lines ...string) {
	for _, line := range lines {
		u.print(strings.Split(lipgloss.Wrap(line, u.screen.width, ""), "\n")...)
	}
}

// gap prints a blank line, unless there is one.
func (u *ui) gap() {
	if u.last != "" {
		u.print("")
	}
}

// paint brings the screen up to date.
func (u *ui) paint() error {
	if u.away {
		return nil
	}
	if u.size != nil { // what is painted for another size cannot be erased; the message of a new one may come later
		if width, height, err := u.size(); err == nil {
			u.resize(width, height)
		}
	}
	u.painted = time.Now()
	lines := slices.Concat(u.turn.lines(u), u.question.lines(u), u.queued())
	below := u.below()
	cursor := place{y: -1}
	prompt := strings.Split(strings.Map(withoutBidi, u.prompt.View()), "\n")
	if u.question != nil && !u.question.typing() {
		prompt = nil
	} else if c := u.prompt.Cursor(); c != nil {
		cursor = place{x: min(c.X, u.screen.width-1), y: len(lines) + c.Y}
	}
	if most := max(u.screen.height-1-len(prompt)-len(below), 0); len(lines) > most {
		cursor.y -= len(lines) - most
		lines = lines[len(lines)-most:]
	}
	for _, line := range prompt {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	finished := u.printed
	u.printed = nil
	return u.screen.paint(finished, append(lines, below...), cursor)
}

// below returns the lines below the prompt: completions, or a hint.
func (u *ui) below() (lines []string) {
	if u.hint != "" {
		return strings.Split(u.style.faint(lipgloss.Wrap(u.hint, u.screen.width, "")), "\n")
	}
	if u.question != nil {
		return nil
	}
	return u.options()
}
