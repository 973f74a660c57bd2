package gemini

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/modelfake"
	"github.com/gram-lang/gramc/internal/plainjson"
)

const testKey = "AIzaTest-0123456789"

// A fake is the Gemini API on loopback: it checks requests as the documentation says
// that the API does, and answers with its steps in order, the last one again and again.
type fake struct {
	*httptest.Server
	t *testing.T

	mu       sync.Mutex
	steps    []step
	requests []string        // their bodies
	waits    []time.Duration // what the model would have slept
}

// A step answers one request.
type step func(w http.ResponseWriter, r *http.Request)

func newFake(t *testing.T, steps ...step) *fake {
	t.Helper()
	f := &fake{t: t, steps: steps}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	return f
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	f.mu.Lock()
	step := f.steps[min(len(f.requests), len(f.steps)-1)]
	f.requests = append(f.requests, string(body))
	f.mu.Unlock()
	for _, problem := range modelfake.Gemini().Refusals(r, testKey, body) {
		f.t.Errorf("request %d: %s\n%s", len(f.requests), problem, body)
	}
	step(w, r)
}

func (f *fake) sent() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.requests...)
}

// model returns a Model that asks f and never really sleeps.
func (f *fake) model(o Options) *Model {
	f.t.Helper()
	o.BaseURL, o.APIKey = f.URL, testKey
	m, err := New(o)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { m.Close() })
	m.client.Sleep = func(ctx context.Context, d time.Duration) error {
		f.mu.Lock()
		f.waits = append(f.waits, d)
		f.mu.Unlock()
		return ctx.Err()
	}
	return m
}

// isStream reports whether a request is one for server-sent events.
func isStream(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, ":streamGenerateContent") }

// chunks answers with chunks of a response: one by one, or as the one response that they
// make up together.
func chunks(texts ...string) step {
	return func(w http.ResponseWriter, r *http.Request) {
		if isStream(r) {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, text := range texts {
				fmt.Fprintf(w, "data: %s\r\n\r\n", text)
				w.(http.Flusher).Flush()
			}
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		io.WriteString(w, whole(texts))
	}
}

// whole joins the chunks of a response. Texts that are not JSON stay as they are.
func whole(texts []string) string {
	type candidate struct {
		Content struct {
			Parts []json.RawMessage `json:"parts"`
		} `json:"content"`
		Finish json.RawMessage `json:"finishReason,omitempty"`
		Index  int             `json:"index"`
	}
	if len(texts) == 1 {
		return texts[0]
	}
	all, joined := map[string]json.RawMessage{}, candidate{}
	for _, text := range texts {
		next := struct{ Candidates []candidate }{}
		if json.Unmarshal([]byte(text), &all) != nil || json.Unmarshal([]byte(text), &next) != nil {
			return text
		}
		for _, c := range next.Candidates {
			joined.Content.Parts = append(joined.Content.Parts, c.Content.Parts...)
			joined.Finish = c.Finish
		}
	}
	all["candidates"], _ = plainjson.Marshal([]candidate{joined})
	text, _ := plainjson.Marshal(all)
	return string(text)
}

const usage = `"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":40,"candidatesTokenCount":20,"thoughtsTokenCount":30,"totalTokenCount":150}`

// parts answers with a chunk for each part, the last of which has the finish reason
// and the counts, as the API does.
func parts(finish string, list ...string) step {
	texts := make([]string, len(list))
	for i, p := range list {
		end := `"index":0`
		if i == len(list)-1 {
			end += `,"finishReason":"` + finish + `"`
		}
		texts[i] = fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[%s]},%s}],%s,"modelVersion":"m","responseId":"r"}`, p, end, usage)
	}
	return chunks(texts...)
}

// says is a good answer in two pieces.
func says(text string) step {
	half := len(text) / 2
	return parts("STOP", fmt.Sprintf(`{"text":%q}`, text[:half]), fmt.Sprintf(`{"text":%q}`, text[half:]))
}

// fails is an error as the API reports it; details are JSON.
func fails(code int, status, message string, details ...string) step {
	return raw(code, "application/json", fmt.Sprintf(`{"error":{"code":%d,"message":%q,"status":%q,"details":[%s]}}`, code, message, status, strings.Join(details, ",")))
}

// raw answers with that status and that body.
func raw(code int, contentType, body string, headers ...string) step {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}
