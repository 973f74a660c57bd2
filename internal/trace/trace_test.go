package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

func read(t *testing.T, text string) *Trace {
	t.Helper()
	got, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestTracesAsTreesAndPages(t *testing.T) {
	for _, name := range []string{"full", "older"} {
		text, err := os.ReadFile("testdata/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		got := read(t, string(text))
		golden.CompareFile(t, "testdata/"+name+".txt", []byte(got.Tree()))
		golden.CompareFile(t, "testdata/"+name+".html", []byte(got.HTML()))
	}
}

// written returns the lines of a response of a model.
func written(t *testing.T, pieces []runtime.DeltaKind, response *runtime.Response) (last line, text string) {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out, models.Builtin())
	agent := &interp.Agent{Name: "clerk", Model: compile.Model{Provider: "OpenAI", ID: "gpt-5.4"}}
	m := runtime.UserMessage("hi")
	events := []*interp.Event{{Kind: interp.EventRequest, Turn: 1, Request: &runtime.Request{Instruction: "abc", Messages: []runtime.Message{m}}}}
	for _, kind := range pieces {
		events = append(events, &interp.Event{Kind: interp.EventDelta, Turn: 1, Delta: &runtime.Delta{Kind: kind}})
	}
	events = append(events, &interp.Event{Kind: interp.EventResponse, Turn: 1, Response: response})
	if err := w.Message(agent, nil, &m); err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if err := w.Event(e); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[1], `"context":{"messages":1,"bytes":5,"limit":`) {
		t.Errorf("the lines are %s", &out)
	}
	if err := json.Unmarshal([]byte(lines[2]), &last); err != nil {
		t.Fatal(err)
	}
	return last, lines[2]
}

func TestATraceHasWhatAResponseTook(t *testing.T) {
	response := &runtime.Response{Refusal: "no <b>", Usage: runtime.Usage{Input: 1000, Output: 100, Total: 1100}, Attempts: runtime.Attempts{Sent: 3, Lost: 1}}
	got, text := written(t, nil, response)
	if got.Cost == nil || *got.Cost <= 0 || got.Attempts != 3 || got.Lost != 1 || got.FirstToken != 0 {
		t.Errorf("the line is %s", text)
	}
	if !strings.Contains(text, `,"turn":1,"refusal":"no <b>","usage":{"input":1000,"output":100,"total":1100},"cost_usd":0.`) {
		t.Errorf("the line is %s", text)
	}
	if got, text := written(t, nil, &runtime.Response{}); got.Cost != nil || got.Attempts != 0 {
		t.Errorf("without usage, the line is %s", text)
	}
}

func TestTheFirstTokenIsThatOfTheResponse(t *testing.T) {
	for _, tt := range []struct {
		pieces []runtime.DeltaKind
		known  bool
	}{
		{[]runtime.DeltaKind{runtime.DeltaText, runtime.DeltaText}, true},
		{[]runtime.DeltaKind{runtime.DeltaReasoning}, true},
		{[]runtime.DeltaKind{runtime.DeltaCall}, true},
		{[]runtime.DeltaKind{runtime.DeltaWait}, false},
		{[]runtime.DeltaKind{runtime.DeltaText, runtime.DeltaRestart}, false},
	} {
		if got, text := written(t, tt.pieces, &runtime.Response{Content: "x"}); got.FirstToken > 0 != tt.known {
			t.Errorf("%v: the line is %s", tt.pieces, text)
		}
	}
}

func TestANilWriterWritesNothing(t *testing.T) {
	var w *Writer
	err := errors.Join(w.Message(nil, nil, nil), w.Event(nil), w.Stopped(nil), w.Approval("t", true, 0))
	if err != nil {
		t.Error(err)
	}
}

func TestWhatIsNoTraceIsAnError(t *testing.T) {
	for _, text := range []string{"", "\n\n", "hello\n", "{}\n", "[]\nnull\n7\n", `{"event":"answer"}` + "\n", `{"event":"tool-started"}`, "\x00\xff"} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "this is no trace") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Read(strings.NewReader(strings.Repeat(" ", maxLine+1))); err == nil || err.Error() != "line 1 is longer than 16 MiB" {
		t.Error(err)
	}
}

const message = `{"event":"message","agent":"a","content":"hi"}` + "\n"

