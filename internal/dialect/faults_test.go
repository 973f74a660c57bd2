package dialect

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gram-lang/gramc/internal/modelfake"
	"github.com/gram-lang/gramc/internal/modelhttp"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

const oslo = `{"city":"Oslo"}`

func faultsOfArguments() []fault {
	reported, runs := outcome{requests: 2}, outcome{requests: 2, ran: 1}
	return []fault{
		{name: "none", steps: replies(lookup(oslo)), want: runs},
		{name: "cut", steps: replies(lookup(`{"city":"Os`)), want: reported},
		{name: "fenced", steps: replies(lookup("```json\n" + oslo + "\n```")), want: reported},
		{name: "single quotes", steps: replies(lookup(`{'city':'Oslo'}`)), want: reported},
		{name: "trailing text", steps: replies(lookup(oslo + " ok")), want: reported},
		{name: "empty", steps: replies(lookup("")), want: reported},
		{name: "null", steps: replies(lookup("null")), want: reported},
		{name: "a list", steps: replies(lookup(`["Oslo"]`)), want: reported},
		{name: "double encoding", steps: replies(lookup(string(plainjson.String(oslo)))), want: runs},
		{name: "missing", steps: replies(lookup(`{}`)), want: reported},
		{name: "wrong type", steps: replies(lookup(`{"city":7}`)), want: reported},
		{name: "a null value", steps: replies(lookup(`{"city":null}`)), want: reported},
		{name: "extra", steps: replies(lookup(`{"city":"Oslo","x":1}`)), want: reported},
		{name: "duplicate keys", steps: replies(lookup(`{"city":"Oslo","city":"Rome"}`)), want: reported},
		{name: "deep", steps: replies(lookup(`{"city":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`)), want: reported},
		{name: "huge", steps: replies(lookup(`{"city":"` + strings.Repeat("x", 2<<20) + `"}`)), want: reported},
	}
}

func faultsOfCalls() []fault {
	named := func(name string) func(*modelfake.Dialect, bool) []modelfake.Step {
		return replies(calls(modelfake.Call{ID: "call_1", Name: name, Args: oslo}))
	}
	two := func(first, second string) modelfake.Reply {
		return calls(modelfake.Call{ID: first, Name: "lookup", Args: oslo}, modelfake.Call{ID: second, Name: "lookup", Args: `{"city":"Rome"}`})
	}
	var many []modelfake.Call
	for i := range 200 {
		many = append(many, modelfake.Call{ID: fmt.Sprint("call_", i), Name: "lookup", Args: fmt.Sprintf(`{"city":"%d"}`, i)})
	}
	// rounds are calls of different cities.
	rounds := func(cities int) func(*modelfake.Dialect, bool) []modelfake.Step {
		return func(d *modelfake.Dialect, _ bool) (steps []modelfake.Step) {
			for i := range 20 {
				steps = append(steps, d.Reply(lookup(fmt.Sprintf(`{"city":"%d"}`, i%cities))))
			}
			return steps
		}
	}
	unknown := outcome{requests: 2}
	loops := outcome{kind: runtime.KindTool, requests: 10, ran: 10, words: "iteration limit"}
	return []fault{
		{name: "an unknown tool", steps: named("search"), want: unknown},
		{name: "wrong case", steps: named("LOOKUP"), want: unknown},
		{name: "functions.x", steps: named("functions.lookup"), want: unknown},
		{name: "an empty name", steps: named(""), want: unknown},
		{name: "a name of 160 kB", steps: named(strings.Repeat("lookup", 27_000)), want: unknown},
		{name: "control characters in a name", steps: named("look\x1b[2Jup\u202e"), want: unknown},
		{name: "duplicate ids", steps: replies(two("call_1", "call_1")), want: outcome{requests: 2, ran: 2}},
		{name: "empty ids", steps: replies(two("", "")), want: outcome{requests: 2, ran: 2}},
		{name: "a reused id", steps: replies(lookup(oslo), lookup(`{"city":"Rome"}`)), want: outcome{requests: 3, ran: 2}},
		{name: "an id of 500 characters", steps: replies(two(strings.Repeat("c", 500), "call_2")), want: outcome{requests: 2, ran: 2}},
		{name: "an id with odd characters", steps: replies(two("call:1/é\x1b", "call_2")), want: outcome{requests: 2, ran: 2}},
		{name: "two calls beside a text", steps: replies(modelfake.Reply{Text: "I look.", Reasoning: "Hm.", Calls: two("a", "b").Calls}), want: outcome{requests: 2, ran: 2}},
		{name: "200 calls", steps: replies(calls(many...)), want: outcome{requests: 2, ran: 16}},
		{name: "an infinite loop", steps: forever(lookup(oslo)), want: loops},
		{name: "a varied loop", steps: rounds(20), want: loops},
		{name: "ping-pong", steps: rounds(2), want: loops},
	}
}

