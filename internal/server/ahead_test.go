package server

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/runtime"
)

const chatOfEcho = `{"model": "echo", "stream": true, "messages": [{"role": "user", "content": "Hello"}]}`

func TestAChatThatTheJournalDoesNotTakeHasNoAnswer(t *testing.T) {
	var j *journal.Journal
	address := start(t, func(o *Options) {
		j = newJournal(t)
		o.Engine = OnJournal(j)
	})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	for _, stream := range []string{"true", "false"} {
		status, body := get(t, "POST", address+"/v1/chat/completions", strings.Replace(chatOfEcho, "true", stream, 1), "Authorization", bearer)
		if status != 500 || !strings.Contains(body, `"code":"journal"`) || strings.Contains(body, "content") {
			t.Errorf("%d: %s", status, body)
		}
	}
}

// A panicking model is wrong.
type panicking struct{}

func (panicking) Name() string { return "panicking" }

func (panicking) Generate(context.Context, *runtime.Request) (*runtime.Response, error) {
	panic("a bug")
}

func TestAPanicEndsOneRequest(t *testing.T) {
	var log bytes.Buffer
	var s *Server
	address := startWith(t, func(o *Options) {
		o.Catalog = newCatalog(t, panicking{})
		o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	}, &s)
	r, err := http.NewRequestWithContext(t.Context(), "POST", address+"/v1/chat/completions", strings.NewReader(chatOfEcho))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", bearer)
	if response, err := http.DefaultClient.Do(r); err == nil {
		t.Errorf("the request has an answer: %s", response.Status)
		_ = response.Body.Close()
	}
	s.hub.wait(context.Background()) // no run goes on
	if status, _ := get(t, "GET", address+"/healthz", ""); status != 200 {
		t.Errorf("%d", status)
	}
	if text := log.String(); !strings.Contains(text, "a run panics") || !strings.Contains(text, "a bug") || !strings.Contains(text, "panicking.Generate") {
		t.Errorf("the log has %q", text)
	}
}
