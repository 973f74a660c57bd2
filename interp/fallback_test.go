package interp_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A busy is a Streamer that fails after it has yielded a text, if it has one, until
// its errors are used up.
type busy struct {
	errs  []error
	text  string
	asked []string // the model of each request
}

func (*busy) Name() string { return "busy" }

func (b *busy) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	return b.Stream(ctx, r, func(runtime.Delta) error { return nil })
}

func (b *busy) Stream(_ context.Context, r *runtime.Request, yield func(runtime.Delta) error) (*runtime.Response, error) {
	b.asked = append(b.asked, r.Model)
	if b.text != "" {
		if err := yield(runtime.Delta{Kind: runtime.DeltaText, Text: b.text}); err != nil {
			return nil, err
		}
	}
	if len(b.errs) > 0 {
		err := b.errs[0]
		b.errs = b.errs[1:]
		return nil, err
	}
	return &runtime.Response{Content: b.text, Finish: "stop"}, nil
}

func models(t *testing.T, o *interp.Options, first runtime.Model, fallbacks ...runtime.Model) *interp.Bound {
	t.Helper()
	a := &interp.Agent{Name: "a", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m0"}}
	for i := range fallbacks {
		a.Fallbacks = append(a.Fallbacks, compile.Model{Provider: "Google", ID: fmt.Sprintf("m%d", i+1)})
	}
	o.Fallbacks = fallbacks
	b, err := interp.Bind(a, runtime.Library{}, first, o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheNextModelRespondsForOneThatIsBusy(t *testing.T) {
	fails := func(kind runtime.ErrorKind) error { return runtime.Errorf(kind, "no: %s", kind) }
	for _, tt := range []struct {
		name string
		errs []error // of the models, in their order
		want []string
		err  string
	}{
		{"none", []error{nil, nil}, []string{"answer"}, ""},
		{"overloaded", []error{fails(runtime.KindOverloaded), nil}, []string{"OpenAI/m0 to Google/m1: no: OverloadedError", "answer"}, ""},
		{"rate limit", []error{fails(runtime.KindRateLimit), nil}, []string{"OpenAI/m0 to Google/m1: no: RateLimitError", "answer"}, ""},
		{"no response", []error{fails(runtime.KindLLMAPI), nil}, []string{"OpenAI/m0 to Google/m1: no: LLMAPIError", "answer"}, ""},
		{"an error of another type", []error{fmt.Errorf("odd"), nil}, []string{"OpenAI/m0 to Google/m1: odd", "answer"}, ""},
		{"two of three", []error{fails(runtime.KindOverloaded), fails(runtime.KindRateLimit), nil},
			[]string{"OpenAI/m0 to Google/m1: no: OverloadedError", "Google/m1 to Google/m2: no: RateLimitError", "answer"}, ""},
		{"all", []error{fails(runtime.KindOverloaded), fails(runtime.KindRateLimit)}, []string{"OpenAI/m0 to Google/m1: no: OverloadedError"},
			"Google/m1: no: RateLimitError (before it failed OpenAI/m0: no: OverloadedError)"},
		{"a wrong request", []error{&runtime.Error{Kind: runtime.KindLLMAPI, Message: "no: temperature", Refused: true}, nil}, nil, "no: temperature"},
		{"a refused key", []error{fails(runtime.KindConfiguration), nil}, nil, "no: ConfigurationError"},
		{"a filter", []error{fails(runtime.KindContentFilter), nil}, nil, "no: ContentFilterError"},
		{"too long", []error{fails(runtime.KindContextOverflow), nil}, nil, "no: ContextOverflowError"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var list []runtime.Model
			for _, err := range tt.errs {
				b := &busy{text: "answer"}
				if err != nil {
					b.text, b.errs = "", []error{err}
				}
				list = append(list, b)
			}
			var got []string
			var failed error
			for e, err := range models(t, &interp.Options{}, list[0], list[1:]...).Events(t.Context(), "hi", nil) {
				switch {
				case err != nil:
					failed = err
				case e.Kind == interp.EventFallback:
					got = append(got, fmt.Sprintf("%s to %s: %s", e.Fallback.From, e.Fallback.To, e.Fallback.Err))
				case e.Kind == interp.EventAnswer:
					got = append(got, e.Answer.Content)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if (failed == nil) != (tt.err == "") || failed != nil && failed.Error() != tt.err {
				t.Errorf("error %v, want %q", failed, tt.err)
			}
			for i, m := range list {
				for _, asked := range m.(*busy).asked {
					if asked != fmt.Sprintf("m%d", i) {
						t.Errorf("model %d was asked as %q", i, asked)
					}
				}
			}
		})
	}
}

// What the first model has said until it failed is void.
func TestAFallbackRestartsAStream(t *testing.T) {
	first := &busy{text: "Hal", errs: []error{runtime.Errorf(runtime.KindLLMAPI, "cut")}}
	var shown strings.Builder
	for e, err := range models(t, &interp.Options{Stream: true}, first, &busy{text: "Hello"}).Events(t.Context(), "hi", nil) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == interp.EventDelta {
			if e.Delta.Kind == runtime.DeltaRestart {
				shown.WriteString("|")
			}
			shown.WriteString(e.Delta.Text)
		}
	}
	if shown.String() != "Hal|Hello" {
		t.Error(shown.String())
	}
}

// A run stays with the model that responds; the next one begins with the first again.
func TestARunStaysWithItsFallback(t *testing.T) {
	first := &busy{text: "", errs: []error{runtime.Errorf(runtime.KindOverloaded, "busy")}}
	second := &busy{text: " "} // blank: it is asked once more
	b := models(t, &interp.Options{}, first, second)
	if _, err := b.Run(t.Context(), "hi", nil); err == nil || len(first.asked) != 1 || len(second.asked) != 2 {
		t.Errorf("%v after %d and %d requests", err, len(first.asked), len(second.asked))
	}
	first.text = "well"
	if answer, err := b.Run(t.Context(), "hi", nil); err != nil || answer.Content != "well" || len(second.asked) != 2 {
		t.Errorf("%+v, %v", answer, err)
	}
}

func TestFallbacksAreThoseOfTheAgent(t *testing.T) {
	a := &interp.Agent{Name: "a", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m"}}
	for _, list := range [][]runtime.Model{{&busy{}}, {nil}} {
		if _, err := interp.Bind(a, runtime.Library{}, &busy{}, &interp.Options{Fallbacks: list}); err == nil {
			t.Errorf("%d fallbacks were bound", len(list))
		}
	}
	a.Fallbacks = []compile.Model{{Provider: "OpenAI"}}
	if _, err := interp.Bind(a, runtime.Library{}, &busy{}, nil); err == nil {
		t.Error("a fallback without a name was bound")
	}
}

// A model that asks to wait for an hour is not asked before, also for later messages.
func TestAWaitIsRememberedBetweenMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hour := &runtime.Error{Kind: runtime.KindRateLimit, Message: "come back in an hour", Wait: time.Hour}
		minute := &runtime.Error{Kind: runtime.KindOverloaded, Message: "come back in a minute", Wait: time.Minute}
		first, second, third := &busy{text: "first", errs: []error{hour}}, &busy{text: "second", errs: []error{minute}}, &busy{text: "third"}
		b := models(t, &interp.Options{}, first, second, third)
		for _, tt := range []struct {
			after time.Duration
			want  []string
		}{
			{0, []string{"OpenAI/m0 to Google/m1: come back in an hour", "Google/m1 to Google/m2: come back in a minute", "third"}},
			{59 * time.Second, []string{"OpenAI/m0 to Google/m1: come back in an hour", "Google/m1 to Google/m2: come back in a minute", "third"}},
			{2 * time.Second, []string{"OpenAI/m0 to Google/m1: come back in an hour", "second"}},
			{time.Hour, []string{"first"}},
		} {
			time.Sleep(tt.after)
			var got []string
			for e, err := range b.With(nil).Events(t.Context(), "hi", nil) { // they are of the models, whatever the options
				switch {
				case err != nil:
					t.Fatal(err)
				case e.Kind == interp.EventFallback:
					got = append(got, fmt.Sprintf("%s to %s: %s", e.Fallback.From, e.Fallback.To, e.Fallback.Err))
				case e.Kind == interp.EventAnswer:
					got = append(got, e.Answer.Content)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		}
		if len(first.asked) != 2 || len(second.asked) != 2 || len(third.asked) != 2 {
			t.Errorf("asked %d, %d and %d times", len(first.asked), len(second.asked), len(third.asked))
		}
		second.errs = []error{hour}
		first.errs = []error{hour}
		third.errs = []error{hour}
		if _, err := b.Run(t.Context(), "hi", nil); err == nil || len(third.asked) != 3 {
			t.Errorf("%v", err)
		}
		if answer, err := b.Run(t.Context(), "hi", nil); err != nil || answer.Content != "third" || len(first.asked) != 3 { // somebody must be asked
			t.Errorf("%+v, %v", answer, err)
		}
	})
}