func TestDamagedTraces(t *testing.T) {
	for text, want := range map[string]string{
		`{"event":"model-req`:                  "the last line is cut off",
		"{\n":                                  "1 line could not be read, the first is line 2",
		"\n{\"event\":\"x\"}\n{\"event\":7}\n": "2 lines could not be read, the first is line 3",
		`{"event":"tool-finished","id":"a"}` + "\n":                   "1 line could not be read",
		`{"event":"approval"}` + "\n":                                 "1 line could not be read",
		`{"event":"stopped"}` + "\n":                                  "✗ the run was stopped",
		`{"event":"model-request"}`:                                   "request 0 · no response",
		"[" + strings.Repeat("[", 100_000) + "\n":                     "1 line could not be read",
		strings.Repeat(`{"event":"model-request"}`+"\n", maxEvents+1): "the trace is too long: only its first 100,000 events are shown",
	} {
		if got := read(t, message+text).Tree(); !strings.Contains(got, want) {
			t.Errorf("%.60q is shown as %.2000q, without %q", text, got, want)
		}
	}
}

func TestLongTextsAreNotKept(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	got := read(t, strings.Repeat(`{"event":"message","content":"`+long+`","tools":["`+long+`"]}`+"\n", 100)+
		`{"event":"model-request"}`+"\n"+`{"event":"tool-started","id":"a","tool_name":"t","args":{"a":"`+long+`"}}`)
	if got.kept > 101*2*(maxText+100) || !strings.HasSuffix(got.runs[0].message.Content, "x… (100000 bytes)") {
		t.Errorf("%d bytes are kept", got.kept)
	}
	if tree := got.Tree(); len(tree) > 101*(treeText+300) {
		t.Errorf("the tree has %d bytes", len(tree))
	}
	many := read(t, strings.Repeat(`{"event":"message","content":"`+long+`"}`+"\n", maxKept/maxText+10))
	if !many.leftOut || many.kept > maxKept+maxText+100 {
		t.Errorf("%d bytes are kept", many.kept)
	}
}

// hostile is a trace whose every text is text.
func hostile(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return strings.ReplaceAll(`{"event":"message","time":"2026-01-02T03:04:05Z","agent":X,"model":X,"instruction":X,"content":X,"tools":[X],"attached":[X],"definitions":[{"name":X,"description":X,"input":X,"output":{X:X}}],"returns":X,"files":[{"name":X,"sha256":X,"text":X},{"name":X}]}
{"event":"model-fallback","model":X,"error":{"kind":X,"message":X}}
{"event":"model-request","turn":1,"context":{"messages":-1,"tools":-1,"bytes":-1,"limit":-1}}
{"event":"model-fallback","model":X,"error":{"kind":X,"message":X}}
{"event":"model-response","content":X,"refusal":X,"finish":X,"usage":{"input":-9223372036854775808,"output":9223372036854775807},"cost_usd":1e308,"first_token_ms":1e308,"attempts":-1}
{"event":"tool-started","id":X,"tool_name":X,"args":{X:X}}
{"event":"approval","ms":-1}
{"event":"tool-finished","id":X,"ms":1e308,"invocation":{"tool_name":X,"args":X,"result":{"success":X}}}
{"event":"tool-started","id":X,"tool_name":X,"args":X}
{"event":"tool-finished","id":X,"time":"0000-01-01T00:00:00Z","invocation":{"result":{"error":X}}}
{"event":"compacted","messages":-1,"content":X,"cost_usd":-1e308}
{"event":"answer","time":"9999-01-02T03:04:05Z","content":X}
{"event":"message"}
{"event":"stopped","error":{"kind":X,"message":X}}
`, "X", string(quoted))
}

func TestNoTextControlsTheTerminal(t *testing.T) {
	got := read(t, hostile("a\x1b[31m\u009b1m\u202eb\rc")).Tree()
	if i := strings.IndexAny(got, "\x1b\u009b\u202e\r"); i >= 0 {
		t.Errorf("there is a control character in %q", got)
	}
	if strings.Contains(got, "could not be read") {
		t.Errorf("lines are missing:\n%s", got)
	}
}

