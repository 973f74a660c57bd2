package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/session"
)

func (c *cli) exportCommand() *cobra.Command {
	format := flagChoice{"markdown", "markdown,json,html"}
	var output string
	cmd := command("export SESSION", theSession, func(_ *cobra.Command, words []string) error {
		return c.withSession(words[0], func(ctx context.Context, all *session.Store, name string) error {
			_, transcript, err := all.Transcript(ctx, name)
			if err != nil {
				return err
			}
			return c.exportSession(transcript, format.value, output)
		})
	})
	format.add(cmd, "format", "what is written")
	addOutputFlag(cmd, &output, "standard output")
	c.state.add(cmd)
	return cmd
}

// exportSession writes a conversation to a file that only the user can read, or to
// standard output.
func (c *cli) exportSession(t *session.Transcript, format, output string) error {
	text := ""
	switch format {
	case "markdown":
		text = t.Markdown()
	case "html":
		text = t.HTML()
	case "json":
		if output == "" || output == stdinName {
			return c.encodeData(t)
		}
		data, err := t.MarshalJSON()
		if err != nil {
			return err
		}
		text = string(data) + "\n"
	}
	if output == "" || output == stdinName {
		return c.writeText(text)
	}
	file, err := c.createPrivate("-o", output)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return unusableInput(output, err)
	}
	return nil
}

func (c *cli) deleteCommand() *cobra.Command {
	var everything bool
	cmd := command("delete SESSION...", nil, func(_ *cobra.Command, words []string) error {
		switch {
		case everything && len(words) > 0:
			return errors.New("--all deletes all sessions; name none besides")
		case !everything && len(words) == 0:
			return errors.New("name the sessions to delete, or use --all")
		}
		return c.withSessions(func(ctx context.Context, all *session.Store) error {
			return c.deleteSessions(ctx, all, words, everything)
		})
	})
	cmd.Flags().BoolVar(&everything, "all", false, "delete all sessions")
	c.state.add(cmd)
	return cmd
}

// deleteSessions deletes the sessions that are named, if all of them exist.
func (c *cli) deleteSessions(ctx context.Context, all *session.Store, typed []string, everything bool) error {
	var names []string
	if everything {
		list, err := all.List(ctx, "", "")
		if err != nil {
			return err
		}
		for _, k := range list {
			names = append(names, k.Name)
		}
	}
	for _, word := range typed {
		name, err := all.Find(ctx, word)
		if err != nil {
			return asNameError(err)
		}
		names = append(names, name)
	}
	for _, name := range names {
		if err := all.Delete(ctx, name); err != nil {
			return err
		}
		c.note("deleted " + name)
	}
	return nil
}

func (c *cli) forkCommand() *cobra.Command {
	turn := 0
	cmd := command("fork SESSION [NAME]", nil, func(cmd *cobra.Command, words []string) error {
		if len(words) == 0 || len(words) > 2 {
			return fmt.Errorf("name the session, and perhaps a name for the new one; there are %d words", len(words))
		}
		if cmd.Flag("turn").Changed && turn < 1 {
			return fmt.Errorf("--turn must be 1 or more; it is %d", turn)
		}
		return c.withSession(words[0], func(ctx context.Context, all *session.Store, name string) error {
			as := ""
			if len(words) == 2 {
				as = words[1]
			}
			forked, err := all.Fork(ctx, name, as, turn)
			if err != nil {
				return err
			}
			fmt.Fprintln(c.out, forked)
			c.note("gramc resume " + forked + " goes on with it")
			return nil
		})
	})
	cmd.Flags().IntVar(&turn, "turn", 0, "go on after this turn, counted from 1, instead of the last one")
	c.state.add(cmd)
	return cmd
}
