package durable_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/durable/durabletest"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/runtime"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(stuckEnv); folder != "" {
		if err := stuck(folder, os.Getenv("GRAMC_DURABLE_STUCK_IN")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	durabletest.Main(m, durabletest.Engine{Work: work, Conversations: conversations})
}

func TestRunsSurviveKills(t *testing.T) { durabletest.Test(t) }

// work goes on with all sessions, each a run of its name.
func work(ctx context.Context, folder string, w *durabletest.World) (err error) {
	j, err := journal.Open(folder, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	errs := make([]error, len(w.Sessions()))
	var all sync.WaitGroup
	for i, session := range w.Sessions() {
		all.Go(func() { errs[i] = workOn(ctx, j, w, session) })
	}
	all.Wait()
	return errors.Join(errs...)
}

func workOn(ctx context.Context, j *journal.Journal, w *durabletest.World, session string) error {
	run, err := durable.Resume(ctx, j, session, nil)
	if errors.Is(err, journal.ErrNotFound) {
		run, err = durable.Begin(ctx, j, &journal.Run{ID: session}, nil, &durable.Start{Message: runtime.UserMessage(w.Message(session))}, nil)
	}
	switch {
	case errors.Is(err, journal.ErrEnded):
		return nil
	case errors.Is(err, journal.ErrHeld), errors.Is(err, journal.ErrExists): // another worker has it
		time.Sleep(5 * time.Millisecond)
		return workOn(ctx, j, w, session)
	}
	if err != nil {
		return err
	}
	bound, err := w.Bind(session, run.Options(nil))
	if err != nil {
		return err
	}
	return w.Watch(session, run.Events(ctx, bound))
}

func conversations(ctx context.Context, folder string, sessions []string) (map[string]runtime.Conversation, error) {
	j, err := journal.Open(folder, nil)
	if err != nil {
		return nil, err
	}
	defer j.Close()
	all := map[string]runtime.Conversation{}
	for _, session := range sessions {
		conversation, err := durable.Conversation(ctx, j, session)
		if err != nil && !errors.Is(err, durable.ErrNotEnded) && !errors.Is(err, journal.ErrNotFound) {
			return nil, err
		}
		if err == nil {
			all[session] = conversation
		}
	}
	return all, nil
}