// finishes are the words of the dialects for why a model stopped.
var finishes = map[string]struct{ field, stop, calls, unknown string }{
	"chat completions": {`"finish_reason":`, "stop", "tool_calls", "eos"},
	"Messages API":     {`"stop_reason":`, "end_turn", "tool_use", "eos"},
	"Gemini API":       {`"finishReason":`, "STOP", "STOP", "TIRED"},
	"Responses API":    {`"status":`, "completed", "completed", ""},
}

func faultsOfAnswers() []fault {
	refused := outcome{kind: runtime.KindContentFilter, requests: 1}
	empty := outcome{kind: runtime.KindLLMAPI, requests: 2, words: "empty response"}
	again := outcome{requests: 2}
	// finish is a reply whose reason to stop is another word.
	finish := func(r modelfake.Reply, word func(d *modelfake.Dialect) string) func(*modelfake.Dialect, bool) []modelfake.Step {
		return func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			w := word(d)
			if w == "" {
				return nil
			}
			other := r
			other.Finish = modelfake.Finish(w)
			return []modelfake.Step{d.Reply(other), d.Reply(finished)}
		}
	}
	edited := func(edit func(d *modelfake.Dialect, wire string) string) func(*modelfake.Dialect, bool) []modelfake.Step {
		return func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			return []modelfake.Step{d.Edited(finished, func(wire string) string { return edit(d, wire) }), d.Reply(finished)}
		}
	}
	return []fault{
		{name: "empty", steps: replies(modelfake.Reply{}), want: again},
		{name: "blank", steps: replies(modelfake.Reply{Text: " \n"}), want: again},
		{name: "reasoning only", steps: replies(modelfake.Reply{Reasoning: "Hm."}), want: again},
		{name: "always empty", steps: forever(modelfake.Reply{}), want: empty},
		{name: "always reasoning only", steps: forever(modelfake.Reply{Reasoning: "Hm."}), want: empty},
		{name: "finish length", steps: forever(modelfake.Reply{Text: finished.Text, Finish: modelfake.Length}), want: outcome{requests: 1}},
		{name: "length inside arguments", steps: replies(modelfake.Reply{Calls: lookup(`{"city":"Os`).Calls, Finish: modelfake.Length}), want: again},
		{name: "length after arguments", steps: replies(modelfake.Reply{Calls: lookup(oslo).Calls, Finish: modelfake.Length}), want: again},
		{name: "content filter, 200", steps: forever(modelfake.Reply{Text: "I", Finish: modelfake.Filtered}), want: refused},
		{name: "content filter after a call", steps: forever(modelfake.Reply{Calls: lookup(oslo).Calls, Finish: modelfake.Filtered}), want: refused},
		{name: "content filter, 400", steps: func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			return []modelfake.Step{d.Fails(modelfake.FilteredRequest, "Output blocked by content filtering policy")}
		}, want: refused},
		{name: "refusal", steps: forever(modelfake.Reply{Refusal: "I will not."}), want: refused},
		{name: "finish stop with calls", steps: finish(lookup(oslo), func(d *modelfake.Dialect) string { return finishes[d.Name].stop }), want: outcome{requests: 2, ran: 1}},
		{name: "tool_calls without calls", steps: finish(finished, func(d *modelfake.Dialect) string { return finishes[d.Name].calls }), want: outcome{requests: 1}},
		{name: "unknown finish", steps: finish(finished, func(d *modelfake.Dialect) string { return finishes[d.Name].unknown }), want: outcome{requests: 1}},
		{name: "null finish", steps: edited(func(d *modelfake.Dialect, wire string) string {
			f := finishes[d.Name]
			return strings.ReplaceAll(wire, f.field+`"`+f.stop+`"`, f.field+"null")
		}), want: outcome{requests: 1}, but: map[string]outcome{
			"Responses API": {requests: 2}, "Gemini API streamed": {requests: 2}, // which do not say that they are complete
		}},
		{name: "wrong role", steps: edited(func(_ *modelfake.Dialect, wire string) string {
			return strings.NewReplacer(`"role":"assistant"`, `"role":"user"`, `"role":"model"`, `"role":"user"`).Replace(wire)
		}), want: outcome{requests: 1}},
		{name: "content parts", steps: func(d *modelfake.Dialect, stream bool) []modelfake.Step {
			if d.Name != "chat completions" {
				return nil // the others have parts always
			}
			return []modelfake.Step{d.Edited(finished, func(wire string) string {
				list := fmt.Sprintf(`"content":[{"type":"text","text":%q}]`, finished.Text)
				if stream {
					list = `"content":[{"type":"text","text":""}]`
				}
				return strings.NewReplacer(fmt.Sprintf(`"content":%q`, finished.Text), list, `"content":""`, list).Replace(wire)
			})}
		}, want: outcome{requests: 1}},
		{name: "call type custom", steps: func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			if d.Name != "chat completions" {
				return nil // a call of another type is no call there
			}
			return []modelfake.Step{d.Edited(lookup(oslo), func(wire string) string {
				return strings.ReplaceAll(wire, `"type":"function"`, `"type":"custom"`)
			}), d.Reply(finished)}
		}, want: outcome{requests: 2, ran: 1}},
		{name: "a part of an unknown type", steps: func(d *modelfake.Dialect, stream bool) []modelfake.Step {
			unknown := map[string][2]string{
				"Messages API":  {`"content":[{"text"`, `"content":[{"type":"weather","data":1},{"text"`},
				"Responses API": {`"output":[{"content"`, `"output":[{"type":"weather_call","id":"w"},{"content"`},
				"Gemini API":    {`"parts":[{"text":"All`, `"parts":[{"executableCode":{"code":"1"}},{"text":"All`},
			}[d.Name]
			if unknown[0] == "" || stream && d.Name == "Messages API" {
				return nil
			}
			return []modelfake.Step{d.Edited(finished, func(wire string) string { return strings.Replace(wire, unknown[0], unknown[1], 1) })}
		}, want: outcome{requests: 1}},
		{name: "control characters", steps: func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			return []modelfake.Step{d.Reply(modelfake.Reply{Reasoning: "a\x1b[2J\x00b\u202e", Calls: lookup("{\"city\":\"\\u001b[2J\"}").Calls}), d.Reply(finished)}
		}, want: outcome{requests: 2, ran: 1}},
	}
}

