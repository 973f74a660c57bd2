package interp

import (
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/runtime"
)

const reportSchema = `{"type":"object","properties":{"degrees":{"type":"number","minimum":-90},"unit":{"enum":["c","f"],"default":"c"}},"required":["degrees"]}`

func reporter(tools ...string) *Agent {
	a := agent(tools...)
	a.Returns = json.RawMessage(reportSchema)
	return a
}

func TestAnswersThatAreJSON(t *testing.T) {
	const asks = "Error: the answer cannot be used: "
	const again = ". Answer again, with JSON only."
	cutOff := runtime.Response{Content: `{"degrees":`, Finish: "length"}
	tests := []struct {
		name   string
		script []runtime.Response
		want   string   // the content, or the error
		said   []string // after "user: x"
	}{
		{"right at once", []runtime.Response{text(`{"degrees": 1.50, "unit": "f"}`)}, `{"degrees": 1.50, "unit": "f"}`,
			[]string{`assistant: {"degrees": 1.50, "unit": "f"}`}},
		{"defaults", []runtime.Response{text(` {"degrees":1} `)}, `{"degrees":1,"unit":"c"}`, []string{`assistant:  {"degrees":1} `}},
		{"fenced", []runtime.Response{text("```json\n{\"degrees\":1,\"unit\":\"c\"}\n```\n")}, `{"degrees":1,"unit":"c"}`,
			[]string{"assistant: ```json\n{\"degrees\":1,\"unit\":\"c\"}\n```\n"}},
		{"after reasoning", []runtime.Response{text("<think>Cold.</think>\n{\"degrees\":1}")}, `{"degrees":1,"unit":"c"}`,
			[]string{"assistant: <think>Cold.</think>\n{\"degrees\":1}"}},
		{"corrected", []runtime.Response{text(`{"degrees":-91}`), text(`{"degrees":9}`)}, `{"degrees":9,"unit":"c"}`,
			[]string{`assistant: {"degrees":-91}`, "user: " + asks + "/degrees: expected at least -90, found the number -91" + again, `assistant: {"degrees":9}`}},
		{"never right", []runtime.Response{text(`{"degrees":"9"}`), text(`{}`)},
			`ValidationError: the answer is not what agent "a" returns: /degrees: missing required field "degrees"`,
			[]string{`assistant: {"degrees":"9"}`, "user: " + asks + `/degrees: expected a number, found the string "9"` + again, `assistant: {}`}},
		{"no JSON", []runtime.Response{text("It is warm"), text(`{"degrees":9,"unit":"f"}`)}, `{"degrees":9,"unit":"f"}`,
			[]string{"assistant: It is warm", "user: " + asks + "not JSON at byte 0: unexpected \"It\"; expected a value" + again, `assistant: {"degrees":9,"unit":"f"}`}},
		{"cut off", []runtime.Response{cutOff, cutOff},
			`ValidationError: the answer is not what agent "a" returns: it was cut off at the length limit, not JSON at byte 11: the text ends where a value is expected`,
			[]string{`assistant: {"degrees":`, "user: " + asks + "it was cut off at the length limit, not JSON at byte 11: the text ends where a value is expected" + again, `assistant: {"degrees":`}},
		{"tools on the way", []runtime.Response{text(`{}`), calls("sayHello", "{}"), text(`{"degrees":9,"unit":"f"}`)}, `{"degrees":9,"unit":"f"}`,
			[]string{"assistant: {}", "user: " + asks + `/degrees: missing required field "degrees"` + again, "assistant:  <id0 sayHello {}>", "id0 = sayHello: Hello, world", `assistant: {"degrees":9,"unit":"f"}`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			model := runtime.NewScript(tt.script...)
			response, err := runAgent(t.Context(), reporter("sayHello"), "x", nil, helloLibrary(t), model, nil)
			got := response.Content
			var failed *runtime.Error
			if errors.As(err, &failed) {
				got = string(failed.Kind) + ": " + err.Error()
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if d := cmp.Diff(append([]string{"user: x"}, tt.said...), transcript(response.Conversation)); d != "" {
				t.Error(d)
			}
			for _, r := range model.Requests() {
				if r.Output.Name != "a" || string(r.Output.Schema) != reportSchema {
					t.Errorf("asked for %+v", r.Output)
				}
			}
		})
	}
}

func TestAnAnswerMayBeMendedAtTheLimit(t *testing.T) {
	for _, options := range []*Options{{MaxTurns: 1}, {MaxTurns: 1, OnLimit: FinalAnswer}} {
		model := runtime.NewScript(text("no"), text(`{"degrees":1}`))
		if response, err := runAgent(t.Context(), reporter(), "x", nil, runtime.Library{}, model, options); err != nil || response.Content != `{"degrees":1,"unit":"c"}` {
			t.Errorf("%+v: %+v, %v", options, response, err)
		}
	}
	final := runtime.NewScript(calls("sayHello", "{}"), text("no"), text(`{"degrees":1}`))
	response, err := runAgent(t.Context(), reporter("sayHello"), "x", nil, helloLibrary(t), final, &Options{MaxTurns: 1, OnLimit: FinalAnswer})
	if err != nil || response.Content != `{"degrees":1,"unit":"c"}` || len(final.Requests()) != 3 {
		t.Errorf("%+v, %v after %d requests", response, err, len(final.Requests()))
	}
}

func TestSettingsReachTheModel(t *testing.T) {
	a := agent()
	warm := 0.7
	a.Temperature, a.MaxTokens = &warm, 500
	model := runtime.NewScript(text("ok"))
	if _, err := runAgent(t.Context(), a, "x", nil, runtime.Library{}, model, nil); err != nil {
		t.Fatal(err)
	}
	if r := model.Requests()[0]; r.Temperature == nil || *r.Temperature != warm || r.MaxTokens != 500 || !r.Output.IsText() {
		t.Errorf("request %+v", r)
	}
}

func TestWhoseLimitCounts(t *testing.T) {
	tests := []struct{ agent, run, want int }{{0, 0, 10}, {3, 0, 3}, {3, 5, 5}, {5, 3, 3}, {20, 0, 20}}
	for _, tt := range tests {
		a := agent("sayHello")
		a.MaxIterations = tt.agent
		model := runtime.NewScript(calls("sayHello", "{}"))
		_, err := runAgent(t.Context(), a, "x", nil, helloLibrary(t), model, &Options{MaxTurns: tt.run})
		if err == nil || len(model.Requests()) != tt.want {
			t.Errorf("agent %d, run %d: %d requests, want %d; %v", tt.agent, tt.run, len(model.Requests()), tt.want, err)
		}
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	nan, cold := math.NaN(), -1.0
	for want, change := range map[string]func(*Agent){
		`agent "a" has the temperature NaN; it must be at least 0`:                                                   func(a *Agent) { a.Temperature = &nan },
		`agent "a" has the temperature -1; it must be at least 0`:                                                    func(a *Agent) { a.Temperature = &cold },
		`agent "a" has a negative limit`:                                                                             func(a *Agent) { a.MaxTokens = -1 },
		`what agent "a" returns: schema: not JSON at byte 1: the text ends where a key in double quotes is expected`: func(a *Agent) { a.Returns = json.RawMessage(`{`) },
	} {
		a := agent()
		change(a)
		_, err := runAgent(t.Context(), a, "x", nil, runtime.Library{}, runtime.NewScript(text("never")), nil)
		if !errors.Is(err, &runtime.Error{Kind: runtime.KindValidation}) || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
