package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/session"
	"github.com/gram-lang/gramc/internal/visible"
)

func (c *cli) sessionsCommand() *cobra.Command {
	var asJSON bool
	var user string
	cmd := command("sessions", noArguments, func(*cobra.Command, []string) error {
		return c.listSessions(user, "", asJSON)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the sessions as JSON")
	cmd.Flags().StringVar(&user, "user", "", "list those of this `USER` of gramc serve")
	c.state.add(cmd)
	cmd.AddCommand(c.searchCommand(), c.showCommand(), c.exportCommand(), c.deleteCommand(), c.forkCommand(), c.repairCommand())
	return cmd
}

func (c *cli) searchCommand() *cobra.Command {
	var asJSON bool
	var user string
	cmd := command("search TEXT", nil, func(_ *cobra.Command, words []string) error {
		if len(words) == 0 {
			return errors.New("name the text to look for")
		}
		return c.listSessions(user, strings.Join(words, " "), asJSON)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the sessions as JSON")
	cmd.Flags().StringVar(&user, "user", "", "list those of this `USER` of gramc serve")
	c.state.add(cmd)
	return cmd
}

// withSessions opens the sessions of the user for do.
func (c *cli) withSessions(do func(ctx context.Context, all *session.Store) error) error {
	ctx, stop := interruptible()
	defer stop()
	all, err := c.openStore(ctx, false)
	if err != nil {
		return err
	}
	return errors.Join(namingRepair(do(ctx, all)), all.Close())
}

// withSession is withSessions for one session, which is named as a person types it.
func (c *cli) withSession(typed string, do func(ctx context.Context, all *session.Store, name string) error) error {
	return c.withSessions(func(ctx context.Context, all *session.Store) error {
		name, err := all.Find(ctx, typed)
		if err != nil {
			return asNameError(err)
		}
		return do(ctx, all, name)
	})
}

// asNameError makes the error of a name that means no session one of the command line.
func asNameError(err error) error {
	var wrong *session.NameError
	if errors.As(err, &wrong) {
		return &exit{exitUsage, err}
	}
	return err
}

// listSessions lists the sessions of a user in which a text occurs.
func (c *cli) listSessions(user, text string, asJSON bool) error {
	return c.withSessions(func(ctx context.Context, all *session.Store) error {
		list, err := all.List(ctx, user, text)
		switch {
		case err != nil:
			return err
		case asJSON:
			lines := []sessionLine{}
			for _, k := range list {
				lines = append(lines, sessionLineOf(k))
			}
			return c.encodeData(lines)
		case len(list) == 0 && text != "":
			c.note(fmt.Sprintf("%q occurs in no session", cleanLine(text)))
		case len(list) == 0:
			c.note("there are no sessions; gramc run FILE begins one")
		default:
			c.showSessions(list, time.Now())
		}
		return nil
	})
}

// A sessionLine is a session in JSON.
type sessionLine struct {
	Name    string       `json:"name"`
	Agent   string       `json:"agent"`
	Model   string       `json:"model"`
	File    string       `json:"file"`
	State   string       `json:"state"`
	Turns   int          `json:"turns"`
	Title   string       `json:"title"`
	Created time.Time    `json:"created"`
	Updated time.Time    `json:"updated"`
	Waiting *waitingLine `json:"waiting,omitempty"`
}

// A waitingLine is a call that waits for an approval, in JSON.
type waitingLine struct {
	Tool  string          `json:"tool"`
	Args  json.RawMessage `json:"args"`
	Since time.Time       `json:"since"`
}

func sessionLineOf(k *session.Kept) sessionLine {
	line := sessionLine{k.Name, k.Agent, k.Model, k.File, string(k.State), k.Turns, k.Title, k.Created.UTC(), k.Updated.UTC(), nil}
	if w := k.Waiting; w != nil {
		line.Waiting = &waitingLine{w.Tool, w.Args, w.Since.UTC()}
	}
	return line
}

// Widths of the columns of a list of sessions.
const (
	maxSessionName  = 32
	maxSessionTitle = 60 // where the width of the terminal is unknown
	minSessionTitle = 12
)

// showSessions writes sessions in columns that fit, and what waits below.
func (c *cli) showSessions(list []*session.Kept, now time.Time) {
	rows := [][]string{{"NAME", "AGENT", "LAST USED", "TURNS", "STATE", "BEGINS WITH"}}
	for _, k := range list {
		state := string(k.State)
		if k.State == session.Idle {
			state = "-"
		}
		rows = append(rows, []string{cleanLine(k.Name), ansi.Truncate(cleanLine(k.Agent), maxSessionName, "…"), agoText(now.Sub(k.Updated)), fmt.Sprint(k.Turns), state, cleanLine(k.Title)})
	}
	widths := make([]int, len(rows[0])-1)
	for _, row := range rows {
		for i := range widths {
			widths[i] = max(widths[i], ansi.StringWidth(row[i]))
		}
	}
	left := maxSessionTitle
	if f, ok := c.unbuffered.(interface{ Fd() uintptr }); ok {
		if width, _, err := term.GetSize(f.Fd()); err == nil && width > 0 {
			for _, w := range widths {
				width -= w + 2
			}
			left = max(width, minSessionTitle)
		}
	}
	for _, row := range rows {
		line := ""
		for i, w := range widths {
			pad := strings.Repeat(" ", w-ansi.StringWidth(row[i]))
			if i == 3 { // a number
				line += pad + row[i] + "  "
			} else {
				line += row[i] + pad + "  "
			}
		}
		fmt.Fprintln(c.out, strings.TrimRight(line+ansi.Truncate(row[len(widths)], left, "…"), " "))
	}
	for _, k := range list {
		if w := k.Waiting; w != nil {
			fmt.Fprintf(c.out, "\n%s asked %s: %s\n", k.Name, agoText(now.Sub(w.Since)), callText(w.Tool, w.Args))
			fmt.Fprintf(c.out, "  gramc approve %s, or gramc deny %[1]s\n", k.Name)
		}
	}
}

// callText returns a call on one line.
func callText(tool string, args []byte) string { return cleanLine(tool) + "(" + shortJSON(args) + ")" }

// agoText returns how long ago something was, as people say it.
func agoText(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < day:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return counted(int(d/day), "day") + " ago"
}

func (c *cli) showCommand() *cobra.Command {
	var asJSON bool
	cmd := command("show SESSION", theSession, func(_ *cobra.Command, words []string) error {
		return c.withSession(words[0], func(ctx context.Context, all *session.Store, name string) error {
			k, transcript, err := all.Transcript(ctx, name)
			if err != nil {
				return err
			}
			if asJSON {
				return c.encodeData(transcript)
			}
			if err := c.writeText(transcript.Markdown()); err != nil {
				return err
			}
			if err := c.out.Flush(); err != nil { // what is noted belongs below
				return err
			}
			c.noteState(k)
			return nil
		})
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the session as JSON")
	c.state.add(cmd)
	return cmd
}

// noteState notes how a session can go on.
func (c *cli) noteState(k *session.Kept) {
	switch {
	case k.Waiting != nil:
		c.showWaiting(k)
	case k.State == session.Running:
		c.note("a process has the session now")
	case k.State == session.Interrupted:
		c.note("the last turn broke off; gramc resume " + k.Name + " finishes it")
	}
}

// showWaiting shows the call that a session waits with, and how to decide.
func (c *cli) showWaiting(k *session.Kept) {
	c.showCallInFull(k)
	c.note(fmt.Sprintf("it waits for your approval: gramc approve %s, or gramc deny %[1]s", k.Name))
}

// showCallInFull shows the call that a session waits with.
func (c *cli) showCallInFull(k *session.Kept) {
	text, whole := visible.Arguments(k.Waiting.Args)
	c.note(fmt.Sprintf("%s wants to call %s with", visible.Exactly(k.Agent), visible.Exactly(k.Waiting.Tool)))
	c.note(strings.TrimRight(text, "\n"))
	if !whole {
		c.note("not all of it is shown; gramc sessions --json has it")
	}
}

// theSession requires one session.
func theSession(_ *cobra.Command, words []string) error {
	if len(words) != 1 {
		return fmt.Errorf("name one session; there are %d", len(words))
	}
	return nil
}
