package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"strings"
	"sync"
	"testing"
	"time"
)

// Of many requests some are worked at. Those that wait for their turn are
// cancelled at once, and never start.
func TestWhatWaitsForItsTurnCanBeCancelled(t *testing.T) {
	s := newSession(Options{}, log.New(io.Discard, "", 0))
	started, finish := make(chan struct{}, 2*maxWorking), make(chan struct{})
	f := feature{method: "gram/slow", handle: func(context.Context, *snapshot, json.RawMessage) (any, error) {
		started <- struct{}{}
		<-finish
		return nil, nil
	}}
	var all sync.WaitGroup
	for range maxWorking {
		all.Go(func() {
			if _, err := s.inTurn(t.Context(), f, nil, nil); err != nil {
				t.Error(err)
			}
		})
	}
	for range maxWorking {
		<-started
	}
	ctx, cancel := context.WithCancel(t.Context())
	for range maxWorking {
		all.Go(func() {
			if _, err := s.inTurn(ctx, f, nil, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("a request that was cancelled: %v", err)
			}
		})
	}
	cancel()
	close(finish)
	all.Wait()
	if len(started) > 0 {
		t.Errorf("%d started after that", len(started))
	}
}

// Only what is about problems waits while a document is being checked.
func TestNothingElseWaitsForTheCheck(t *testing.T) {
	const text = "[a:Agent {instruction: \"`b`\", model: \"OpenAI/m\"} | b]\n[b:Tool {description: \"d\"} | (x::Txt)==>(::Text)]\n"
	s := showing(map[string]string{"/w/a.gram": text})
	d := s.open["/w/a.gram"]
	params, err := json.Marshal(map[string]any{
		"textDocument": map[string]string{"uri": d.uri}, "position": d.position(strings.Index(text, "b]")), "positions": []any{},
		"range": d.span(0, len(text)), "query": "b", "label": "b", "data": map[string]any{"uri": d.uri, "name": "b"},
		"item":    map[string]any{"uri": d.uri, "range": d.span(0, 1), "selectionRange": d.span(1, 2)},
		"context": map[string]any{"includeDeclaration": true}, "options": map[string]any{"tabSize": 2}, "ch": "\n", "newName": "c",
	})
	if err != nil {
		t.Fatal(err)
	}
	d.examining.Lock() // as a check does that takes long
	defer d.examining.Unlock()
	for _, f := range features() {
		if strings.HasSuffix(f.method, "/diagnostic") || strings.Contains(f.method, "codeAction") {
			continue
		}
		answered := make(chan error, 1)
		go func() {
			_, err := f.handle(context.Background(), s, params)
			answered <- err
		}()
		select {
		case err := <-answered:
			if err != nil {
				t.Errorf("%s: %v", f.method, err)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s waits", f.method)
		}
	}
}
