package anthropic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/anthropic"
)

// sent returns the request that r becomes.
func sent(t *testing.T, r *runtime.Request) string {
	t.Helper()
	f := serve(t, message("end_turn", `[{"type":"text","text":"Hi"}]`))
	if _, err := f.model(t, anthropic.Options{}).Generate(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return f.bodies[0]
}

// unmarked returns the messages of a request without the marks of the cache.
func unmarked(t *testing.T, body string) string {
	t.Helper()
	var r struct{ Messages json.RawMessage }
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(`"cache_control":{"type":"ephemeral"},`, "").Replace(string(r.Messages))
}

func call(id, name, args string) runtime.Call {
	return runtime.Call{ID: id, Name: name, Args: json.RawMessage(args)}
}

func assistant(text string, extra string, calls ...runtime.Call) runtime.Message {
	m := runtime.AssistantMessage(text, calls)
	m.Extra = json.RawMessage(extra)
	return m
}

func result(id, name, text string, failed bool) runtime.Message {
	return runtime.Message{Role: runtime.RoleTool, CallID: id, ToolName: name, Content: text, Failed: failed}
}

func TestConversations(t *testing.T) {
	user := runtime.UserMessage
	const hi = `{"content":[{"text":"Hi","type":"text"}],"role":"user"}`
	tests := []struct {
		name     string
		messages []runtime.Message
		want     string // the messages after hi
	}{
		{"blank user", []runtime.Message{user(" \n")}, `[{"content":[{"text":"(empty)","type":"text"}],"role":"user"}]`},
		{"model first", []runtime.Message{assistant("Welcome", ""), user("Hi")},
			`[{"content":[{"text":"(empty)","type":"text"}],"role":"user"},{"content":[{"text":"Welcome","type":"text"}],"role":"assistant"},` + hi + `]`},
		{"users in a row", []runtime.Message{user("Hi"), assistant(" ", ""), user("Error: the answer was empty.")},
			`[{"content":[{"text":"Hi","type":"text"},{"text":"Error: the answer was empty.","type":"text"}],"role":"user"}]`},
		{"models in a row", []runtime.Message{user("Hi"), assistant("a", ""), assistant("b", ""), user("Hi")},
			`[` + hi + `,{"content":[{"text":"a","type":"text"},{"text":"b","type":"text"}],"role":"assistant"},` + hi + `]`},
		{"results", []runtime.Message{user("Hi"), assistant("\n\n", "", call("toolu_1", "book.room", `{"b": 1, "a": "<é>"}`), call("toolu_2", "time", "")),
			result("toolu_1", "book.room", "taken", true), result("toolu_2", "time", " ", false), user("Hi")},
			`[` + hi + `,{"content":[{"id":"toolu_1","input":{"b":1,"a":"\u003cé\u003e"},"name":"book_room","type":"tool_use"},{"id":"toolu_2","input":{},"name":"time","type":"tool_use"}],"role":"assistant"},` +
				`{"content":[{"tool_use_id":"toolu_1","is_error":true,"content":[{"text":"taken","type":"text"}],"type":"tool_result"},{"tool_use_id":"toolu_2","type":"tool_result"},{"text":"Hi","type":"text"}],"role":"user"}]`},
		{"ids of others", []runtime.Message{user("Hi"), assistant("", "", call("functions.time:0", "time", "{}"), call("", "time", "[]")), result("functions.time:0", "time", "1", false), result("", "time", "2", false)},
			`[` + hi + `,{"content":[{"id":"call_2a021494acbe560b","input":{},"name":"time","type":"tool_use"},{"id":"call_cbf29ce484222325","input":{},"name":"time","type":"tool_use"}],"role":"assistant"},` +
				`{"content":[{"tool_use_id":"call_2a021494acbe560b","content":[{"text":"1","type":"text"}],"type":"tool_result"},{"tool_use_id":"call_cbf29ce484222325","content":[{"text":"2","type":"text"}],"type":"tool_result"}],"role":"user"}]`},
		{"thinking", []runtime.Message{user("Hi"), assistant("So.", `{"Anthropic":[{"type":"thinking","thinking":"","signature":"sigA"},{"type":"redacted_thinking","data":"x"},{"type":"text","text":" "},{"type":"tool_use"},{"type":"text","text":"So."},{"type":"tool_use"},{"type":"poem","lines":["a"]}]}`,
			call("other_1", "time", `{"a":1}`), call("other_2", "time", `{}`)), result("other_1", "time", "1", false), result("other_2", "time", "2", false)},
			`[` + hi + `,{"content":[{"text":"So.","type":"text"},{"id":"other_1","input":{"a":1},"name":"time","type":"tool_use"},{"id":"other_2","input":{},"name":"time","type":"tool_use"}],"role":"assistant"},` +
				`{"content":[{"tool_use_id":"other_1","content":[{"text":"1","type":"text"}],"type":"tool_result"},{"tool_use_id":"other_2","content":[{"text":"2","type":"text"}],"type":"tool_result"}],"role":"user"}]`},
		{"thinking, unchanged", []runtime.Message{user("Hi"), assistant("So.", `{"Anthropic":[{"type":"thinking","thinking":"","signature":"sigA"},{"type":"redacted_thinking","data":"x"},{"type":"tool_use"},{"type":"text","text":"So."},{"type":"poem","lines":["a"]}]}`,
			call("other_1", "time", `{"a":1}`)), result("other_1", "time", "1", false)},
			`[` + hi + `,{"content":[{"signature":"sigA","thinking":"","type":"thinking"},{"data":"x","type":"redacted_thinking"},{"id":"other_1","input":{"a":1},"name":"time","type":"tool_use"},{"text":"So.","type":"text"},{"type":"poem","lines":["a"]}],"role":"assistant"},` +
				`{"content":[{"tool_use_id":"other_1","content":[{"text":"1","type":"text"}],"type":"tool_result"}],"role":"user"}]`},
		{"extra of another provider", []runtime.Message{user("Hi"), assistant("So.", `{"Google":[{"type":"thinking","thinking":"no","signature":"none"}]}`), user("Hi")},
			`[` + hi + `,{"content":[{"text":"So.","type":"text"}],"role":"assistant"},` + hi + `]`},
		{"extra that is something else", []runtime.Message{user("Hi"), assistant("So.", `[1]`), user("Hi")},
			`[` + hi + `,{"content":[{"text":"So.","type":"text"}],"role":"assistant"},` + hi + `]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := hello()
			r.Messages = tt.messages
			r.Tools = []runtime.Contract{{Name: "time"}, {Name: "book.room"}}
			if got := unmarked(t, sent(t, r)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAttachments(t *testing.T) {
	r := hello()
	r.Messages[0].Attachments = []runtime.Attachment{
		{Name: "a.png", MediaType: "image/png", Data: []byte{1, 2}},
		{Name: "b.pdf", MediaType: "application/pdf", Data: []byte("%PDF")},
		{Name: "c.md", MediaType: "text/markdown; charset=utf-8", Data: []byte("# Hi \xff")},
	}
	want := `[{"content":[{"source":{"data":"AQI=","media_type":"image/png","type":"base64"},"type":"image"},` +
		`{"source":{"data":"JVBERg==","media_type":"application/pdf","type":"base64"},"title":"b.pdf","type":"document"},` +
		`{"source":{"data":"# Hi �","media_type":"text/plain","type":"text"},"title":"c.md","type":"document"},{"text":"Hello","type":"text"}],"role":"user"}]`
	if got := unmarked(t, sent(t, r)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r.Messages[0].Content = ""
	if got := unmarked(t, sent(t, r)); strings.Contains(got, "Hello") || strings.Contains(got, "(empty)") {
		t.Errorf("got  %s", got)
	}
	for _, a := range []runtime.Attachment{{Name: "x.zip", MediaType: "application/zip"}, {Name: "x.txt", MediaType: "text/plain"}, {Name: "x.bmp", MediaType: "image/bmp"}} {
		r.Messages[0].Attachments = []runtime.Attachment{a}
		wantRefused(t, r, runtime.KindValidation, fmt.Sprintf("the attachment %q of type %q cannot be sent: Anthropic takes images", a.Name, a.MediaType))
	}
}

// wantRefused sends a request that must fail before it is sent.
func wantRefused(t *testing.T, r *runtime.Request, kind runtime.ErrorKind, words string) {
	t.Helper()
	f := serve(t, responds(500, ""))
	_, err := f.model(t, anthropic.Options{}).Generate(t.Context(), r)
	var e *runtime.Error
	if !errors.As(err, &e) || e.Kind != kind || !strings.Contains(err.Error(), words) || f.requests() != 0 {
		t.Errorf("%d requests, error %v, want %q", f.requests(), err, words)
	}
}

func TestTemperatureAndLimit(t *testing.T) {
	for _, tt := range []struct {
		model        string
		limit        int
		temperature  float64
		want, refuse string
	}{
		{model: "claude-sonnet-4-5", temperature: 0, want: `"max_tokens":16000,"temperature":0`},
		{model: "claude-sonnet-4-5", limit: 5, temperature: 0.25, want: `"max_tokens":5,"temperature":0.25`},
		{model: "Anthropic/claude-sonnet-4-5-20250929", temperature: 1, want: `"model":"claude-sonnet-4-5-20250929","max_tokens":16000,"temperature":1`},
		{model: "claude-3-opus-20240229", temperature: 1, want: `"max_tokens":4096,"temperature":1`},
		{model: "claude-3-5-haiku-20241022", temperature: 1, want: `"max_tokens":8192,"temperature":1`},
		{model: "claude-opus-4-20250514", temperature: 1, want: `"max_tokens":16000,"temperature":1`},
		{model: "claude-opus-4-7", temperature: 0.5, want: `"max_tokens":16000`},
		{model: "claude-opus-5", temperature: 0.5, want: `"max_tokens":16000`},
		{model: "claude-next", temperature: 0.5, want: `"max_tokens":16000`},
		{model: "claude-sonnet-4-5", temperature: 1.5, refuse: "temperature 1.5 cannot be sent: Anthropic takes 0 to 1"},
	} {
		r := hello()
		r.Model, r.MaxTokens, r.Temperature = tt.model, tt.limit, &tt.temperature
		if tt.refuse != "" {
			wantRefused(t, r, runtime.KindConfiguration, tt.refuse)
			continue
		}
		var got, want map[string]any
		if err := errors.Join(json.Unmarshal([]byte(sent(t, r)), &got), json.Unmarshal([]byte("{"+tt.want+"}"), &want)); err != nil {
			t.Fatal(err)
		}
		_, has := got["temperature"]
		_, wants := want["temperature"]
		if has != wants || got["temperature"] != want["temperature"] || got["max_tokens"] != want["max_tokens"] || want["model"] != nil && got["model"] != want["model"] {
			t.Errorf("%s: %v, want %s", tt.model, got, tt.want)
		}
	}
}

func TestToolsThatCannotBeSent(t *testing.T) {
	for _, tt := range []struct {
		tools []runtime.Contract
		kind  runtime.ErrorKind
		words string
	}{
		{[]runtime.Contract{{Name: "a.b"}, {Name: "a_b"}}, runtime.KindConfiguration, `the tools "a.b" and "a_b" would both be "a_b" for Anthropic`},
		{[]runtime.Contract{{Name: "a", Input: json.RawMessage("{")}}, runtime.KindValidation, `the input schema of tool "a" is not JSON`},
		{[]runtime.Contract{{Name: "a", Input: json.RawMessage(`{"type":"object","oneOf":[{}]}`)}}, runtime.KindConfiguration, `the input schema of tool "a" cannot be sent: /oneOf: Anthropic takes no oneOf at the root`},
	} {
		r := hello()
		r.Tools = tt.tools
		wantRefused(t, r, tt.kind, tt.words)
	}
}

// A tool whose name the API does not take has its own name in the response.
func TestNamesOfToolsComeBack(t *testing.T) {
	both(t, func(t *testing.T, send func(*anthropic.Model, *runtime.Request) (*runtime.Response, error)) {
		f := serve(t, message("tool_use", `[{"type":"tool_use","id":"toolu_1","name":"book_room","input":{"n":1}}]`))
		r := hello()
		r.Tools = []runtime.Contract{{Name: "book.room", Description: "Books <a> room"}}
		got, err := send(f.model(t, anthropic.Options{}), r)
		if err != nil || len(got.Calls) != 1 || got.Calls[0].Name != "book.room" {
			t.Errorf("%+v, %v", got, err)
		}
	})
}

// The API refuses calls in a conversation without the tool, and a run that asks for
// a last answer sends no tools.
func TestCallsWithoutTools(t *testing.T) {
	r := hello()
	r.Messages = append(r.Messages, assistant("", "", call("toolu_1", "time", "{}")), result("toolu_1", "time", "1", false))
	body := sent(t, r)
	if !strings.Contains(body, `"tool_choice":{"type":"none"}`) || !strings.Contains(body, `"name":"time"`) {
		t.Error(body)
	}
}

// TestKeptBlocksAreOfOneProvider sends thinking of Anthropic to another provider that has
// the same API.
func TestKeptBlocksAreOfOneProvider(t *testing.T) {
	f := serve(t, message("end_turn", `[{"type":"thinking","thinking":"Who?","signature":"sigW="},{"type":"text","text":"Yes."}]`))
	table := models.Builtin().With(models.Provider{Name: "work", Dialect: models.Messages, Keys: []string{"WORK_API_KEY"}})
	r := hello()
	r.Messages = append(r.Messages,
		assistant("Hi.", `{"Anthropic":[{"type":"thinking","thinking":"Hm","signature":"sigA="},{"type":"text","text":"Hi."}]}`), runtime.UserMessage("Again"))
	got, err := f.model(t, anthropic.Options{Provider: "work", Models: table}).Generate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(f.bodies[0], "sigA=") || !strings.Contains(string(got.Extra), `{"work":`) {
		t.Errorf("sent %s\nkept %s", f.bodies[0], got.Extra)
	}
}

func TestStrictTools(t *testing.T) {
	const city = `{"type":"object","properties":{"city":{"type":"string","minLength":1},"days":{"type":"integer"}},"required":["city"]}`
	const strict = `"input_schema":{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"],"additionalProperties":false},"name":"weather","strict":true}`
	const loose = `"input_schema":` + city + `,"name":"weather"}`
	tools := func(n int, schema string, strict bool) (list []runtime.Contract) {
		for range n {
			list = append(list, runtime.Contract{Name: "weather" + strings.Repeat("_", len(list)), Input: json.RawMessage(schema), Strict: strict})
		}
		return list
	}
	for _, tt := range []struct {
		model string
		asked bool
		want  string
	}{{"claude-sonnet-4-5", true, strict}, {"claude-sonnet-4-5", false, loose}, {"claude-opus-4-1", true, loose}} {
		r := hello()
		r.Model, r.Tools = tt.model, tools(1, city, tt.asked)
		if body := strings.ReplaceAll(sent(t, r), `,"cache_control":{"type":"ephemeral"}`, ""); !strings.Contains(body, tt.want) {
			t.Errorf("%s: sent %s\nwithout %s", tt.model, body, tt.want)
		}
	}
	r := hello()
	r.Tools = tools(21, `{"type":"object","properties":{}}`, true)
	_, err := serve(t).model(t, anthropic.Options{}).Generate(t.Context(), r)
	var failed *runtime.Error
	if !errors.As(err, &failed) || failed.Kind != runtime.KindConfiguration || !strings.Contains(err.Error(), "at most 20 strict tools") {
		t.Error(err)
	}
	// An answer that the API does not take beside the strict tools comes as a tool.
	r.Tools = tools(20, city, true)
	r.Output = runtime.Output{Name: "a", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"},"d":{"type":"string"}}}`)}
	if body := sent(t, r); !strings.Contains(body, "output_config") {
		t.Errorf("24 optional fields: %s", body)
	}
	r.Output.Schema = json.RawMessage(strings.Replace(string(r.Output.Schema), `"a":`, `"e":{"type":"string"},"a":`, 1))
	if body := sent(t, r); strings.Contains(body, "output_config") || !strings.Contains(body, `"name":"answer"`) {
		t.Errorf("25 optional fields: %s", body)
	}
}
