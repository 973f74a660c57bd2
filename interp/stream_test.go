package interp_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A pieces is a Streamer that yields each text of a response on its own.
type pieces []string

func (pieces) Name() string { return "pieces" }

func (p pieces) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	return p.Stream(ctx, r, func(runtime.Delta) error { return nil })
}

func (p pieces) Stream(_ context.Context, _ *runtime.Request, yield func(runtime.Delta) error) (*runtime.Response, error) {
	out := &runtime.Response{Finish: "stop"}
	for _, text := range p {
		out.Content += text
		if err := yield(runtime.Delta{Kind: runtime.DeltaText, Text: text}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func TestEventsHaveThePiecesOfAResponse(t *testing.T) {
	for _, test := range []struct {
		name   string
		model  runtime.Model
		stream bool
		want   []string
	}{
		{"a streamer", pieces{"Hel", "lo"}, true, []string{"Hel", "lo"}},
		{"not asked for", pieces{"Hel", "lo"}, false, nil},
		{"no streamer", runtime.NewScript(runtime.Response{Content: "Hello"}), true, []string{"Hello"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, err := interp.Bind(&interp.Agent{Name: "a", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m"}}, runtime.Library{}, test.model, &interp.Options{Stream: test.stream})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for e, err := range b.Events(t.Context(), "hi", nil) {
				switch {
				case err != nil:
					t.Fatal(err)
				case e.Kind == interp.EventDelta:
					got = append(got, e.Delta.Text)
				case e.Kind == interp.EventAnswer && e.Answer.Content != "Hello":
					t.Errorf("answer %q", e.Answer.Content)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestARunEndsAtAPieceWhereTheCallerStops(t *testing.T) {
	b, err := interp.Bind(&interp.Agent{Name: "a", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m"}}, runtime.Library{}, pieces{"a", "b"}, &interp.Options{Stream: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, ended := range []bool{false, true} { // the context, too
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		seen := 0
		for e, err := range b.Events(ctx, "hi", nil) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind != interp.EventDelta {
				continue
			}
			seen++
			if ended {
				stop()
			}
			break
		}
		if seen != 1 {
			t.Errorf("%d pieces", seen)
		}
	}
}

func TestExtraStaysWithItsMessage(t *testing.T) {
	model := runtime.NewScript(runtime.Response{Content: "Hello", Extra: []byte(`{"Anthropic":[1]}`)})
	b, err := interp.Bind(&interp.Agent{Name: "a", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m"}}, runtime.Library{}, model, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := b.Run(t.Context(), "hi", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := answer.Conversation[1].Extra; string(got) != `{"Anthropic":[1]}` {
		t.Errorf("extra %s", got)
	}
}
