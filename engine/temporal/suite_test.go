package temporal_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gram-lang/gramc/engine/temporal"
	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/durable/durabletest"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// suiteEnv is where the server of the suite is, for its workers.
const suiteEnv = "GRAMC_TEMPORALTEST_SERVER"

func TestRunsSurviveKills(t *testing.T) {
	s := sharedServer(t)
	t.Setenv(suiteEnv, s.address+" "+s.namespace)
	durabletest.Test(t)
}

// suiteDial connects to the server of the suite. A folder has its own queue.
func suiteDial(ctx context.Context, folder string) (*temporal.Engine, string, error) {
	sum := sha256.Sum256([]byte(folder))
	name := hex.EncodeToString(sum[:6])
	address, namespace, _ := strings.Cut(os.Getenv(suiteEnv), " ")
	store := temporal.Files(filepath.Join(folder, "store"))
	e, err := temporal.Dial(ctx, &temporal.Options{Address: address, Namespace: namespace, Queue: name, Store: store})
	return e, "-" + name, err
}

// suiteWork goes on with all sessions, each a run of its name.
func suiteWork(ctx context.Context, folder string, w *durabletest.World) error {
	e, suffix, err := suiteDial(ctx, folder)
	if err != nil {
		return err
	}
	defer e.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	bindTo := func(session string) func(*interp.Options) (*interp.Bound, error) {
		return func(o *interp.Options) (*interp.Bound, error) { return w.Bind(session, o) }
	}
	failed := make(chan error, 1)
	go func() {
		failed <- e.Work(ctx, func(_ context.Context, about *journal.Run, _ []byte) (*temporal.Agent, error) {
			return &temporal.Agent{Bind: bindTo(strings.TrimSuffix(about.ID, suffix))}, nil
		})
	}()
	errs := make([]error, len(w.Sessions()))
	var all sync.WaitGroup
	for i, session := range w.Sessions() {
		all.Go(func() {
			_, err := e.Start(ctx, &temporal.Begin{
				Run: journal.Run{ID: session + suffix, Agent: "worker"}, Start: &durable.Start{Message: runtime.UserMessage(w.Message(session))},
			})
			if err == nil || errors.Is(err, journal.ErrExists) {
				err = w.Watch(session, e.Events(ctx, session+suffix, bindTo(session)))
			}
			errs[i] = err
		})
	}
	all.Wait()
	stop()
	return errors.Join(append(errs, <-failed)...)
}

func suiteConversations(ctx context.Context, folder string, sessions []string) (map[string]runtime.Conversation, error) {
	e, suffix, err := suiteDial(ctx, folder)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	all := map[string]runtime.Conversation{}
	for _, session := range sessions {
		conversation, err := e.Conversation(ctx, session+suffix)
		if err != nil && !errors.Is(err, durable.ErrNotEnded) && !errors.Is(err, journal.ErrNotFound) {
			return nil, err
		}
		if err == nil {
			all[session] = conversation
		}
	}
	return all, nil
}