func faultsOfCounts() []fault {
	var list []fault
	for name, of := range map[string]func(n string) string{
		"null":     func(string) string { return "null" },
		"missing":  func(string) string { return "{}" },
		"negative": func(string) string { return "-5" },
		"huge":     func(string) string { return "99999999999999999999" },
		"infinite": func(string) string { return "1e400" },
		"float":    func(n string) string { return n + ".5" },
		"text":     func(n string) string { return `"` + n + `"` },
		"a list":   func(string) string { return "[]" },
	} {
		list = append(list, fault{name: name, steps: func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			counts := of("7")
			r := finished
			if name == "null" || name == "missing" || name == "a list" {
				r.Usage = counts
			} else {
				for _, field := range []string{"prompt_tokens", "completion_tokens", "total_tokens", "input_tokens", "output_tokens", "promptTokenCount", "candidatesTokenCount", "totalTokenCount"} {
					r.Usage += fmt.Sprintf(",%q:%s", field, counts)
				}
				r.Usage = "{" + r.Usage[1:] + "}"
			}
			return []modelfake.Step{d.Reply(r)}
		}, want: outcome{requests: 1}})
	}
	return list
}

func errorsOfTheProvider() []fault {
	fails := func(kind modelfake.ErrorKind, message string, headers ...string) func(*modelfake.Dialect, bool) []modelfake.Step {
		return func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			return []modelfake.Step{d.Fails(kind, message, headers...)}
		}
	}
	then := func(kind modelfake.ErrorKind, headers ...string) func(*modelfake.Dialect, bool) []modelfake.Step {
		return func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			return []modelfake.Step{d.Reply(lookup(oslo)), d.Fails(kind, "later", headers...), d.Reply(finished)}
		}
	}
	date := func(d time.Duration) string { // the clock of a bubble begins there
		return "Retry-After: " + time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(d).Format(http.TimeFormat)
	}
	final := func(kind runtime.ErrorKind, words string) outcome {
		return outcome{kind: kind, requests: 1, words: words}
	}
	const config = runtime.KindConfiguration
	list := []fault{
		{name: "rate limit", steps: fails(modelfake.RateLimited, "slow down"), want: outcome{kind: runtime.KindRateLimit, requests: 4, words: "slow down (tried 4 times)", most: 4 * time.Second}},
		{name: "overloaded", steps: fails(modelfake.Overloaded, "busy"), want: outcome{kind: runtime.KindOverloaded, requests: 4, words: "busy (tried 4 times)", most: 4 * time.Second}},
		{name: "always 500", steps: fails(modelfake.Internal, "boom"), want: outcome{kind: runtime.KindLLMAPI, requests: 4, words: "500 - boom", most: 20 * time.Second}},
		{name: "rate limit after a call", steps: then(modelfake.RateLimited), want: outcome{requests: 3, ran: 1}},
		{name: "overloaded after a call", steps: then(modelfake.Overloaded), want: outcome{requests: 3, ran: 1}},
		{name: "500 after a call", steps: then(modelfake.Internal), want: outcome{requests: 3, ran: 1}},
		{name: "Retry-After in seconds", steps: then(modelfake.RateLimited, "Retry-After: 7"), want: outcome{requests: 3, ran: 1, least: 7 * time.Second, most: 8 * time.Second}},
		{name: "Retry-After in ms", steps: then(modelfake.RateLimited, "Retry-After-Ms: 1500"), want: outcome{requests: 3, ran: 1, least: 1500 * time.Millisecond, most: 2 * time.Second}},
		{name: "Retry-After as a date", steps: then(modelfake.RateLimited, date(30*time.Second)), want: outcome{requests: 3, ran: 1, least: 29 * time.Second, most: 31 * time.Second}},
		{name: "Retry-After of 61 s", steps: fails(modelfake.RateLimited, "slow down", "Retry-After: 61"), want: final(runtime.KindRateLimit, "asks to wait 1m1s")},
		{name: "Retry-After of an hour", steps: fails(modelfake.Overloaded, "busy", date(time.Hour)), want: final(runtime.KindOverloaded, "asks to wait 1h0m0s")},
		{name: "insufficient_quota", steps: fails(modelfake.NoMoney, "You exceeded your current quota, please check your plan and billing details."), want: final(runtime.KindLLMAPI, "quota")},
		{name: "401", steps: fails(modelfake.BadKey, "Incorrect key"), want: final(config, "invalid API key")},
		{name: "403", steps: fails(modelfake.NoPermission, "You may not"), want: final(runtime.KindLLMAPI, "You may not"),
			but: map[string]outcome{"Messages API": final(config, "You may not"), "Gemini API": final(config, "You may not")}},
		{name: "404", steps: fails(modelfake.NoModel, "no such model"), want: final(runtime.KindLLMAPI, "check the model")},
		{name: "400", steps: fails(modelfake.BadRequest, "bad request"), want: final(runtime.KindLLMAPI, "400 - bad request")},
		{name: "the key in an error", steps: fails(modelfake.BadRequest, "no "+testKey), want: final(runtime.KindLLMAPI, "no [hidden key]")},
		{name: "control characters in an error", steps: fails(modelfake.BadRequest, "a\x1b[2J\x00\u202eb\nc"), want: final(runtime.KindLLMAPI, "400 - a[2J")},
		{name: "context overflow", steps: func(d *modelfake.Dialect, stream bool) []modelfake.Step {
			words := map[string]string{"Messages API": "prompt is too long: 215000 tokens > 200000 maximum", "Gemini API": "The input token count (1300000) exceeds the maximum number of tokens allowed (1048576)."}
			return fails(modelfake.TooLong, words[d.Name])(d, stream)
		}, want: final(runtime.KindContextOverflow, "too long for model")},
		{name: "redirect", steps: always(modelfake.Raw(307, "", "Location: http://elsewhere.test/v1")), want: final(runtime.KindLLMAPI, "redirects to http://elsewhere.test")},
		{name: "redirect with the key", steps: always(modelfake.Raw(302, "", "Location: http://"+testKey+".test/")), want: final(runtime.KindLLMAPI, "redirects to")},
	}
	for _, status := range []int{408, 409, 429, 500, 502, 503, 504, 529} {
		kind := runtime.KindLLMAPI
		switch status {
		case 429:
			kind = runtime.KindRateLimit
		case 503, 529:
			kind = runtime.KindOverloaded
		}
		for what, body := range map[string]string{"": "", ", a web page": "<html><h1>nginx</h1></html>"} {
			list = append(list,
				fault{name: fmt.Sprint(status, what), steps: always(modelfake.Raw(status, body)), want: outcome{kind: kind, requests: 4, words: fmt.Sprintf("%d - ", status)}},
				fault{name: fmt.Sprint(status, what, ", once"), steps: once(modelfake.Raw(status, body)), want: outcome{requests: 2}})
		}
	}
	return list
}

