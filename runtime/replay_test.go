package runtime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/runtime"
)

// pieces is a Streamer that speaks in pieces.
type pieces []string

func (pieces) Name() string { return "pieces" }

func (p pieces) Generate(ctx context.Context, q *runtime.Request) (*runtime.Response, error) {
	return p.Stream(ctx, q, func(runtime.Delta) error { return nil })
}

func (p pieces) Stream(_ context.Context, _ *runtime.Request, yield func(runtime.Delta) error) (*runtime.Response, error) {
	for _, text := range p {
		if err := yield(runtime.Delta{Kind: runtime.DeltaText, Text: text}); err != nil {
			return nil, err
		}
	}
	return &runtime.Response{Content: strings.Join(p, ""), Finish: "stop"}, nil
}

// broken is a model that fails.
type broken struct{ err error }

func (broken) Name() string { return "broken" }

func (b broken) Generate(context.Context, *runtime.Request) (*runtime.Response, error) {
	return nil, b.err
}

func request(messages ...string) *runtime.Request {
	q := &runtime.Request{Model: "m", Instruction: "Be kind.\nBe short.\nBe right.", Tools: []runtime.Contract{
		{Name: "findOrder", Description: "Finds an order", Input: json.RawMessage(`{"type":"object","properties":{"orderId":{"type":"string"}},"required":["orderId"]}`)},
	}}
	for _, text := range messages {
		q.Messages = append(q.Messages, runtime.UserMessage(text))
	}
	return q
}