// tags returns the tags of a page, without their attributes that are numbers.
func tags(html string) []string {
	all := regexp.MustCompile(`<[^>]*>?`).FindAllString(html, -1)
	for i := range all {
		all[i] = regexp.MustCompile(`=-?[0-9.]+|viewBox='[^']*'`).ReplaceAllString(all[i], "=0")
	}
	return all
}

func TestNoTextIsMarkupOnThePage(t *testing.T) {
	want := tags(read(t, hostile("plain")).HTML())
	for _, text := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `'><svg onload=alert(1)>`, "</title></style><script>", "</pre></details></svg><script>",
		"javascript:alert(1)", "\x00\x1b[31m<b>", "<!--", "]]>", "%s%!d(MISSING)%",
	} {
		page := read(t, hostile(text)).HTML()
		if diff := cmp.Diff(want, tags(page)); diff != "" {
			t.Errorf("%q becomes markup:\n%s", text, diff)
		}
		if strings.Contains(page, "MISSING)%!") || strings.ContainsAny(page, "\x00\x1b") {
			t.Errorf("%q is not shown as it is", text)
		}
		if !strings.Contains(page, "default-src &#39;none&#39;") {
			t.Error("the page has no policy")
		}
	}
}

func TestThePageOfALongTraceEnds(t *testing.T) {
	request := `{"event":"model-request"}` + "\n" + `{"event":"model-response"}` + "\n"
	for text, want := range map[string]string{
		strings.Repeat(message, pageRuns+3):                                        "The page ends here: 3 turns more are in the file.",
		message + request + message + strings.Repeat(request, pageSteps) + message: "The page ends here: 2 turns more are in the file.",
	} {
		if page := read(t, text).HTML(); !strings.Contains(page, want) || len(page) > 1<<20 {
			t.Errorf("the page has %d bytes, and lacks %q", len(page), want)
		}
	}
	var bars strings.Builder
	bars.WriteString(strings.Replace(message, "{", `{"time":"2026-01-02T03:04:05Z",`, 1))
	for range pageBars + 5 {
		bars.WriteString(`{"event":"model-request","time":"2026-01-02T03:04:05Z"}` + "\n" + `{"event":"model-response","time":"2026-01-02T03:04:06Z"}` + "\n")
	}
	if page := read(t, bars.String()).HTML(); strings.Count(page, "<rect ") != pageBars || !strings.Contains(page, "5 bars more are not drawn") {
		t.Errorf("%d bars are drawn", strings.Count(page, "<rect "))
	}
}

func FuzzRead(f *testing.F) {
	f.Add(hostile("x"))
	f.Add(message + `{"event":"tool-started"}`)
	f.Fuzz(func(_ *testing.T, text string) {
		if t, err := Read(strings.NewReader(text)); err == nil {
			_, _ = t.Tree(), t.HTML()
		}
	})
}

// TestAnAgentIsDescribedOnce has the schemas and the files of an agent in its first message
// only, and again when the agent is another one.
func TestAnAgentIsDescribedOnce(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, models.Builtin())
	m := runtime.UserMessage("hi")
	one := &interp.Agent{Name: "one", Tools: []runtime.Contract{{Name: "find", Input: json.RawMessage(`{"type":"object"}`)}}}
	two := &interp.Agent{Name: "two", Returns: json.RawMessage(`{"type":"number"}`)}
	files := []File{NewFile("one.gram", "[one:Agent]\n"), NewFile("huge.gram", strings.Repeat("x", maxSource))}
	for _, a := range []*interp.Agent{one, one, two, two} {
		if err := w.Message(a, files, &m); err != nil {
			t.Fatal(err)
		}
	}
	var described []string
	for text := range strings.Lines(out.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		if len(l.Files) > 0 {
			described = append(described, l.Agent)
			if l.Files[0].Text == "" || l.Files[1].Text != "" || len(l.Files[1].Hash) != 64 {
				t.Errorf("the files are %.300s", text)
			}
		}
	}
	if diff := cmp.Diff([]string{"one", "two"}, described); diff != "" {
		t.Error(diff)
	}
	page := read(t, out.String()).HTML()
	for _, want := range []string{"<details id=tool-0-0><summary>find</summary>", "<summary>the answer</summary><pre>{&#34;type&#34;:&#34;number&#34;}", "This file is too long", "<span>[one:Agent]\n</span>"} {
		if !strings.Contains(page, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
}
