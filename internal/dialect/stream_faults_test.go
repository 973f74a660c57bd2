package dialect

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/gram-lang/gramc/internal/modelfake"
	"github.com/gram-lang/gramc/runtime"
)

// streamed is a step of the bytes of a stream, for streams alone.
func streamed(wire func(d *modelfake.Dialect) string) func(*modelfake.Dialect, bool) []modelfake.Step {
	return func(d *modelfake.Dialect, stream bool) []modelfake.Step {
		if !stream {
			return nil
		}
		return []modelfake.Step{modelfake.Raw(200, wire(d), "Content-Type: text/event-stream"), d.Reply(finished)}
	}
}

// begun are the events of a reply until its text has begun, or its call.
func begun(d *modelfake.Dialect, r modelfake.Reply) []string {
	events := d.Events(r)
	return events[:max(1, len(events)-3)]
}

func faultsOfStreams() []fault {
	after := func(r modelfake.Reply, event string) func(*modelfake.Dialect, bool) []modelfake.Step {
		return streamed(func(d *modelfake.Dialect) string { return d.Stream(append(begun(d, r), event)...) })
	}
	fails := func(r modelfake.Reply) func(*modelfake.Dialect, bool) []modelfake.Step {
		return streamed(func(d *modelfake.Dialect) string { return d.Stream(append(begun(d, r), d.EventError)...) })
	}
	large := outcome{kind: runtime.KindLLMAPI, requests: 1, words: "larger than 8 MiB"}
	endless := func(r modelfake.Reply) func(*modelfake.Dialect, bool) []modelfake.Step {
		return func(d *modelfake.Dialect, stream bool) []modelfake.Step {
			if !stream {
				return nil
			}
			events := d.Events(r)
			middle := (len(events) - 1) / 2
			grows := d.Stream(events[middle]) // which has a piece
			return []modelfake.Step{func(w http.ResponseWriter, req *modelfake.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				io.WriteString(w, d.Stream(events[:middle]...))
				for req.Context().Err() == nil {
					if _, err := io.WriteString(w, grows); err != nil {
						return
					}
				}
			}}
		}
	}
	long := strings.Repeat("x", 3<<20)
	again := outcome{requests: 2}
	return []fault{
		{name: "error event", steps: fails(finished), want: again},
		{name: "error event after a call", steps: fails(lookup(oslo)), want: again},
		{name: "error event first", steps: streamed(func(d *modelfake.Dialect) string { return d.Stream(d.EventError) }), want: again},
		{name: "error event that stays", steps: func(d *modelfake.Dialect, stream bool) []modelfake.Step {
			_, body := d.Error(modelfake.BadKey, "Incorrect key "+testKey)
			steps := after(finished, body)(d, stream)
			return steps[:min(1, len(steps))]
		}, want: outcome{kind: runtime.KindConfiguration, requests: 1, words: "Incorrect key [hidden key]"}},
		{name: "bad JSON", steps: after(finished, `{oops`), want: again},
		{name: "bad JSON after a call", steps: after(lookup(oslo), `{"choices":[{"delta":`), want: again},
		{name: "the end mark alone", steps: streamed(func(d *modelfake.Dialect) string { return d.Stream("[DONE]") }), want: again},
		{name: "infinite text", steps: endless(modelfake.Reply{Text: long}), want: large},
		{name: "infinite arguments", steps: endless(lookup(`{"city":"` + long + `"}`)), want: large},
		{name: "infinite comments", steps: func(d *modelfake.Dialect, stream bool) []modelfake.Step {
			if !stream {
				return nil
			}
			return []modelfake.Step{modelfake.Raw(200, strings.Repeat(": ping\n\n", 1<<17)+d.Stream(d.Events(finished)...))}
		}, want: outcome{requests: 1}},
		{name: "a huge line", steps: streamed(func(d *modelfake.Dialect) string { return "data: " + strings.Repeat("x", 9<<20) }), want: large},
	}
}

