package modelhttp

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

// What was sent is counted, and what of it the provider may have charged.
func TestAttemptsAreCounted(t *testing.T) {
	good := sends("data: Hello\n\n", "data: .\n\n")
	none := 0
	for _, tt := range []struct {
		name    string
		steps   []http.HandlerFunc
		retries *int
		want    runtime.Attempts // of a response
		failed  runtime.Attempts // or else of an error
	}{
		{"one", []http.HandlerFunc{good}, nil, runtime.Attempts{}, runtime.Attempts{}},
		{"refused, so not charged", []http.HandlerFunc{responds(503, "{}"), responds(429, "{}"), good}, nil, runtime.Attempts{Sent: 3}, runtime.Attempts{}},
		{"a proxy gave up", []http.HandlerFunc{responds(504, "{}"), good}, nil, runtime.Attempts{Sent: 2, Lost: 1}, runtime.Attempts{}},
		{"broke off", []http.HandlerFunc{breaks("data: Hel\n\n"), responds(503, "{}"), good}, nil, runtime.Attempts{Sent: 3, Lost: 1}, runtime.Attempts{}},
		{"broke off for good", []http.HandlerFunc{breaks("data: Hel\n\n")}, nil, runtime.Attempts{}, runtime.Attempts{Sent: 4, Lost: 4}},
		{"refused at once", []http.HandlerFunc{responds(401, "{}")}, nil, runtime.Attempts{}, runtime.Attempts{Sent: 1}},
		{"not repeated", []http.HandlerFunc{sends("data: Hel\n\n")}, &none, runtime.Attempts{}, runtime.Attempts{Sent: 1, Lost: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			response, err := text(t.Context(), serve(t, tt.steps...).client(t, Options{MaxRetries: tt.retries}), func(runtime.Delta) error { return nil })
			if err == nil && response.Attempts != tt.want {
				t.Errorf("a response after %+v, want %+v", response.Attempts, tt.want)
			}
			var known *runtime.Error
			if err != nil && (!errors.As(err, &known) || known.Attempts != tt.failed) {
				t.Errorf("%v after %+v, want %+v", err, known.Attempts, tt.failed)
			}
			if (err == nil) == (tt.failed != runtime.Attempts{}) {
				t.Error(err)
			}
		})
	}
}

// A request without a connection costs nothing.
func TestARequestWithoutAConnectionIsNotCharged(t *testing.T) {
	s := serve(t, responds(200, "{}"))
	c := s.client(t, Options{})
	s.Close()
	_, err := text(t.Context(), c, func(runtime.Delta) error { return nil })
	var known *runtime.Error
	if !errors.As(err, &known) || known.Attempts != (runtime.Attempts{Sent: 1}) {
		t.Errorf("%v", err)
	}
}

// What ends the repetitions does not hide why there were any.
func TestABudgetDoesNotHideTheFault(t *testing.T) {
	c := serve(t, responds(503, "{}")).client(t, Options{})
	_, _, err := c.retryAttempts(t.Context(), func() (*runtime.Response, error) {
		return nil, &Fault{Status: 503, text: "the engine is down", retries: 3}
	}, func(*Fault, time.Duration) error { return nil }, func(runtime.Attempts) error {
		return runtime.Errorf(runtime.KindBudget, "used up")
	})
	if !errors.Is(err, &runtime.Error{Kind: runtime.KindBudget}) || err.Error() != "used up; the last request failed: 503 - the engine is down" {
		t.Error(err)
	}
}
