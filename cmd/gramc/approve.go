package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/session"
)

func (c *cli) approveCommand() *cobra.Command {
	return c.decideCommand("approve [SESSION]", &session.Decision{Allow: true})
}

func (c *cli) denyCommand() *cobra.Command {
	d := &session.Decision{}
	cmd := c.decideCommand("deny [SESSION]", d)
	cmd.Flags().StringVar(&d.Reason, "reason", "", "why the call is refused, for the model")
	return cmd
}

// decideCommand returns a command that decides on a call that waits.
func (c *cli) decideCommand(use string, d *session.Decision) *cobra.Command {
	later := false
	r := &resumer{cli: c}
	cmd := command(use, oneSessionAtMost, func(_ *cobra.Command, words []string) error {
		name, err := c.decide(strings.Join(words, ""), d)
		if err != nil || later {
			return err
		}
		r.script = true
		return r.resume(name, nil)
	})
	cmd.Flags().BoolVar(&later, "later", false, "decide alone; the run goes on with gramc resume")
	r.addFlags(cmd)
	c.state.add(cmd)
	return cmd
}

func oneSessionAtMost(_ *cobra.Command, words []string) error {
	if len(words) > 1 {
		return fmt.Errorf("name one session; there are %d", len(words))
	}
	return nil
}

// waiting returns the session that a person names, or the only one that waits.
func waiting(ctx context.Context, all *session.Store, typed string) (*session.Kept, error) {
	if typed != "" {
		name, err := all.Find(ctx, typed)
		if err != nil {
			return nil, asNameError(err)
		}
		k, err := all.Kept(ctx, name)
		if err == nil && k.Waiting == nil {
			err = &exit{exitUsage, fmt.Errorf("no call of the session %s waits for an approval", name)}
		}
		return k, err
	}
	list, err := all.List(ctx, "", "")
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(k *session.Kept) bool { return k.Waiting == nil })
	var names []string
	for _, k := range list {
		names = append(names, k.Name)
	}
	switch len(list) {
	case 0:
		return nil, &exit{exitUsage, errors.New("no call waits for an approval")}
	case 1:
		return list[0], nil
	}
	return nil, &exit{exitUsage, fmt.Errorf("name one of the sessions that wait: %s", strings.Join(names, ", "))}
}

// decide shows the call that a session waits with, and records the decision. It returns the
// name of the session.
func (c *cli) decide(typed string, d *session.Decision) (name string, err error) {
	err = c.withSessions(func(ctx context.Context, all *session.Store) error {
		k, err := waiting(ctx, all, typed)
		if err != nil {
			return err
		}
		name = k.Name
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
	return name, err
}
