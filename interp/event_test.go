package interp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/runtime"
)

func TestEventsShowEachStep(t *testing.T) {
	lib := addTool(t, helloLibrary(t), "broken", fails("no"))
	model := runtime.NewScript(calls("sayHello", "{}", "broken", "{}"), text("ok"))
	var got []string
	for e, err := range events(t, agent("sayHello", "broken"), "x", lib, model) {
		line := fmt.Sprintf("%d %s", e.Turn, e.Kind)
		switch e.Kind {
		case EventRequest:
			line += fmt.Sprintf(" %d messages", len(e.Request.Messages))
		case EventResponse:
			line += fmt.Sprintf(" %q %d calls", e.Response.Content, len(e.Response.Calls))
		case EventToolStarted:
			line += " " + e.Call.Name
		case EventToolFinished:
			line += fmt.Sprintf(" %s %s %v", e.Call.Name, e.Invocation.Result, e.Invocation.Err != nil)
		case EventAnswer, EventStopped:
			line += fmt.Sprintf(" %q %v", e.Answer.Content, err)
		}
		got = append(got, line)
	}
	want := []string{
		"1 model-request 1 messages",
		`1 model-response "" 2 calls`,
		"1 tool-started sayHello",
		`1 tool-finished sayHello "Hello, world" false`,
		"1 tool-started broken",
		"1 tool-finished broken  true",
		"2 model-request 4 messages",
		`2 model-response "ok" 0 calls`,
		`2 answer "ok" <nil>`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEventsEndWithTheErrorAndWhatWasDone(t *testing.T) {
	var last Event
	var failure error
	for e, err := range events(t, agent("sayHello"), "x", helloLibrary(t),
		runtime.NewScript(calls("sayHello", "{}"), text(""))) {
		if failure != nil {
			t.Error("there is an event after the error")
		}
		last, failure = e, err
	}
	if failure == nil || last.Kind != EventStopped || len(last.Answer.ToolsUsed) != 1 || len(last.Answer.Conversation) != 4 {
		t.Errorf("last event %+v, error %v", last, failure)
	}
}

func TestBreakingOffStopsTheRun(t *testing.T) {
	// Whatever the event, nothing happens after it.
	for stop := 1; stop <= 9; stop++ {
		ran := 0
		lib := addTool(t, runtime.Library{}, "t", func(context.Context, json.RawMessage) (json.RawMessage, error) {
			ran++
			return nil, nil
		})
		model := runtime.NewScript(calls("t", "{}", "t", "{}"), text("ok"))
		seen := 0
		for range events(t, agent("t"), "x", lib, model) {
			if seen++; seen == stop {
				break
			}
		}
		wantRequests := map[bool]int{true: 1}[stop > 1] + map[bool]int{true: 1}[stop > 7]
		wantRan := map[bool]int{true: 1}[stop > 3] + map[bool]int{true: 1}[stop > 5]
		if len(model.Requests()) != wantRequests || ran != wantRan {
			t.Errorf("after %d events: %d requests, tools ran %d times", stop, len(model.Requests()), ran)
		}
	}
}

func TestEventsCanBeRangedOverAgain(t *testing.T) {
	model := runtime.NewScript(text("ok"))
	all := events(t, agent(), "x", runtime.Library{}, model)
	for range 2 {
		for e, err := range all {
			if e.Answer != nil && (err != nil || len(e.Answer.Conversation) != 2) {
				t.Errorf("conversation %v, error %v", e.Answer.Conversation, err)
			}
		}
	}
}

func TestEventsStayAsTheyAre(t *testing.T) {
	model := runtime.NewScript(calls("sayHello", "{}"), calls("sayHello", "{}"), text("ok"))
	var kept []*runtime.Request
	for e := range events(t, agent("sayHello"), "x", helloLibrary(t), model) {
		if e.Request != nil {
			kept = append(kept, e.Request)
		}
	}
	for i, sent := range model.Requests() {
		if diff := cmp.Diff(&sent, kept[i]); diff != "" {
			t.Errorf("request %d: %s", i, diff)
		}
	}
}

func TestLogHasNoContent(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	lib := addTool(t, runtime.Library{}, "t", fails("secret result"))
	model := runtime.NewScript(calls("t", `{"a":"secret args"}`), text("secret answer"))
	if _, err := runAgent(t.Context(), agent("t"), "secret input", nil, lib, model, &Options{Logger: logger}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(log.String(), "secret") {
		t.Errorf("the log holds secrets:\n%s", log.String())
	}
	for _, word := range []string{"msg=model-request turn=1 model=m messages=1 tools=1", "msg=tool-finished turn=1 tool=t call=id0 error=execution", "msg=answer turn=2"} {
		if !strings.Contains(log.String(), word) {
			t.Errorf("the log does not say %q:\n%s", word, log.String())
		}
	}
}

func BenchmarkRun(b *testing.B) {
	lib := helloLibrary(b)
	a := agent("sayHello")
	model := modelFunc(func(_ context.Context, r *runtime.Request) (*runtime.Response, error) {
		if len(r.Messages) > 1 {
			return &runtime.Response{Content: "Hi Bob!"}, nil
		}
		return &runtime.Response{Calls: []runtime.Call{{ID: "c", Name: "sayHello", Args: json.RawMessage(`{"personName":"Bob"}`)}}}, nil
	})
	bound, err := Bind(a, lib, model, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := bound.Run(b.Context(), "Hello!", nil); err != nil {
			b.Fatal(err)
		}
	}
}
