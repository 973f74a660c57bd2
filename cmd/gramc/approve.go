package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/session"
)

func (c *cli) approveCommand() *cobra.Command {
	return c.decideCommand("approve SESSION", &session.Decision{Allow: true})
}

func (c *cli) denyCommand() *cobra.Command {
	d := &session.Decision{}
	cmd := c.decideCommand("deny SESSION", d)
	cmd.Flags().StringVar(&d.Reason, "reason", "", "why the call is refused, for the model")
	return cmd
}

// decideCommand returns a command that decides on a call that waits.
func (c *cli) decideCommand(use string, d *session.Decision) *cobra.Command {
	later := false
	r := &resumer{cli: c}
	cmd := command(use, theSession, func(_ *cobra.Command, words []string) error {
		if err := c.decide(words[0], d); err != nil || later {
			return err
		}
		r.script = true
		return r.resume(words[0], nil)
	})
	cmd.Flags().BoolVar(&later, "later", false, "decide alone; the run goes on with gramc resume")
	r.addFlags(cmd)
	c.state.add(cmd)
	return cmd
}

// decide shows the call that a session waits with, and records the decision.
func (c *cli) decide(typed string, d *session.Decision) error {
	return c.withSession(typed, func(ctx context.Context, all *session.Store, name string) error {
		k, err := all.Kept(ctx, name)
		if err != nil {
			return err
		}
		if k.Waiting == nil {
			return &exit{exitUsage, fmt.Errorf("no call of the session %s waits for an approval", name)}
		}
		c.showCallInFull(k)
		if err := all.Decide(ctx, k, d); err != nil {
			return err
		}
		word := "denied"
		if d.Allow {
			word = "allowed"
		}
		c.note(word)
		return nil
	})
}