func replayer(t *testing.T, recorded string) *runtime.Replayer {
	t.Helper()
	r, err := runtime.ReadRecording(strings.NewReader(recorded), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func streamed(t *testing.T, m runtime.Model, q *runtime.Request) (texts []string, response *runtime.Response, err error) {
	t.Helper()
	response, err = runtime.Stream(t.Context(), m, q, func(d runtime.Delta) error {
		texts = append(texts, d.Text)
		return nil
	})
	return texts, response, err
}

func TestAReplayGivesWhatWasRecorded(t *testing.T) {
	var file bytes.Buffer
	recording := runtime.NewRecording(&file, nil)
	want := runtime.Response{
		Content: "Here", Finish: "tool_calls", Reasoning: "hm", Extra: json.RawMessage(`{"Anthropic":[1]}`),
		Calls: []runtime.Call{{ID: "1", Name: "findOrder", Args: json.RawMessage(`{"orderId": "A"}`), Extra: json.RawMessage(`{"Google":"sig"}`)}, {ID: "2", Name: "findOrder", Args: json.RawMessage(`{cut`)}},
		Usage: runtime.Usage{Input: 7, Output: 2, Total: 9, CacheRead: 3},
	}
	for _, m := range []runtime.Model{runtime.NewScript(want), runtime.NewScript(runtime.Response{Content: "second"})} {
		if _, err := recording.Recorder(m).Generate(t.Context(), request("a")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := recording.Recorder(broken{runtime.Errorf(runtime.KindRateLimit, "slower")}).Generate(t.Context(), request("b")); err == nil {
		t.Fatal("the recorder hides an error")
	}
	if texts, _, err := streamed(t, recording.Recorder(pieces{"Hel", "lo"}), request("c")); err != nil || len(texts) != 2 {
		t.Fatal(texts, err)
	}
	if err := recording.Err(); err != nil {
		t.Fatal(err)
	}

	r := replayer(t, file.String())
	got, err := r.Generate(t.Context(), request("a"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&want, got, cmp.Transformer("json", func(raw json.RawMessage) string { return strings.ReplaceAll(string(raw), " ", "") })); diff != "" {
		t.Error(diff)
	}
	// Equal requests get their responses in order, and a stream without pieces is one.
	if texts, got, err := streamed(t, r, request("a")); err != nil || got.Content != "second" || len(texts) != 1 {
		t.Errorf("%v, %v, %v", texts, got, err)
	}
	if _, err := r.Generate(t.Context(), request("b")); !errors.Is(err, &runtime.Error{Kind: runtime.KindRateLimit}) || err.Error() != "slower" {
		t.Errorf("the error is %v", err)
	}
	if r.Left() != 1 {
		t.Errorf("%d are left", r.Left())
	}
	if texts, got, err := streamed(t, r, request("c")); err != nil || got.Content != "Hello" || len(texts) != 2 || r.Left() != 0 {
		t.Errorf("%v, %v, %v", texts, got, err)
	}
}

func TestAnIDOrTheDataOfAProviderDecidesNothing(t *testing.T) {
	var file bytes.Buffer
	conversation := func(id, extra string) *runtime.Request {
		q := request("a")
		call := runtime.AssistantMessage("", []runtime.Call{{ID: id, Name: "findOrder", Args: json.RawMessage(`{}`)}})
		call.Extra = json.RawMessage(extra)
		result, _ := runtime.ToolMessage("findOrder", id, "none")
		q.Messages = append(q.Messages, call, result)
		return q
	}
	if _, err := runtime.NewRecording(&file, nil).Recorder(pieces{"x"}).Generate(t.Context(), conversation("1", `{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	if _, err := replayer(t, file.String()).Generate(t.Context(), conversation("2", `{"a":2}`)); err != nil {
		t.Error(err)
	}
}

func TestAMissNamesTheFirstDifference(t *testing.T) {
	with := func(change func(*runtime.Request)) *runtime.Request {
		q := request("Where is A-1?")
		result, _ := runtime.ToolMessage("findOrder", "1", "shipped on Monday")
		q.Messages = append(q.Messages, runtime.AssistantMessage("", []runtime.Call{{ID: "1", Name: "findOrder", Args: json.RawMessage(`{"orderId":"A-1"}`)}}), result)
		if change != nil {
			change(q)
		}
		return q
	}
	var file bytes.Buffer
	recording := runtime.NewRecording(&file, nil)
	for _, q := range []*runtime.Request{request("Where is A-1?"), with(nil)} {
		if _, err := recording.Recorder(pieces{"x"}).Generate(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	tool := func(schema string) func(*runtime.Request) {
		return func(q *runtime.Request) { q.Tools[0].Input = json.RawMessage(schema) }
	}
	warmth := 0.5
	for _, tt := range []struct {
		change func(*runtime.Request)
		want   string
	}{
		{func(q *runtime.Request) { q.Model = "n" }, `the model is "n"; it was "m"`},
		{func(q *runtime.Request) { q.Instruction = "Be kind.\nBe short.\nBe quick." }, `the instruction differs at line 3: it was "Be right.", and is "Be quick."`},
		{func(q *runtime.Request) { q.Instruction += "\nAlways." }, `the instruction differs at line 4: it was nothing, and is "Always."`},
		{func(q *runtime.Request) { q.Tools = append(q.Tools, runtime.Contract{Name: "refund"}) }, `the tool "refund" is new`},
		{func(q *runtime.Request) { q.Tools = nil }, `the tool "findOrder" is gone`},
		{func(q *runtime.Request) { q.Tools[0].Description = "Looks" }, `the description of the tool "findOrder" differs: it was "Finds an order", and is "Looks"`},
		{tool(`{"properties":{"orderId":{"type":"string"},"limit":{}}}`), `the tool "findOrder" gained a parameter "limit"`},
		{tool(`{"properties":{}}`), `the tool "findOrder" lost its parameter "orderId"`},
		{tool(`{"properties":{"orderId":{"type":"integer"}}}`), `the parameter "orderId" of the tool "findOrder" was "{\"type\":\"string\"}", and is "{\"type\":\"integer\"}"`},
		{tool(`{"type":"object","properties":{"orderId":{"type":"string"}}}`), `the schema of the tool "findOrder" differs`},
		{func(q *runtime.Request) { q.Messages[2].Content = "shipped on Friday" }, `the result of "findOrder" differs: it was "shipped on Monday", and is "shipped on Friday" (message 3)`},
		{func(q *runtime.Request) { q.Messages[1].Calls[0].Args = json.RawMessage(`{"orderId":"B"}`) }, `the call of "findOrder" differs: it was with "{\"orderId\":\"A-1\"}", and is with "{\"orderId\":\"B\"}" (message 2)`},
		{func(q *runtime.Request) {
			q.Messages[0].Attachments = []runtime.Attachment{{Name: "a.png", Data: []byte("a")}}
		}, `the attachments of the message differ: they were none, and are "a.png" (ca978112…) (message 1)`},
		{func(q *runtime.Request) { q.Messages = append(q.Messages, runtime.UserMessage("And?")) }, `there is one message more, message 4: "And?" of the user`},
		{func(q *runtime.Request) { q.Output = runtime.Output{Schema: json.RawMessage(`{}`)} }, `the type of the answer differs`},
		{func(q *runtime.Request) { q.MaxTokens = 5 }, `maxTokens is 5; it was 0`},
		{func(q *runtime.Request) { q.Temperature = &warmth }, `the temperature differs`},
	} {
		_, err := replayer(t, file.String()).Generate(t.Context(), with(tt.change))
		want := "this request is not in the recording; compared with request 2 of it, " + tt.want
		if !errors.Is(err, &runtime.Error{Kind: runtime.KindReplay}) || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	r := replayer(t, file.String())
	_, _ = r.Generate(t.Context(), with(nil))
	if _, err := r.Generate(t.Context(), with(nil)); err == nil || err.Error() != "the recording has this request one time, and it is sent once more" {
		t.Errorf("an exhausted recording says %v", err)
	}
}

func TestSecretsAreNotRecorded(t *testing.T) {
	const secret = "s3cr3t-\"value\""
	redact := func(text string) string { return strings.ReplaceAll(text, secret, "${KEY}") }
	var file bytes.Buffer
	recording := runtime.NewRecording(&file, redact)
	q := request("my key is " + secret)
	q.Instruction += secret
	q.Messages = append(q.Messages, runtime.AssistantMessage(secret, []runtime.Call{{Name: "findOrder", Args: quote(map[string]string{secret: secret})}}))
	said := runtime.Response{Content: secret, Reasoning: secret, Refusal: secret, Extra: quote([]string{secret}), Calls: []runtime.Call{{Name: "x", Args: quote(secret)}, {Name: "x", Args: json.RawMessage("{" + secret)}}}
	if _, err := recording.Recorder(runtime.NewScript(said)).Generate(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	_, _, _ = streamed(t, recording.Recorder(pieces{secret[:4], secret[4:]}), request("x"))
	_, _ = recording.Recorder(broken{errors.New(secret)}).Generate(t.Context(), request("y"))
	library := recording.Library(libraryWith(t, "keys", func(context.Context, json.RawMessage) (json.RawMessage, error) { return quote(secret), nil }))
	tool, _ := library.Lookup("keys")
	if got, err := tool.Invoke(t.Context(), quote(map[string]string{"a": secret}), 0); err != nil || string(got) != string(quote(secret)) {
		t.Errorf("the recorded tool returns %s, %v", got, err)
	}
	if quoted := string(quote(secret)); strings.Contains(file.String(), "s3cr") || strings.Contains(file.String(), quoted[1:len(quoted)-1]) {
		t.Errorf("the recording holds the secret:\n%s", file.String())
	}
	// The key is made of what is written, so that the same request is found.
	r, err := runtime.ReadRecording(&file, redact)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.Generate(t.Context(), q); err != nil || got.Content != "${KEY}" {
		t.Errorf("%v, %v", got, err)
	}
	if texts, got, err := streamed(t, r, request("x")); err != nil || got.Content != "${KEY}" || len(texts) != 1 {
		t.Errorf("%q, %v, %v", texts, got, err)
	}
}

func quote(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

func libraryWith(t *testing.T, name string, run runtime.Handler) runtime.Library {
	t.Helper()
	tool, err := runtime.NewTool(runtime.ToolConfig{Name: name, Description: "d", Input: json.RawMessage(`{"type":"object"}`), Execute: run})
	if err != nil {
		t.Fatal(err)
	}
	library, err := runtime.Library{}.Add(name, tool)
	if err != nil {
		t.Fatal(err)
	}
	return library
}

func TestToolsAreRecordedAndReplayed(t *testing.T) {
	var file bytes.Buffer
	n := 0
	library := libraryWith(t, "count", func(context.Context, json.RawMessage) (json.RawMessage, error) {
		if n++; n == 2 {
			return nil, &runtime.ToolError{Kind: runtime.ToolAuthorization, Message: "no"}
		}
		return fmt.Append(nil, n), nil
	})
	recorded, _ := runtime.NewRecording(&file, nil).Library(library).Lookup("count")
	for range 3 {
		_, _ = recorded.Invoke(t.Context(), json.RawMessage(`{"a": 1, "b": 2}`), 0)
	}
	r := replayer(t, file.String())
	if !r.HasTools() {
		t.Error("the recording has no tools")
	}
	replayed, err := r.Tools([]runtime.Contract{{Name: "count"}})
	if err != nil {
		t.Fatal(err)
	}
	tool, _ := replayed.Lookup("count")
	var got []string
	for range 3 {
		result, err := tool.Invoke(t.Context(), json.RawMessage(`{"b": 2, "a": 1}`), 0)
		var failed *runtime.ToolError
		if errors.As(err, &failed) {
			got = append(got, string(failed.Kind)+" "+failed.Message)
		} else {
			got = append(got, string(result))
		}
	}
	if want := []string{"1", "authorization no", "3"}; !cmp.Equal(got, want) || n != 3 {
		t.Errorf("got %q, %d calls", got, n)
	}
	if _, err := tool.Invoke(t.Context(), json.RawMessage(`{"a":2}`), 0); err == nil {
		t.Error("a call that was not recorded has a result")
	}
	// The run ends with it.
	want := `the call of "count" with "{\"a\":2}" is not in the recording, which has it with "{\"a\":1,\"b\":2}"`
	if _, err := r.Generate(t.Context(), request("x")); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestHostileRecordings(t *testing.T) {
	const head = `{"gramc_recording":1}` + "\n"
	for text, want := range map[string]string{
		"":                      "the recording is empty",
		"{":                     `line 1: this is no recording of gramc, which begins with {"gramc_recording":1}`,
		"{}":                    `line 1: this is no recording of gramc, which begins with {"gramc_recording":1}`,
		`{"gramc_recording":9}`: "line 1: the recording is of version 9; this gramc reads version 1",
		head + "{":              "line 2: not a line of a recording: unexpected end of JSON input",
		head + `{"model":{}}`:   "line 2: an exchange needs either a response or an error",
		head + `{"tool":{}}`:    "line 2: a call of a tool needs a name, and either a result or an error",
		head + `{"model":{"request":{"instruction":"x"},"response":{}}}`: `line 2: the part "x" stands in no line before`,
		head + strings.Repeat(" ", 17<<20):                               "line 2: a line of a recording has at most 16 MiB",
	} {
		if _, err := runtime.ReadRecording(strings.NewReader(text), nil); err == nil || err.Error() != want {
			t.Errorf("%.60q: got %v, want %s", text, err, want)
		}
	}
	// What is no message is compared as what it is.
	odd := head + `{"part":{"id":"x","value":[1]}}` + "\n" + `{"model":{"request":{"instruction":"x","tools":["x"],"messages":["x"]},"response":{"usage":{"input":-5}}}}`
	if _, err := replayer(t, odd).Generate(t.Context(), request("a")); err == nil {
		t.Error("an odd recording responds")
	}
}
