package runtime

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type failing struct{ err error }

func (failing) Name() string { return "failing" }

func (f failing) Generate(context.Context, *Request) (*Response, error) { return nil, f.err }

// What decides whether a fallback responds, when, and what a budget counts.
func TestAReplayedErrorIsTheOneThatWasRecorded(t *testing.T) {
	want := &Error{Kind: KindRateLimit, Message: "slower", Wait: 1500 * time.Millisecond, Refused: true, Attempts: Attempts{Sent: 3, Lost: 1}}
	var file bytes.Buffer
	q := &Request{Model: "m", Messages: []Message{UserMessage("a")}}
	recording := NewRecording(&file, nil)
	if _, err := recording.Recorder(failing{want}).Generate(t.Context(), q); !errors.Is(err, want) {
		t.Fatal(err)
	}
	if _, err := recording.Recorder(NewScript(Response{Content: "x", Attempts: Attempts{Sent: 2, Lost: 1}})).Generate(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	r, err := ReadRecording(&file, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Generate(t.Context(), q)
	if diff := cmp.Diff(error(want), err); diff != "" {
		t.Error(diff)
	}
	if response, err := r.Generate(t.Context(), q); err != nil || response.Attempts != (Attempts{Sent: 2, Lost: 1}) {
		t.Errorf("%+v, %v", response, err)
	}
}

func TestAnErrorOfAnOlderRecordingIsRead(t *testing.T) {
	const old = `{"gramc_recording":1}
{"part":{"id":"i","value":""}}
{"model":{"request":{"model":"m","instruction":"i","messages":[]},"error":{"kind":"RateLimitError","message":"slower"},"ms":1}}
`
	r, err := ReadRecording(strings.NewReader(old), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Generate(t.Context(), &Request{Model: "m"})
	if diff := cmp.Diff(error(&Error{Kind: KindRateLimit, Message: "slower"}), err); diff != "" {
		t.Error(diff)
	}
}

// A recording that cannot be read again is not written.
func TestARecordingStaysWithinWhatIsRead(t *testing.T) {
	q := &Request{Model: "m", Messages: []Message{UserMessage("a")}}
	for _, tt := range []struct {
		room int
		text string
		want string
	}{
		{maxRecording, strings.Repeat("x", maxRecordingLine), "the recording ends early: a line of it has at most 16 MiB"},
		{1000, strings.Repeat("x", 1000), "the recording ends early: it has at most 256 MiB"},
	} {
		var file bytes.Buffer
		recording := NewRecording(&file, nil)
		recording.room = tt.room
		for _, text := range []string{"first", tt.text, "third"} {
			if _, err := recording.Recorder(NewScript(Response{Content: text})).Generate(t.Context(), q); err != nil {
				t.Fatal(err)
			}
		}
		if err := recording.Err(); err == nil || err.Error() != tt.want {
			t.Errorf("got %v, want %s", err, tt.want)
		}
		r, err := ReadRecording(&file, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Left() != 1 {
			t.Errorf("%d responses were written", r.Left())
		}
	}
	if r := NewRecording(io.Discard, nil); r.room >= maxRecording {
		t.Error("the first line does not count")
	}
}
