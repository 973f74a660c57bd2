package gemini

import (
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
	for _, c := range []faultCase{
		{"a good call", []step{call(lookupUlm), rain}, "Rain.", refused{}, 2, 1},
		{"a tool that no name can have", []step{call(`{"functionCall":{"name":"functions.lookup é","args":{}},"thoughtSignature":"YQ=="}`), rain}, "Rain.", refused{}, 2, 0},
		{"the same id twice", []step{parts("STOP", lookupUlm, `{"functionCall":{"id":"fc1","name":"note","args":{}}}`), rain}, "Rain.", refused{}, 2, 1},
		{"a call before the filter", []step{parts("SAFETY", lookupUlm)}, "", refused{runtime.KindContentFilter, "SAFETY"}, 1, 0},
		{"malformed", []step{parts("MALFORMED_FUNCTION_CALL", `{"text":"I try"}`), call(lookupUlm), rain}, "Rain.", refused{}, 3, 1},
		{"malformed without content", []step{chunks(`{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"Malformed function call: print("}]}`), rain}, "Rain.", refused{}, 2, 0},
		{"malformed twice", []step{parts("MALFORMED_FUNCTION_CALL", lookupUlm), chunks(`{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"print(\u001b"}]}`)}, "",
			llm("the model made an invalid call of a tool, twice (MALFORMED_FUNCTION_CALL: print("), 2, 0},
		{"unexpected", []step{chunks(`{"candidates":[{"content":{},"finishReason":"UNEXPECTED_TOOL_CALL"}]}`), rain}, "Rain.", refused{}, 2, 0},
	} {
		c.run(t)
	}
}

func TestFaultsOfAnswers(t *testing.T) {
	rain := says("Rain.")
	one := func(candidate string) step { return chunks(`{"candidates":[` + candidate + `],` + usage + `}`) }
	for _, c := range []faultCase{
		{"without content", []step{one(`{"finishReason":"STOP"}`), rain}, "Rain.", refused{}, 2, 0},
		{"content null", []step{one(`{"content":null,"finishReason":"STOP"}`), rain}, "Rain.", refused{}, 2, 0},
		{"parts null", []step{one(`{"content":{"parts":null},"finishReason":"STOP"}`), rain}, "Rain.", refused{}, 2, 0},
		{"empty twice", []step{one(`{"finishReason":"STOP"}`), one(`{"finishReason":"STOP"}`)}, "", llm("LLM returned empty response"), 2, 0},
		{"other", []step{one(`{"finishReason":"OTHER"}`), one(`{"finishReason":"OTHER"}`)}, "", llm(`it finished with "other"`), 2, 0},
		{"recitation", []step{parts("RECITATION", `{"text":"It was"}`)}, "", refused{runtime.KindContentFilter, "RECITATION"}, 1, 0},
		{"prohibited", []step{chunks(`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},` + usage + `}`)}, "", refused{runtime.KindContentFilter, "PROHIBITED_CONTENT"}, 1, 0},
		{"blocked with a message", []step{chunks(`{"promptFeedback":{"blockReason":"BLOCKLIST","blockReasonMessage":"no"}}`)}, "", refused{runtime.KindContentFilter, "BLOCKLIST: no"}, 1, 0},
		{"parts of an unknown kind", []step{parts("STOP", `{"executableCode":{"code":"1"}}`, `{"text":"Rain."}`)}, "Rain.", refused{}, 1, 0},
		{"no counts", []step{chunks(`{"candidates":[{"content":{"parts":[{"text":"Rain."}]},"finishReason":"STOP"}]}`)}, "Rain.", refused{}, 1, 0},
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
	for _, c := range []faultCase{
		{"unavailable in a list", []step{raw(503, "application/json", `[{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}]`), rain}, "Rain.", refused{}, 2, 0},
		{"rate limit", []step{fails(429, "RESOURCE_EXHAUSTED", "slow down", quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"), delay("34.2s")), rain}, "Rain.", refused{}, 2, 0},
		{"rate limit for an hour", []step{fails(429, "RESOURCE_EXHAUSTED", "slow down", delay("3600s"))}, "", refused{runtime.KindRateLimit, "slow down; the server asks to wait 1h0m0s: try again then"}, 1, 0},
		{"quota of the day", []step{fails(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota", quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), delay("36s")), rain}, "Rain.", refused{}, 2, 0},
		{"invalid key", []step{fails(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", `{"@type":"`+kind+`ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}`)}, "",
			refused{runtime.KindConfiguration, "invalid API key or no permission: Google refuses it; check GOOGLE_API_KEY or GEMINI_API_KEY"}, 1, 0},
		{"expired key", []step{fails(400, "INVALID_ARGUMENT", "API key expired. Please renew the API key.", `{"@type":"`+kind+`ErrorInfo","reason":"API_KEY_INVALID"}`)}, "",
			refused{runtime.KindConfiguration, "API key expired"}, 1, 0},
		{"leaked key", []step{fails(403, "PERMISSION_DENIED", "Your API key was reported as leaked.")}, "", refused{runtime.KindConfiguration, "reported as leaked"}, 1, 0},
		{"no key", []step{fails(401, "UNAUTHENTICATED", "Request is missing required authentication credential.")}, "", refused{runtime.KindConfiguration, "missing required"}, 1, 0},
		{"a region", []step{fails(400, "FAILED_PRECONDITION", "User location is not supported for the API use.")}, "", llm("User location is not supported"), 1, 0},
		{"a refusal in the stream", []step{chunks(`{"error":{"code":400,"message":"Request contains an invalid argument.","status":"INVALID_ARGUMENT"}}`)}, "", llm("API error: 400"), 1, 0},
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
