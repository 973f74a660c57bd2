package modelhttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// A server responds with its steps in order, and repeats the last.
type server struct {
	*httptest.Server
	asked atomic.Int32
}

func serve(t *testing.T, steps ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body) // so that the end of the client is seen
		step := steps[min(int(s.asked.Add(1)), len(steps))-1]
		step(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// client returns a Client of s that never really sleeps.
func (s *server) client(t *testing.T, o Options) *Client {
	t.Helper()
	o.APIKey = testKey
	c, err := New(&models.Provider{Name: "Acme", Keys: []string{"ACME_API_KEY"}}, s.URL, &o)
	if err != nil {
		t.Fatal(err)
	}
	c.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return c
}

// sends writes each part at once.
func sends(parts ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for _, part := range parts {
			io.WriteString(w, part)
			w.(http.Flusher).Flush()
		}
	}
}

// breaks sends parts and then closes the connection.
func breaks(parts ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		sends(parts...)(w, r)
		panic(http.ErrAbortHandler)
	}
}

// text streams from c: the data of an event is a piece of text, and "." the end mark.
func text(ctx context.Context, c *Client, yield Yield) (*runtime.Response, error) {
	return c.Stream(ctx, &runtime.Request{Model: "m"}, yield, func(ctx context.Context, yield Yield) (*runtime.Response, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.BaseURL(), strings.NewReader("{}"))
		if err != nil {
			return nil, err
		}
		resp, err := c.Open(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		events := NewEventReader(resp.Body)
		var content strings.Builder
		for {
			e, err := events.Next()
			switch {
			case err == io.EOF:
				return nil, EndFault()
			case err != nil:
				return nil, err
			case string(e.Data) == ".":
				return &runtime.Response{Content: content.String()}, nil
			}
			content.Write(e.Data)
			if err := yield(runtime.Delta{Kind: runtime.DeltaText, Text: string(e.Data)}); err != nil {
				return nil, err
			}
		}
	})
}

func TestBrokenStreamsAreRepeated(t *testing.T) {
	good := sends("data: Hel\n\n", "data: lo\n\n", "data: .\n\n")
	restart := "<restart>"
	for _, tt := range []struct {
		name  string
		steps []http.HandlerFunc
		want  []string
	}{
		{"whole", []http.HandlerFunc{good}, []string{"Hel", "lo"}},
		{"status", []http.HandlerFunc{responds(503, "{}"), good}, []string{"Hel", "lo"}},
		{"broken before the first piece", []http.HandlerFunc{breaks(": hello\n\n"), good}, []string{"Hel", "lo"}},
		{"no end mark", []http.HandlerFunc{sends(""), good}, []string{"Hel", "lo"}},
		{"broken in the middle", []http.HandlerFunc{breaks("data: Hel\n\n"), good}, []string{"Hel", restart, "Hel", "lo"}},
		{"no end mark after a piece", []http.HandlerFunc{sends("data: x\n\n"), breaks("data: y\n\n"), good}, []string{"x", restart, "y", restart, "Hel", "lo"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, tt.steps...)
			var got []string
			waits := 0
			response, err := text(t.Context(), s.client(t, Options{}), func(d runtime.Delta) error {
				switch d.Kind {
				case runtime.DeltaRestart:
					d.Text = restart
				case runtime.DeltaWait:
					waits++
					return nil
				}
				got = append(got, d.Text)
				return nil
			})
			if err != nil || response.Content != "Hello" {
				t.Fatalf("%+v, %v", response, err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || waits != len(tt.steps)-1 {
				t.Error(diff, waits)
			}
		})
	}
	s := serve(t, breaks("data: Hel\n\n"))
	_, err := text(t.Context(), s.client(t, Options{}), func(runtime.Delta) error { return nil })
	if !errors.Is(err, &runtime.Error{Kind: runtime.KindLLMAPI}) || !strings.Contains(err.Error(), "tried 4 times") || s.asked.Load() != 4 {
		t.Errorf("%v after %d requests", err, s.asked.Load())
	}
}

// A person who waits is entitled to know why and for how long.
func TestAWaitBetweenAttemptsIsYielded(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "7")
		responds(429, `{"error":{"message":"slow down, `+testKey+`"}}`)(w, r)
	}, sends("data: Hi\n\n", "data: .\n\n"))
	var got []runtime.Delta
	_, err := text(t.Context(), s.client(t, Options{}), func(d runtime.Delta) error {
		if d.Kind == runtime.DeltaWait {
			got = append(got, d)
		}
		return nil
	})
	if err != nil || len(got) != 1 || got[0].Wait != 7*time.Second || !strings.Contains(got[0].Why, "slow down") || strings.Contains(got[0].Why, testKey) {
		t.Errorf("%+v, %v", got, err)
	}
}