func unusableBodies() []fault {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 64 {
		z.Write(bytes.Repeat([]byte(" "), 1<<20))
	}
	z.Close()
	broken := outcome{kind: runtime.KindLLMAPI, requests: 3}
	list := []fault{
		{name: "HTML", steps: always(modelfake.Raw(200, "<html><p>Sign in</p></html>", "Content-Type: text/html")), want: outcome{kind: runtime.KindLLMAPI, requests: 1, words: "web page"}},
		{name: "HTML as JSON", steps: always(modelfake.Raw(200, "\n<!DOCTYPE html>")), want: outcome{kind: runtime.KindLLMAPI, requests: 1, words: "web page"}},
		{name: "the key in a body", steps: always(modelfake.Raw(200, "oops "+testKey)), want: broken},
		{name: "the key in a reply", steps: func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			return []modelfake.Step{d.Reply(modelfake.Reply{Text: testKey, Reasoning: testKey, Calls: []modelfake.Call{{ID: testKey, Name: testKey, Args: `{"city":"` + testKey + `"}`}}}), d.Reply(finished)}
		}, want: outcome{requests: 2}},
		{name: "BOM", steps: func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			return []modelfake.Step{d.Edited(finished, func(wire string) string { return "\ufeff" + wire })}
		}, want: outcome{requests: 1}},
		{name: "blank lines before", steps: func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			return []modelfake.Step{d.Edited(finished, func(wire string) string { return "\n\r\n\n" + wire })}
		}, want: outcome{requests: 1}},
		{name: "a whole body for a stream", steps: func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			return []modelfake.Step{modelfake.Raw(200, d.Whole(finished))}
		}, want: outcome{requests: 1}},
		{name: "overloaded with success", steps: func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			_, body := d.Error(modelfake.Overloaded, "the model is overloaded")
			return []modelfake.Step{modelfake.Raw(200, body), d.Reply(finished)}
		}, want: outcome{requests: 2}},
		{name: "deep JSON", steps: always(modelfake.Raw(200, strings.Repeat(`{"choices":[{"content":[{"output":[`, 20_000))), want: broken},
		{name: "deep values", steps: always(modelfake.Raw(200, `{"choices":`+strings.Repeat("[", 300_000)+strings.Repeat("]", 300_000)+`}`)), want: broken},
		{name: "a huge body", steps: func(d *modelfake.Dialect, stream bool) []modelfake.Step {
			if stream {
				return nil // see "an infinite stream"
			}
			return []modelfake.Step{d.Reply(modelfake.Reply{Text: strings.Repeat("x", 9<<20)})}
		}, want: outcome{kind: runtime.KindLLMAPI, requests: 1, words: "larger than 8 MiB"}},
		{name: "a gzip bomb", steps: always(modelfake.Raw(200, bomb.String(), "Content-Encoding: gzip")), want: outcome{kind: runtime.KindLLMAPI, requests: 1, words: "larger than 8 MiB"}},
	}
	for name, body := range map[string]string{"empty": "", "blank": " \n", "null": "null", "a list": "[]", "text": "upstream \x00\x1b died", "cut JSON": `{"choices":[{`} {
		list = append(list,
			fault{name: name, steps: always(modelfake.Raw(200, body)), want: broken},
			fault{name: name + ", once", steps: once(modelfake.Raw(200, body)), want: outcome{requests: 2}})
	}
	for i := range 6 { // each has that many at most
		nothing := func(d *modelfake.Dialect) (modelfake.Step, bool) {
			if i >= len(d.Nothings) {
				return nil, false
			}
			return modelfake.Raw(200, d.Nothings[i]), true
		}
		list = append(list, fault{name: fmt.Sprint("nothing ", i), steps: func(d *modelfake.Dialect, _ bool) []modelfake.Step {
			if step, ok := nothing(d); ok {
				return []modelfake.Step{step}
			}
			return nil
		}, want: broken}, fault{name: fmt.Sprint("nothing ", i, ", once"), steps: func(d *modelfake.Dialect, stream bool) []modelfake.Step {
			if step, ok := nothing(d); ok {
				return once(step)(d, stream)
			}
			return nil
		}, want: outcome{requests: 2}})
	}
	return list
}

