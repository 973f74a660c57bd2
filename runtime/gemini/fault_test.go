package gemini

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

// A faultCase is what a provider does wrong: the run gives the right answer, or ends
// with one error.
type faultCase struct {
	name     string
	steps    []step
	answer   string  // "" for an error
	want     refused // unless there is an answer
	requests int
	lookups  int // how often the tool ran
}

func llm(words string) refused { return refused{runtime.KindLLMAPI, words} }

// run runs a case streamed and not, and checks that the conversation can go on.
func (c *faultCase) run(t *testing.T) {
	t.Helper()
	t.Run(c.name, func(t *testing.T) {
		both(t, func(t *testing.T, stream bool) {
			f := newFake(t, append(c.steps[:len(c.steps):len(c.steps)], says("Goodbye."))...)
			r, m := newTrial(t, "gemini-3-flash-preview"), f.model(Options{})
			answer, shown, err := r.run(t, m, stream, nil)
			if got := len(f.sent()); got != c.requests {
				t.Errorf("%d requests, want %d", got, c.requests)
			}
			if r.ran["lookup"] != c.lookups {
				t.Errorf("the tool ran %d times, want %d", r.ran["lookup"], c.lookups)
			}
			if c.answer == "" {
				if err == nil {
					t.Fatalf("answer %q, want an error", answer.Content)
				}
				c.want.check(t, err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if answer.Content != c.answer || stream && !strings.HasSuffix(shown, c.answer) {
				t.Errorf("answer %q, shown %q, want %q", answer.Content, shown, c.answer)
			}
			f.mu.Lock()
			f.steps = []step{says("Goodbye.")}
			f.mu.Unlock()
			if _, _, err := r.run(t, m, stream, answer.Conversation); err != nil { // the fake refuses what is not valid
				t.Errorf("the conversation cannot go on: %v", err)
			}
		})
	})
}

const lookupUlm = `{"functionCall":{"id":"fc1","name":"lookup","args":{"city":"Ulm"}},"thoughtSignature":"YQ=="}`

func call(text string) step { return parts("STOP", text) }

func TestFaultsOfCalls(t *testing.T) {
	rain := says("Rain.")
	many := make([]string, 200)
	for i := range many {
		many[i] = strings.ReplaceAll(lookupUlm, "fc1", fmt.Sprint("fc", i))
		if i > 0 {
			many[i] = strings.ReplaceAll(many[i], `,"thoughtSignature":"YQ=="`, "")
		}
	}
	for _, c := range []faultCase{
		{"a good call", []step{call(lookupUlm), rain}, "Rain.", refused{}, 2, 1},
		{"arguments missing", []step{call(`{"functionCall":{"name":"lookup"},"thoughtSignature":"YQ=="}`), rain}, "Rain.", refused{}, 2, 0},
		{"arguments null", []step{call(`{"functionCall":{"name":"lookup","args":null},"thoughtSignature":"YQ=="}`), rain}, "Rain.", refused{}, 2, 0},
		{"arguments in a text", []step{call(`{"functionCall":{"name":"lookup","args":"{\"city\":\"Ulm\"}"},"thoughtSignature":"YQ=="}`), rain}, "Rain.", refused{}, 2, 1},
		{"arguments of a wrong type", []step{call(`{"functionCall":{"name":"lookup","args":{"city":7}},"thoughtSignature":"YQ=="}`), rain}, "Rain.", refused{}, 2, 0},
		{"arguments in a list", []step{call(`{"functionCall":{"name":"lookup","args":["Ulm"]},"thoughtSignature":"YQ=="}`), rain}, "Rain.", refused{}, 2, 0},
		{"unknown tool", []step{call(`{"functionCall":{"name":"Lookup","args":{}},"thoughtSignature":"YQ=="}`), rain}, "Rain.", refused{}, 2, 0},
		{"a tool that no name can have", []step{call(`{"functionCall":{"name":"functions.lookup é","args":{}},"thoughtSignature":"YQ=="}`), rain}, "Rain.", refused{}, 2, 0},
		{"a tool without a name", []step{call(`{"functionCall":{"args":{}},"thoughtSignature":"YQ=="}`), rain}, "Rain.", refused{}, 2, 0},
		{"a tool with a long name", []step{call(`{"functionCall":{"name":"` + strings.Repeat("x", 160_000) + `","args":{}},"thoughtSignature":"YQ=="}`), rain}, "Rain.", refused{}, 2, 0},
		{"the same id twice", []step{parts("STOP", lookupUlm, `{"functionCall":{"id":"fc1","name":"note","args":{}}}`), rain}, "Rain.", refused{}, 2, 1},
		{"the same id in the next response", []step{call(lookupUlm), call(lookupUlm), rain}, "Rain.", refused{}, 3, 2},
		{"a long id", []step{call(strings.ReplaceAll(lookupUlm, "fc1", strings.Repeat("i", 500))), rain}, "Rain.", refused{}, 2, 1},
		{"200 calls", []step{parts("STOP", many...), rain}, "Rain.", refused{}, 2, 16},
		{"cut off beside a call", []step{parts("MAX_TOKENS", lookupUlm), rain}, "Rain.", refused{}, 2, 0},
		{"a call before the filter", []step{parts("SAFETY", lookupUlm)}, "", refused{runtime.KindContentFilter, "SAFETY"}, 1, 0},
		{"malformed", []step{parts("MALFORMED_FUNCTION_CALL", `{"text":"I try"}`), call(lookupUlm), rain}, "Rain.", refused{}, 3, 1},
		{"malformed without content", []step{chunks(`{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"Malformed function call: print("}]}`), rain}, "Rain.", refused{}, 2, 0},
		{"malformed twice", []step{parts("MALFORMED_FUNCTION_CALL", lookupUlm), chunks(`{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"print(\u001b"}]}`)}, "",
			llm("the model made an invalid call of a tool, twice (MALFORMED_FUNCTION_CALL: print("), 2, 0},
		{"unexpected", []step{chunks(`{"candidates":[{"content":{},"finishReason":"UNEXPECTED_TOOL_CALL"}]}`), rain}, "Rain.", refused{}, 2, 0},
		{"for ever", []step{call(lookupUlm), call(lookupUlm), call(lookupUlm), call(lookupUlm), call(lookupUlm), call(lookupUlm), call(lookupUlm), call(lookupUlm), call(lookupUlm), call(lookupUlm)}, "",
			refused{runtime.KindTool, "Maximum iteration limit reached"}, 10, 10},
	} {
		c.run(t)
	}
}

func TestFaultsOfAnswers(t *testing.T) {
	rain := says("Rain.")
	one := func(candidate string) step { return chunks(`{"candidates":[` + candidate + `],` + usage + `}`) }
	counts := func(usage string) step {
		return chunks(`{"candidates":[{"content":{"parts":[{"text":"Rain."}]},"finishReason":"STOP"}],"usageMetadata":` + usage + `}`)
	}
	for _, c := range []faultCase{
		{"empty", []step{parts("STOP", `{"text":""}`), rain}, "Rain.", refused{}, 2, 0},
		{"blank", []step{parts("STOP", `{"text":" \n"}`), rain}, "Rain.", refused{}, 2, 0},
		{"without content", []step{one(`{"finishReason":"STOP"}`), rain}, "Rain.", refused{}, 2, 0},
		{"content null", []step{one(`{"content":null,"finishReason":"STOP"}`), rain}, "Rain.", refused{}, 2, 0},
		{"parts null", []step{one(`{"content":{"parts":null},"finishReason":"STOP"}`), rain}, "Rain.", refused{}, 2, 0},
		{"thoughts alone", []step{parts("STOP", `{"text":"hm","thought":true,"thoughtSignature":"YQ=="}`), rain}, "Rain.", refused{}, 2, 0},
		{"empty twice", []step{one(`{"finishReason":"STOP"}`), one(`{"finishReason":"STOP"}`)}, "", llm("LLM returned empty response"), 2, 0},
		{"other", []step{one(`{"finishReason":"OTHER"}`), one(`{"finishReason":"OTHER"}`)}, "", llm(`it finished with "other"`), 2, 0},
		{"an unknown finish", []step{parts("TIRED", `{"text":"Rain."}`)}, "Rain.", refused{}, 1, 0},
		{"cut off", []step{parts("MAX_TOKENS", `{"text":"Rain"}`)}, "Rain", refused{}, 1, 0},
		{"recitation", []step{parts("RECITATION", `{"text":"It was"}`)}, "", refused{runtime.KindContentFilter, "RECITATION"}, 1, 0},
		{"prohibited", []step{chunks(`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},` + usage + `}`)}, "", refused{runtime.KindContentFilter, "PROHIBITED_CONTENT"}, 1, 0},
		{"blocked with a message", []step{chunks(`{"promptFeedback":{"blockReason":"BLOCKLIST","blockReasonMessage":"no"}}`)}, "", refused{runtime.KindContentFilter, "BLOCKLIST: no"}, 1, 0},
		{"parts of an unknown kind", []step{parts("STOP", `{"executableCode":{"code":"1"}}`, `{"text":"Rain."}`)}, "Rain.", refused{}, 1, 0},
		{"no candidates", []step{chunks(`{"candidates":[]}`), rain}, "Rain.", refused{}, 2, 0},
		{"candidates null", []step{chunks(`{"candidates":null}`), rain}, "Rain.", refused{}, 2, 0},
		{"nothing but counts", []step{chunks(`{` + usage + `}`), rain}, "Rain.", refused{}, 2, 0},
		{"an empty object for ever", []step{chunks(`{}`), chunks(`{}`), chunks(`{}`)}, "", llm("API error of "), 3, 0},
		{"no counts", []step{chunks(`{"candidates":[{"content":{"parts":[{"text":"Rain."}]},"finishReason":"STOP"}]}`)}, "Rain.", refused{}, 1, 0},
		{"counts null", []step{counts(`null`)}, "Rain.", refused{}, 1, 0},
		{"strange counts", []step{counts(`{"promptTokenCount":-1,"candidatesTokenCount":1e400,"thoughtsTokenCount":"7","totalTokenCount":1.5,"cachedContentTokenCount":{}}`)}, "Rain.", refused{}, 1, 0},
	} {
		c.run(t)
	}
}

func TestCountsOfTokens(t *testing.T) {
	f := newFake(t, chunks(`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"toolUsePromptTokenCount":2,"candidatesTokenCount":1e400,"thoughtsTokenCount":"7"}}`))
	response, err := f.model(Options{}).Generate(t.Context(), &runtime.Request{Model: "gemini-2.5-flash", Messages: []runtime.Message{runtime.UserMessage("hi")}})
	const most = 1<<63 - 1
	if want := (runtime.Usage{Input: 7, Output: most, Total: most, Reasoning: 7}); err != nil || response.Usage != want {
		t.Errorf("usage %+v, %v, want %+v", response, err, want)
	}
}

func TestFaultsOfTheAPI(t *testing.T) {
	rain := says("Rain.")
	const kind = "type.googleapis.com/google.rpc."
	delay := func(d string) string { return `{"@type":"` + kind + `RetryInfo","retryDelay":"` + d + `"}` }
	quota := func(id string) string {
		return `{"@type":"` + kind + `QuotaFailure","violations":[{"quotaMetric":"generativelanguage.googleapis.com/generate_content_free_tier_requests","quotaId":"` + id + `"}]}`
	}
	again := func(s step) []step { return []step{s, s, s, s} }
	for _, c := range []faultCase{
		{"unavailable", []step{fails(503, "UNAVAILABLE", "The model is overloaded. Please try again later."), rain}, "Rain.", refused{}, 2, 0},
		{"unavailable in a list", []step{raw(503, "application/json", `[{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}]`), rain}, "Rain.", refused{}, 2, 0},
		{"unavailable for ever", again(fails(503, "UNAVAILABLE", "overloaded")), "", refused{runtime.KindOverloaded, "API error: 503 - overloaded (tried 4 times)"}, 4, 0},
		{"internal", []step{fails(500, "INTERNAL", "An internal error has occurred."), rain}, "Rain.", refused{}, 2, 0},
		{"deadline", []step{fails(504, "DEADLINE_EXCEEDED", "too slow"), rain}, "Rain.", refused{}, 2, 0},
		{"conflict", []step{fails(409, "ABORTED", "conflict"), rain}, "Rain.", refused{}, 2, 0},
		{"rate limit", []step{fails(429, "RESOURCE_EXHAUSTED", "slow down", quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"), delay("34.2s")), rain}, "Rain.", refused{}, 2, 0},
		{"rate limit without details", []step{fails(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."), rain}, "Rain.", refused{}, 2, 0},
		{"rate limit for an hour", []step{fails(429, "RESOURCE_EXHAUSTED", "slow down", delay("3600s"))}, "", refused{runtime.KindRateLimit, "slow down; the server asks to wait 1h0m0s: try again then"}, 1, 0},
		{"quota of the day", []step{fails(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota", quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), delay("36s")), rain}, "Rain.", refused{}, 2, 0},
		{"invalid key", []step{fails(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", `{"@type":"`+kind+`ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}`)}, "",
			refused{runtime.KindConfiguration, "invalid API key or no permission: Google refuses it; check GOOGLE_API_KEY or GEMINI_API_KEY"}, 1, 0},
		{"expired key", []step{fails(400, "INVALID_ARGUMENT", "API key expired. Please renew the API key.", `{"@type":"`+kind+`ErrorInfo","reason":"API_KEY_INVALID"}`)}, "",
			refused{runtime.KindConfiguration, "API key expired"}, 1, 0},
		{"leaked key", []step{fails(403, "PERMISSION_DENIED", "Your API key was reported as leaked.")}, "", refused{runtime.KindConfiguration, "reported as leaked"}, 1, 0},
		{"no key", []step{fails(401, "UNAUTHENTICATED", "Request is missing required authentication credential.")}, "", refused{runtime.KindConfiguration, "missing required"}, 1, 0},
		{"a region", []step{fails(400, "FAILED_PRECONDITION", "User location is not supported for the API use.")}, "", llm("User location is not supported"), 1, 0},
		{"unknown model", []step{fails(404, "NOT_FOUND", "models/x is not found for API version v1beta")}, "", llm(`check the model "gemini-3-flash-preview" and the base URL`), 1, 0},
		{"too long", []step{fails(400, "INVALID_ARGUMENT", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).")}, "",
			refused{runtime.KindContextOverflow, `the conversation is too long for model "gemini-3-flash-preview"`}, 1, 0},
		{"refused", []step{fails(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")}, "", llm("API error: 400 - Request contains an invalid argument."), 1, 0},
		{"key in an error", []step{fails(400, "INVALID_ARGUMENT", "bad key "+testKey)}, "", llm("bad key [hidden key]"), 1, 0},
		{"an error with status 200", []step{raw(200, "application/json", `{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}`), rain}, "Rain.", refused{}, 2, 0},
		{"an error in the stream", []step{chunks(`{"candidates":[{"content":{"parts":[{"text":"Sun"}]}}]}`, `{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}`), rain}, "Rain.", refused{}, 2, 0},
		{"a refusal in the stream", []step{chunks(`{"error":{"code":400,"message":"Request contains an invalid argument.","status":"INVALID_ARGUMENT"}}`)}, "", llm("API error: 400"), 1, 0},
		{"a web page", []step{raw(200, "text/html", "<html>Sign in</html>")}, "", llm("is a web page instead of JSON; check the base URL"), 1, 0},
		{"an empty body", []step{raw(200, "application/json", ""), rain}, "Rain.", refused{}, 2, 0},
		{"an empty list", []step{raw(200, "application/json", "[]"), rain}, "Rain.", refused{}, 2, 0},
		{"a redirect", []step{raw(302, "text/html", "", "Location: http://example.test/")}, "", llm("the server redirects to http://example.test"), 1, 0},
		{"a web page as an error", []step{raw(502, "text/html", "<html>Bad gateway</html>"), rain}, "Rain.", refused{}, 2, 0},
		{"a broken connection", []step{func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, rain}, "Rain.", refused{}, 2, 0},
		{"a response that is cut off", []step{cutOff(`{"candidates":[{"content":{"parts":[{"text":"Su`), rain}, "Rain.", refused{}, 2, 0},
		{"a call that is cut off", []step{cutOff(`{"candidates":[{"content":{"parts":[` + lookupUlm + `]}}]}`), rain}, "Rain.", refused{}, 2, 0},
	} {
		c.run(t)
	}
}

func TestHowLongTheAPIAsksToWait(t *testing.T) {
	both(t, func(t *testing.T, stream bool) {
		f := newFake(t, fails(429, "RESOURCE_EXHAUSTED", "slow down", `{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}`),
			raw(503, "application/json", `{}`, "Retry-After: 7"), says("Rain."))
		if _, _, err := newTrial(t, "gemini-2.5-flash").run(t, f.model(Options{}), stream, nil); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(f.waits); got != "[34.5s 7s]" {
			t.Errorf("waited %s", got)
		}
	})
}

// events answers with the bytes of a stream.
func events(text string) step {
	return raw(200, "text/event-stream", text)
}

// A stream can have any form that the standard allows, and breaks in many ways.
func TestFaultsOfStreams(t *testing.T) {
	const first, last = `{"candidates":[{"content":{"parts":[{"text":"Räin"}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":" ☔."}]},"finishReason":"STOP"}]}`
	good := "data: " + first + "\n\ndata: " + last + "\n\n"
	retried := events(good)
	for _, c := range []struct {
		name     string
		steps    []step
		want     string // the answer; "" for an error
		refused  refused
		requests int
		void     string // pieces of an attempt that was given up
	}{
		{"plain", []step{events(good)}, "Räin ☔.", refused{}, 1, ""},
		{"CRLF", []step{events(strings.ReplaceAll(good, "\n", "\r\n"))}, "Räin ☔.", refused{}, 1, ""},
		{"no space", []step{events(strings.ReplaceAll(good, "data: ", "data:"))}, "Räin ☔.", refused{}, 1, ""},
		{"comments and other fields", []step{events(strings.Repeat(": ping\n\n", 1000) + "event: message\nid: 1\n" + good)}, "Räin ☔.", refused{}, 1, ""},
		{"a mark of UTF-8", []step{events("\ufeff" + good)}, "Räin ☔.", refused{}, 1, ""},
		{"byte by byte", []step{byBytes(good)}, "Räin ☔.", refused{}, 1, ""},
		{"lines in an event", []step{events("data: {\ndata: " + first[1:] + "\n\ndata: " + last + "\n\n")}, "Räin ☔.", refused{}, 1, ""},
		{"no blank line at the end", []step{events(strings.TrimRight(good, "\n"))}, "Räin ☔.", refused{}, 1, ""},
		{"counts after the finish", []step{events(good + `data: {"usageMetadata":{"promptTokenCount":3}}` + "\n\n")}, "Räin ☔.", refused{}, 1, ""},
		{"cut after the finish", []step{cutStream(good)}, "Räin ☔.", refused{}, 1, ""},
		{"no finish", []step{events("data: " + first + "\n\n"), retried}, "Räin ☔.", refused{}, 2, "Räin"},
		{"never a finish", []step{events("data: " + first + "\n\n")}, "", llm("the response ended before it was complete (tried 4 times)"), 4, "RäinRäinRäin"},
		{"cut in an event", []step{cutStream("data: " + first + "\n\ndata: {\"cand"), retried}, "Räin ☔.", refused{}, 2, "Räin"},
		{"nothing", []step{events(""), retried}, "Räin ☔.", refused{}, 2, ""},
		{"not JSON", []step{events("data: " + first + "\n\ndata: {oops\n\n"), retried}, "Räin ☔.", refused{}, 2, "Räin"},
		{"a huge line", []step{events("data: " + strings.Repeat("x", 9<<20))}, "", llm(": an event of the stream is larger than 8 MiB"), 1, ""},
		{"endless signatures", []step{events(strings.Repeat(`data: {"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"`+strings.Repeat("x", 1<<16)+`"}]}}]}`+"\n\n", 200))}, "", llm(": the response is larger than 8 MiB"), 1, ""},
		{"an endless answer", []step{events(strings.Repeat(`data: {"candidates":[{"content":{"parts":[{"text":"`+strings.Repeat("x", 1<<16)+`"}]}}]}`+"\n\n", 200))}, "", llm(": the response is larger than 8 MiB"), 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t, c.steps...)
			var shown, void string
			response, err := f.model(Options{}).Stream(t.Context(), &runtime.Request{Model: "gemini-2.5-flash", Messages: []runtime.Message{runtime.UserMessage("hi")}}, func(d runtime.Delta) error {
				if shown += d.Text; d.Kind == runtime.DeltaRestart {
					void, shown = void+shown, ""
				}
				return nil
			})
			if got := len(f.sent()); got != c.requests || void != c.void {
				t.Errorf("%d requests, want %d; void %q, want %q", got, c.requests, void, c.void)
			}
			if c.want == "" {
				if err == nil {
					t.Fatalf("response %q", response.Content)
				}
				c.refused.check(t, err)
				return
			}
			if err != nil || response.Content != c.want || shown != c.want {
				t.Errorf("shown %q, response %+v, %v; want %q", shown, response, err, c.want)
			}
		})
	}
}

func byBytes(text string) step {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range len(text) {
			io.WriteString(w, text[i:i+1])
			w.(http.Flusher).Flush()
		}
	}
}

func cutStream(text string) step {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, text)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func TestLargeResponses(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	io.CopyN(z, spaces{}, 64<<20)
	z.Close()
	for name, c := range map[string]faultCase{
		"a large body":  {steps: []step{raw(200, "application/json", `{"candidates":[{"content":{"parts":[{"text":"`+strings.Repeat("x", 9<<20)+`"}]},"finishReason":"STOP"}]}`)}, want: llm("larger than"), requests: 1},
		"a bomb":        {steps: []step{raw(200, "application/json", bomb.String(), "Content-Encoding: gzip")}, want: llm("larger than"), requests: 1},
		"deeply nested": {steps: []step{chunks(`{"candidates":` + strings.Repeat("[", 300_000) + strings.Repeat("]", 300_000) + `}`)}, want: llm("is not one of the Gemini API"), requests: 3},
	} {
		c.name = name
		if c.requests == 3 {
			c.steps = append(c.steps, c.steps[0], c.steps[0])
		}
		c.run(t)
	}
}

type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// A consumer that gives up, or a run that is stopped, ends the request.
func TestRequestsThatAreStopped(t *testing.T) {
	request := &runtime.Request{Model: "gemini-2.5-flash", Messages: []runtime.Message{runtime.UserMessage("hi")}}
	enough := errors.New("enough")
	f := newFake(t, says("Rain."))
	if _, err := f.model(Options{}).Stream(t.Context(), request, func(runtime.Delta) error { return enough }); err != enough {
		t.Errorf("error %v, want that of yield", err)
	}
	both(t, func(t *testing.T, stream bool) {
		ctx, stop := context.WithCancel(t.Context())
		begun := make(chan bool)
		hangs := func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "data: ")
			w.(http.Flusher).Flush()
			close(begun)
			<-r.Context().Done()
		}
		m := newFake(t, hangs).model(Options{})
		go func() {
			<-begun
			stop()
		}()
		var err error
		if stream {
			_, err = m.Stream(ctx, request, func(runtime.Delta) error { return nil })
		} else {
			_, err = m.Generate(ctx, request)
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	slow := newFake(t, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	_, err := slow.model(Options{StartTimeout: time.Millisecond}).Generate(t.Context(), request)
	llm("the response did not begin within 1ms").check(t, err)
}

// A server that echoes the key, whole or in pieces, does not get it into the conversation.
func TestTheKeyIsHiddenInResponses(t *testing.T) {
	f := newFake(t, parts("STOP", `{"text":"It is `+testKey[:6]+`"}`, `{"text":"`+testKey[6:]+`."}`))
	shown := ""
	response, err := f.model(Options{}).Stream(t.Context(), &runtime.Request{Model: "gemini-2.5-flash", Messages: []runtime.Message{runtime.UserMessage("hi")}}, func(d runtime.Delta) error {
		shown += d.Text
		return nil
	})
	if err != nil || shown != "It is [hidden key]." || response.Content != shown {
		t.Errorf("shown %q, response %+v, %v", shown, response, err)
	}
}
