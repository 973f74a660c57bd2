package openai

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/runtime"
)

func TestResponses(t *testing.T) {
	call := func(id, args string) []runtime.Call {
		return []runtime.Call{{ID: id, Name: "f", Args: json.RawMessage(args)}}
	}
	tests := []struct {
		name, message string
		want          runtime.Response
	}{
		{"text", `{"content":"hi"}`, runtime.Response{Content: "hi"}},
		{"call", `{"content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}`, runtime.Response{Calls: call("c", `{"a":1}`)}},
		{"text and call", `{"content":"wait","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{"}}]}`, runtime.Response{Content: "wait", Calls: call("c", `{`)}},
		{"old call has no id", `{"function_call":{"name":"f","arguments":"{}"}}`, runtime.Response{Calls: call("", `{}`)}},
		{"empty old call is none", `{"content":"hi","function_call":{"name":"","arguments":""}}`, runtime.Response{Content: "hi"}},
		{"call of another type", `{"tool_calls":[{"id":"c","type":"custom","function":{"name":"f","arguments":"{}"}}]}`, runtime.Response{Calls: call("c", `{}`)}},
		{"call without type", `{"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}`, runtime.Response{Calls: call("c", `{}`)}},
		{"refusal", `{"content":null,"refusal":"no"}`, runtime.Response{Refusal: "no"}},
		{"parts", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, runtime.Response{Content: "ab"}},
		{"thinking, then text", `{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"b"}]}`, runtime.Response{Content: "b"}},
		{"odd parts", `{"content":["a",{"text":"b"},{"type":"image_url","image_url":"x"},null]}`, runtime.Response{Content: "ab"}},
		{"arguments as an object", `{"tool_calls":[{"id":7,"function":{"name":"f","arguments":{"a":1}}}]}`, runtime.Response{Calls: call("7", `{"a":1}`)}},
		{"old arguments as an object", `{"function_call":{"name":"f","arguments":{"a":1}}}`, runtime.Response{Calls: call("", `{"a":1}`)}},
		{"control characters", `{"content":"a\u001b[31m\u0000\u0007b"}`, runtime.Response{Content: "a\x1b[31m\x00\ab"}},
		{"wrong role", `{"role":"user","content":"hi"}`, runtime.Response{Content: "hi"}},
		{"empty message", `{}`, runtime.Response{}},
		{"empty text", `{"content":""}`, runtime.Response{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, responds(200, `{"choices":[{"message":`+tt.message+`,"finish_reason":"x"}]}`))
			got, err := s.model(t, Options{}).Generate(t.Context(), hello())
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Finish = "x"
			if d := cmp.Diff(&tt.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestUsageNeverFailsARun(t *testing.T) {
	const most = math.MaxInt64
	tests := []struct {
		usage string
		want  runtime.Usage
	}{
		{`{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}`, runtime.Usage{Input: 3, Output: 2, Total: 5}},
		{`{"prompt_tokens":3,"completion_tokens":2}`, runtime.Usage{Input: 3, Output: 2, Total: 5}},
		{`null`, runtime.Usage{}},
		{`{}`, runtime.Usage{}},
		{`{"prompt_tokens":-3,"completion_tokens":2,"total_tokens":-1}`, runtime.Usage{Output: 2, Total: 2}},
		{`{"prompt_tokens":1e3,"completion_tokens":2.5,"total_tokens":1002.5}`, runtime.Usage{Input: 1000, Output: 2, Total: 1002}},
		{`{"prompt_tokens":-1e3,"completion_tokens":"7"}`, runtime.Usage{Output: 7, Total: 7}},
		{`{"prompt_tokens":9223372036854775807,"completion_tokens":9223372036854775807}`, runtime.Usage{Input: most, Output: most, Total: most}},
		{`{"prompt_tokens":99999999999999999999,"total_tokens":1e400}`, runtime.Usage{Input: most, Total: most}},
		{`{"prompt_tokens":1,"prompt_tokens_details":{"cached_tokens":0.5}}`, runtime.Usage{Input: 1, Total: 1}},
		{`[]`, runtime.Usage{}},
		{`"many"`, runtime.Usage{}},
	}
	for _, tt := range tests {
		t.Run(tt.usage, func(t *testing.T) {
			s := serve(t, responds(200, `{"created":1.5,"choices":[{"message":{"content":"hi"}}],"usage":`+tt.usage+`}`),
				responds(200, `{"choices":[{"message":{"content":"hi"}}],"usage":`+tt.usage+`}`))
			m := s.model(t, Options{})
			for range 2 { // decoded loosely, then as go-openai does when it can
				got, err := m.Generate(t.Context(), hello())
				if err != nil {
					t.Fatal(err)
				}
				if got.Usage != tt.want || got.Content != "hi" {
					t.Errorf("got %+v, want usage %+v", got, tt.want)
				}
			}
		})
	}
	for _, body := range []string{
		`{"usage":{"choices":1},"choices":[{"message":{"content":"hi"}}]}`, `{"x":"choices","choices":[{"message":{"content":"hi"}}]}`,
	} {
		got, err := serve(t, responds(200, body)).model(t, Options{}).Generate(t.Context(), hello())
		if err != nil || got.Content != "hi" {
			t.Errorf("%s: %v, %v", body, got, err)
		}
	}
	s := serve(t, responds(200, `{"choices":[{"message":{"content":"hi"}}]}`))
	if got, err := s.model(t, Options{}).Generate(t.Context(), hello()); err != nil || got.Usage != (runtime.Usage{}) {
		t.Errorf("without usage: %+v, %v", got, err)
	}
}

func TestUnusableResponses(t *testing.T) {
	long := strings.Repeat("z", 300)
	tests := []struct {
		name, body string
		requests   int
		words      []string
	}{
		{"error inside", `{"error":{"message":"overloaded"}}`, 3, []string{"API error of ", ": overloaded"}},
		{"error with a status inside", `{"error":{"message":"slow down","code":429}}`, 3, []string{"API error: 429 - slow down"}},
		{"final status inside", `{"error":{"message":"bad","code":400}}`, 1, []string{"API error: 400 - bad"}},
		{"no money inside", `{"error":{"message":"pay","code":"insufficient_quota"}}`, 1, []string{"pay"}},
		{"error as text", `{"error":"boom"}`, 3, []string{"API error of ", ": boom"}},
		{"choices empty", `{"choices":[]}`, 3, []string{"no choices", `{"choices":[]}`}},
		{"choices null", `{"choices":null}`, 3, []string{"no choices"}},
		{"choices missing", `{"id":"x"}`, 3, []string{"no choices"}},
		{"choices elsewhere", `{"error":{"choices":[{}]}}`, 3, []string{"choices"}},
		{"list", `[]`, 3, []string{"no choices"}},
		{"message null", `{"choices":[{"message":null}]}`, 3, []string{"no message"}},
		{"message missing", `{"choices":[{"index":0}]}`, 3, []string{"no message"}},
		{"message is text", `{"choices":[{"message":"hi"}]}`, 3, []string{"has no message"}},
		{"cut off", `{"choices":[{"message":{"content":"h`, 3, []string{"is not JSON", `{"choices"`}},
		{"text after the JSON", `{"choices":[{"message":{"content":"hi"}}]} x`, 3, []string{"is not JSON"}},
		{"empty", ``, 3, []string{"body is empty"}},
		{"blank", " \n", 3, []string{"body is empty"}},
		{"HTML", "\n<!DOCTYPE html>\x1b[31m<p>" + long, 1, []string{"web page", "base URL", "<!DOCTYPE html>[31m<p>zzz", "z…"}},
		{"not JSON", "upstream \x00 died", 3, []string{"not JSON", "upstream died"}},
		{"too deep", `{"choices":[{"message":` + strings.Repeat("[", 20000), 3, []string{"is not JSON"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := serve(t, responds(200, tt.body))
			kind := runtime.KindLLMAPI
			switch tt.name {
			case "error inside":
				kind = runtime.KindOverloaded
			case "error with a status inside":
				kind = runtime.KindRateLimit
			}
			err := wantError(t, s.model(t, Options{}), kind, tt.words...)
			if s.requests() != tt.requests {
				t.Errorf("%d requests, want %d", s.requests(), tt.requests)
			}
			if len([]rune(err.Error())) > 350 {
				t.Errorf("%d characters: %s", len(err.Error()), err)
			}
		})
	}
}

func TestByteOrderMarkIsSkipped(t *testing.T) {
	s := serve(t, responds(200, "\ufeff"+`{"choices":[{"message":{"content":"hi"}}]}`))
	if got, err := s.model(t, Options{}).Generate(t.Context(), hello()); err != nil || got.Content != "hi" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSpacedResponseIsRead(t *testing.T) {
	s := serve(t, responds(200, "\n\n"+`{ "choices" : [ { "message" : { "content" : "hi" } } ], "error": null }`))
	if got, err := s.model(t, Options{}).Generate(t.Context(), hello()); err != nil || got.Content != "hi" || s.requests() != 1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A rewritten response keeps texts that JSON escapes, and the extras of calls.
func TestRewrittenResponsesAreWhole(t *testing.T) {
	s := serve(t, responds(200, `{"created":1.5,"choices":[{"message":{"content":"a\"<b>\\","tool_calls":[
		{"id":7,"extra_content":{"s":"<&>"},"function":{"name":"f","arguments":{"n":1.0}}}]},"finish_reason":"x\"y"}]}`))
	got, err := s.model(t, Options{}).Generate(t.Context(), hello())
	want := &runtime.Response{Content: `a"<b>\`, Finish: `x"y`, Calls: []runtime.Call{
		{ID: "7", Name: "f", Args: json.RawMessage(`{"n":1.0}`), Extra: json.RawMessage(`{"OpenAI":{"s":"<&>"}}`)},
	}}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got)\n%s", err, d)
	}
}