func faultsOfConnections() []fault {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	var list []fault
	for name, step := range map[string]modelfake.Step{
		"reset":                 modelfake.Breaks("", true),
		"EOF":                   modelfake.Breaks("", false),
		"a cut header":          modelfake.Breaks("HTTP/1.1 200 OK\r\nContent-Ty", false),
		"a bad chunk":           modelfake.Breaks(head+"Transfer-Encoding: chunked\r\n\r\nzz\r\n", false),
		"reset inside the body": modelfake.Breaks(head+"Content-Length: 999\r\n\r\n{", true),
		"EOF inside the body":   modelfake.Breaks(head+"Content-Length: 999\r\n\r\n{", false),
		"a cut chunk":           modelfake.Breaks(head+"Transfer-Encoding: chunked\r\n\r\nff\r\n{\"a\":", false),
	} {
		list = append(list,
			fault{name: name, steps: always(step), want: outcome{kind: runtime.KindLLMAPI, requests: 4, words: "tried 4 times"}},
			fault{name: name + ", once", steps: once(step), want: outcome{requests: 2}},
			fault{name: name + ", after a call", steps: func(d *modelfake.Dialect, _ bool) []modelfake.Step {
				return []modelfake.Step{d.Reply(lookup(oslo)), step, d.Reply(finished)}
			}, want: outcome{requests: 3, ran: 1}})
	}
	return list
}