func responds(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func TestTheErrorOfACallerEndsAStream(t *testing.T) {
	s := serve(t, sends("data: a\n\n", "data: b\n\n", "data: .\n\n"))
	stop := errors.New("stop")
	if _, err := text(t.Context(), s.client(t, Options{}), func(runtime.Delta) error { return stop }); err != stop || s.asked.Load() != 1 {
		t.Errorf("%v after %d requests", err, s.asked.Load())
	}
}

// However a server cuts the key that it echoes, no piece and no sequence of pieces
// has it.
func TestTheKeyIsHiddenAcrossPieces(t *testing.T) {
	for cut := range len(testKey) {
		a, b := testKey[:cut], testKey[cut:]
		s := serve(t, sends("data: your key "+a+"\n\n", "data: "+b+" is it, sk-\n\n", "data: tes\n\n", "data: .\n\n"))
		var shown string
		response, err := text(t.Context(), s.client(t, Options{}), func(d runtime.Delta) error {
			shown += d.Text
			return nil
		})
		if want := "your key [hidden key] is it, sk-tes"; err != nil || response.Content != want || shown != want {
			t.Errorf("cut at %d: %q, shown %q, %v", cut, response.Content, shown, err)
		}
	}
}

// Calls come side by side; what is held of one is not lost to the other.
func TestTheKeyIsHiddenInArgumentsSideBySide(t *testing.T) {
	var got []string
	s := &stream{key: newAPIKey(testKey), yield: func(d runtime.Delta) error {
		got = append(got, fmt.Sprintf("%d %d %s|%s", d.Kind, d.Call, d.Name, d.Text))
		return nil
	}}
	for _, d := range []runtime.Delta{
		{Kind: runtime.DeltaText, Text: "this"},
		{Kind: runtime.DeltaCall, Name: "f"},
		{Kind: runtime.DeltaArguments, Text: "1 sk-test-"},
		{Kind: runtime.DeltaCall, Call: 1, Name: testKey},
		{Kind: runtime.DeltaArguments, Call: 1, Text: "2 sk-test-"},
		{Kind: runtime.DeltaArguments, Text: "0123456789"},
		{Kind: runtime.DeltaArguments, Call: 1, Text: "other"},
		{Kind: runtime.DeltaArguments, Call: 1, Text: " s"},
	} {
		if err := s.take(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.end(); err != nil {
		t.Fatal(err)
	}
	want := []string{"1 0 |thi", "1 0 |s", "3 0 f|", "4 0 |1 ", "3 1 [hidden key]|", "4 1 |2 ", "4 0 |[hidden key]", "4 1 |sk-test-other", "4 1 | ", "4 1 |s"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestLimitsOfAStream(t *testing.T) {
	hang := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	after := func(parts ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			sends(parts...)(w, r)
			<-r.Context().Done()
		}
	}
	endless := func(part string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				io.WriteString(w, part)
			}
		}
	}
	kilobyte := strings.Repeat("x", 1<<10)
	for _, tt := range []struct {
		name string
		step http.HandlerFunc
		o    Options
		want string
	}{
		{"no start", hang, Options{StartTimeout: 20 * time.Millisecond}, "did not begin within 20ms"},
		{"a stall", after("data: a\n\n"), Options{}, "stopped in the middle"},
		{"a stall before the first piece", after(": hello\n\n"), Options{StartTimeout: 20 * time.Millisecond}, "did not begin within 20ms"},
		{"no end", endless(":\n"), Options{Timeout: 50 * time.Millisecond}, "not complete after 50ms"},
		{"too much text", endless("data: " + kilobyte + "\n\n"), Options{}, "larger than 8 MiB"},
		{"a long line", endless(kilobyte), Options{}, "larger than 8 MiB"},
		{"a long event", endless("data: " + kilobyte + "\n"), Options{}, "larger than 8 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, tt.step)
			c := s.client(t, tt.o)
			c.Idle = 5 * time.Millisecond
			if strings.HasPrefix(tt.name, "too") || strings.HasPrefix(tt.name, "a long") {
				c.Idle = time.Minute
			}
			_, err := text(t.Context(), c, func(runtime.Delta) error { return nil })
			if !errors.Is(err, &runtime.Error{Kind: runtime.KindLLMAPI}) || !strings.Contains(err.Error(), tt.want) || s.asked.Load() != 1 {
				t.Errorf("%v after %d requests", err, s.asked.Load())
			}
		})
	}
}

// A model can reason for long after the server has begun to respond.
func TestAStreamMayPauseBeforeItsFirstPiece(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		sends(": hello\n\n")(w, r)
		time.Sleep(30 * time.Millisecond)
		sends("data: a\n\ndata: .\n\n")(w, r)
	})
	c := s.client(t, Options{})
	c.Idle = time.Millisecond
	if response, err := text(t.Context(), c, func(runtime.Delta) error { return nil }); err != nil || response.Content != "a" {
		t.Errorf("%+v, %v", response, err)
	}
}

func TestAConnectionIsUsedAgainAfterAStream(t *testing.T) {
	from := map[string]bool{}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		from[r.RemoteAddr] = true
		sends("data: a\n\n", "data: .\n\n")(w, r)
	})
	c := s.client(t, Options{})
	for range 3 {
		if _, err := text(t.Context(), c, func(runtime.Delta) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if len(from) != 1 {
		t.Errorf("%d connections", len(from))
	}
}

func TestACancelledStreamEndsAtOnce(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		sends("data: a\n\n")(w, r)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	_, err := text(ctx, s.client(t, Options{}), func(runtime.Delta) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || s.asked.Load() != 1 {
		t.Errorf("%v after %d requests", err, s.asked.Load())
	}
}