// A stream can have any form that the standard allows, and the deviations of servers.
func formsOfStreams() []fault {
	edited := func(edit func(wire string) string) func(*modelfake.Dialect, bool) []modelfake.Step {
		return func(d *modelfake.Dialect, stream bool) []modelfake.Step {
			if !stream {
				return nil
			}
			return []modelfake.Step{
				d.Edited(modelfake.Reply{Reasoning: "Hm.", Text: "I look.", Calls: lookup(oslo).Calls}, edit), d.Edited(finished, edit),
			}
		}
	}
	// only is a form of one dialect, whose events are given.
	only := func(name string, events ...string) func(*modelfake.Dialect, bool) []modelfake.Step {
		return func(d *modelfake.Dialect, stream bool) []modelfake.Step {
			if !stream || d.Name != name {
				return nil
			}
			return []modelfake.Step{modelfake.Raw(200, d.Stream(events...), "Content-Type: text/event-stream"), d.Reply(finished)}
		}
	}
	chat := func(delta string) string {
		return `{"choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}`
	}
	const end = `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	piece := func(fields, name, args string) string {
		return chat(fmt.Sprintf(`{"tool_calls":[{%s"function":{"name":%q,"arguments":%q}}]}`, fields, name, args))
	}
	block := func(i int, event, of string) string {
		return fmt.Sprintf(`{"type":"content_block_%s","index":%d%s}`, event, i, of)
	}
	start := func(i int, id string) string {
		return block(i, "start", `,"content_block":{"type":"tool_use","id":"`+id+`","name":"lookup","input":{}}`)
	}
	grow := func(i int, args string) string {
		return block(i, "delta", fmt.Sprintf(`,"delta":{"type":"input_json_delta","partial_json":%q}`, args))
	}
	ran, twice := outcome{requests: 2, ran: 1}, outcome{requests: 2, ran: 2}
	return []fault{
		{name: "plain", steps: edited(func(wire string) string { return wire }), want: ran},
		{name: "CRLF", steps: edited(func(wire string) string { return strings.ReplaceAll(wire, "\n", "\r\n") }), want: ran},
		{name: "no space", steps: edited(func(wire string) string { return strings.ReplaceAll(wire, "data: ", "data:") }), want: ran},
		{name: "1,000 comments", steps: edited(func(wire string) string { return strings.Repeat(": PROCESSING\n\n", 1000) + wire }), want: ran},
		{name: "comments between", steps: edited(func(wire string) string { return strings.ReplaceAll(wire, "\n\n", "\n\n: ping\n\n") }), want: ran},
		{name: "fields of events", steps: edited(func(wire string) string { return "retry: 3\n\n" + strings.ReplaceAll(wire, "data: ", "id: 7\ndata: ") }), want: ran},
		{name: "names of events left out", steps: edited(func(wire string) string {
			var lines []string
			for _, line := range strings.Split(wire, "\n") {
				if !strings.HasPrefix(line, "event: ") {
					lines = append(lines, line)
				}
			}
			return strings.Join(lines, "\n")
		}), want: ran},
		{name: "a byte order mark", steps: edited(func(wire string) string { return "\ufeff" + wire }), want: ran},
		{name: "no blank line at the end", steps: edited(func(wire string) string { return strings.TrimRight(wire, "\n") }), want: ran},
		{name: "events after the end", steps: edited(func(wire string) string { return wire + "data: {\"type\":\"ping\"}\n\ndata: [DONE]\n\n" }), want: ran},
		{name: "byte by byte", steps: func(d *modelfake.Dialect, stream bool) []modelfake.Step {
			if !stream {
				return nil
			}
			drip := func(r modelfake.Reply) modelfake.Step {
				return func(w http.ResponseWriter, _ *modelfake.Request) {
					w.Header().Set("Content-Type", "text/event-stream")
					for _, b := range []byte(d.Stream(d.Events(r)...)) {
						w.Write([]byte{b})
						w.(http.Flusher).Flush()
					}
				}
			}
			return []modelfake.Step{drip(lookup(`{"city":"Łódź"}`)), drip(finished)}
		}, want: ran},
		{name: "arguments of one byte", steps: only("chat completions", append(append([]string{piece(`"index":0,"id":"c",`, "lookup", "")},
			func() (list []string) {
				for _, b := range oslo {
					list = append(list, piece(`"index":0,`, "", string(b)))
				}
				return list
			}()...), end)...), want: ran},
		{name: "interleaved calls", steps: only("chat completions", piece(`"index":0,"id":"c",`, "lookup", `{"city":`), piece(`"index":1,"id":"d",`, "lookup", `{"city":`),
			piece(`"index":0,`, "", `"Oslo"}`), piece(`"index":1,`, "", `"Rome"}`), end), want: twice},
		{name: "interleaved blocks", steps: only("Messages API", start(0, "c"), start(1, "d"), grow(0, `{"city":`), grow(1, `{"city":"Rome"`), grow(0, `"Oslo"}`), grow(1, "}"),
			block(0, "stop", ""), block(1, "stop", ""), `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1}}`, `{"type":"message_stop"}`), want: twice},
		{name: "no index", steps: only("chat completions", piece(`"id":"c",`, "lookup", oslo), piece(`"id":"d",`, "lookup", `{"city":`), piece("", "", `"Rome"}`), end), want: twice},
		{name: "no index and no id", steps: only("chat completions", piece("", "lookup", oslo), piece("", "lookup", `{"city":"Rome"}`), end), want: twice},
		{name: "index 0 for all", steps: only("chat completions", piece(`"index":0,"id":"c",`, "lookup", oslo), piece(`"index":0,"id":"d",`, "lookup", `{"city":"Rome"}`), end), want: twice},
		{name: "name split", steps: only("chat completions", piece(`"index":0,"id":"c",`, "look", ""), piece(`"index":0,`, "up", ""), piece(`"index":0,`, "", oslo), end), want: ran},
		{name: "an error as the API sends it", steps: func(d *modelfake.Dialect, stream bool) []modelfake.Step {
			return only("Responses API", `{"type":"error","sequence_number":2,"error":{"code":"server_error","message":"oh","param":null}}`)(d, stream)
		}, want: outcome{requests: 2}},
	}
}

// A response that is cut anywhere, with or without an error of the connection, is asked
// for again, unless it was complete: never a short answer that looks complete, and no call
// of it is run.
func TestAResponseThatIsCutAnywhere(t *testing.T) {
	for _, d := range modelfake.Dialects() {
		for _, stream := range []bool{false, true} {
			t.Run(fmt.Sprint(d.Name, ", stream ", stream), func(t *testing.T) {
				first := modelfake.Reply{Reasoning: "Hm.", Text: "I look.", Calls: lookup(oslo).Calls}
				for _, abort := range []bool{false, true} {
					for _, cutFinal := range []bool{false, true} {
						wire := wireOf(d, stream, map[bool]modelfake.Reply{false: first, true: finished}[cutFinal])
						for n := 0; n < len(wire); n += 1 + len(wire)/40 {
							synctest.Test(t, func(t *testing.T) {
								cutAt(t, d, stream, first, wire[:n], cutFinal, abort)
							})
						}
					}
				}
			})
		}
	}
}

// wireOf returns the bytes of a response.
func wireOf(d *modelfake.Dialect, stream bool, r modelfake.Reply) string {
	if stream {
		return d.Stream(d.Events(r)...)
	}
	return d.Whole(r)
}

// cutAt runs a trial whose first response, or whose final one, comes in part the first
// time.
func cutAt(t *testing.T, d *modelfake.Dialect, stream bool, first modelfake.Reply, part string, cutFinal, abort bool) {
	t.Helper()
	was := false
	p := newTrial(t, d, stream, func(w http.ResponseWriter, r *modelfake.Request) {
		isFinal := strings.Contains(r.Body, "sunny")
		if isFinal == cutFinal && !was {
			was = true
			modelfake.Raw(200, part, map[bool]string{false: "Content-Type: application/json", true: "Content-Type: text/event-stream"}[stream])(w, r)
			if abort {
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			}
			return
		}
		d.Reply(map[bool]modelfake.Reply{false: first, true: finished}[isFinal])(w, r)
	})
	answer, err := p.run(t.Context(), nil)
	if err != nil || answer.Content != finished.Text || p.ran.Load() != 1 || stream && p.shown != finished.Text {
		t.Errorf("%q: %+v, %v, %d calls, shown %q", part, answer, err, p.ran.Load(), p.shown)
		return
	}
	p.checkConversation(answer.Conversation)
}