// The clock of a bubble stands still but for waits, so that these limits are the real ones.
func slowServers() []fault {
	drips := func(every time.Duration, text string) modelfake.Step {
		return func(w http.ResponseWriter, r *modelfake.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, text); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				select {
				case <-time.After(every):
				case <-r.Context().Done():
				}
			}
		}
	}
	minutes := func(n int, words string) outcome {
		return outcome{kind: runtime.KindLLMAPI, requests: 1, words: words, least: time.Duration(n) * time.Minute, most: time.Duration(n)*time.Minute + 31*time.Second}
	}
	return []fault{
		{name: "a stall in the body", steps: always(modelfake.Hangs("application/json", `{"choices":`)), want: minutes(1, "stopped in the middle"),
			but: map[string]outcome{"streamed": minutes(10, "did not begin")}}, // a model that reasons
		{name: "a body without end", steps: always(drips(30*time.Second, " ")), want: minutes(30, "not complete after 30m"),
			but: map[string]outcome{"streamed": minutes(30, "not complete after 30m")}},
		{name: "a stall after a text", steps: func(d *modelfake.Dialect, stream bool) []modelfake.Step {
			if !stream {
				return nil
			}
			events := d.Events(finished)
			return []modelfake.Step{modelfake.Hangs("text/event-stream", d.Stream(events[:len(events)-2]...))}
		}, want: minutes(1, "stopped in the middle")},
	}
}

// A server that says nothing is given up after StartTimeout.
func TestAServerThatHangs(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	defer s.Close()
	for _, d := range modelfake.Dialects() {
		for _, stream := range []bool{false, true} {
			model, err := New(modelhttp.Options{Provider: d.Provider, BaseURL: s.URL, APIKey: testKey, StartTimeout: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			r := &runtime.Request{Model: d.Model, Messages: []runtime.Message{runtime.UserMessage("hi")}}
			if stream {
				_, err = runtime.Stream(t.Context(), model, r, func(runtime.Delta) error { return nil })
			} else {
				_, err = model.Generate(t.Context(), r)
			}
			var e *runtime.Error
			if !errors.As(err, &e) || e.Kind != runtime.KindLLMAPI || !strings.Contains(err.Error(), "did not begin within 1ms") {
				t.Errorf("%s, stream %v: %v", d.Name, stream, err)
			}
		}
	}
}

// A run that is stopped ends at once, whatever the server does.
func TestARunThatIsStoppedWhileTheServerHangs(t *testing.T) {
	for _, d := range modelfake.Dialects() {
		for _, stream := range []bool{false, true} {
			for name, text := range map[string]string{"nothing": "", "the beginning": "{"} {
				t.Run(fmt.Sprint(d.Name, ", ", name, ", stream ", stream), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						p := newTrial(t, d, stream, modelfake.Hangs("application/json", text))
						ctx, stop := context.WithCancel(t.Context())
						go func() {
							time.Sleep(5 * time.Second)
							stop()
						}()
						begin := time.Now()
						if _, err := p.run(ctx, nil); !errors.Is(err, context.Canceled) || time.Since(begin) > 5*time.Second {
							t.Errorf("%v after %s", err, time.Since(begin))
						}
					})
				})
			}
		}
	}
}

// Among faults of which one request in ten has one, all runs end as they do without any.
func TestRunsAmongFaults(t *testing.T) {
	for _, d := range modelfake.Dialects() {
		t.Run(d.Name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			cut := func(wire string) string { return wire[:random.IntN(len(wire)/2)] }
			for n := range 100 {
				var steps []modelfake.Step
				for _, good := range []modelfake.Reply{lookup(oslo), finished} {
					for faults := 0; faults < 2 && random.IntN(10) == 0; faults++ {
						steps = append(steps, []modelfake.Step{
							modelfake.Raw(500, ""), modelfake.Raw(429, "", "Retry-After: 1"), modelfake.Raw(529, ""), modelfake.Raw(200, ""), modelfake.Raw(200, "{"),
							modelfake.Breaks("", true), d.Edited(good, cut), d.Fails(modelfake.Overloaded, "busy"),
						}[random.IntN(8)])
					}
					steps = append(steps, d.Reply(good))
				}
				synctest.Test(t, func(t *testing.T) {
					newTrial(t, d, n%2 == 0, steps...).check(outcome{requests: len(steps), ran: 1})
				})
			}
		})
	}
}
