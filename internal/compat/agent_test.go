package compat

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

func agent(change func(*interp.Agent)) *interp.Agent {
	a := &interp.Agent{
		Name: "clerk", Instruction: "i", Model: compile.Model{Provider: "OpenAI", ID: "m"},
		MaxTokens: 100, Tools: []runtime.Contract{{Name: "a", Description: "d"}, {Name: "b", Description: "d"}},
	}
	if change != nil {
		change(a)
	}
	return a
}

func TestAgents(t *testing.T) {
	warm, text := 0.5, json.RawMessage(`{"type":"string"}`)
	for _, tt := range []struct {
		name     string
		old, new []*interp.Agent
		want     string
	}{
		{"nothing", []*interp.Agent{agent(nil)}, []*interp.Agent{agent(nil)}, ""},
		{"another name", []*interp.Agent{agent(nil)}, []*interp.Agent{agent(func(a *interp.Agent) { a.Name = "boss" })},
			"- boss /name the agent is called \"boss\" now, and was \"clerk\"; callers no longer find it by name\n"},
		{"gone and new", []*interp.Agent{agent(nil), agent(func(a *interp.Agent) { a.Name = "x" })}, []*interp.Agent{agent(func(a *interp.Agent) { a.Name = "y" }), agent(nil)},
			"+ y the agent is new\n- x the agent is gone; callers no longer find it\n"},
		{"words", []*interp.Agent{agent(nil)}, []*interp.Agent{agent(func(a *interp.Agent) { a.Description, a.Instruction, a.Model.ID = "x", "j", "n" })},
			"+ clerk /description the description has changed\n+ clerk /model the model is OpenAI/n now, and was OpenAI/m; answers may differ\n" +
				"+ clerk /instruction the instruction has changed; the model reads another text\n"},
		{"settings", []*interp.Agent{agent(nil)}, []*interp.Agent{agent(func(a *interp.Agent) { a.Temperature, a.MaxTokens, a.MaxIterations = &warm, 200, 5 })},
			"+ clerk /temperature the temperature of the agent is 0.5 now, and there was none; answers may differ\n" +
				"+ clerk /maxTokens the limit of tokens of the agent is 200 now, and was 100\n" +
				"- clerk /maxIterations the limit of requests of the agent is 5 now, and there was none; runs that used to finish may now be cut off\n"},
		{"budgets", []*interp.Agent{agent(func(a *interp.Agent) { a.Budget.Tokens, a.Timeout = 1000, time.Minute })},
			[]*interp.Agent{agent(func(a *interp.Agent) {
				a.Budget, a.Timeout, a.OnOverflow = interp.Budget{Requests: 5, Tokens: 2000, Cost: interp.Dollar / 2}, 0, interp.CompactOnOverflow
			})},
			"- clerk /maxRequests the budget of requests of the agent is 5 now, and there was none; runs that used to finish may now be cut off\n" +
				"+ clerk /maxTotalTokens the budget of tokens of the agent is 2000 now, and was 1000\n" +
				"- clerk /maxCost the budget of cost of the agent is $0.50 now, and there was none; runs that used to finish may now be cut off\n" +
				"+ clerk /timeout the agent has no timeout any more\n" +
				"+ clerk /onOverflow onOverflow has changed; long conversations go on otherwise\n"},
		{"less tokens", []*interp.Agent{agent(nil)}, []*interp.Agent{agent(func(a *interp.Agent) { a.MaxTokens = 50 })},
			"- clerk /maxTokens the limit of tokens of the agent is 50 now, and was 100; answers that used to fit may now be cut off\n"},
		{"a type of answers", []*interp.Agent{agent(nil)}, []*interp.Agent{agent(func(a *interp.Agent) { a.Returns = text })},
			"- clerk /returns the answers have a type now, and were text; callers do not expect that\n"},
		{"no type of answers", []*interp.Agent{agent(func(a *interp.Agent) { a.Returns = text })}, []*interp.Agent{agent(nil)},
			"- clerk /returns the answers are text now, and had a type; callers do not expect that\n"},
		{"another type of answers", []*interp.Agent{agent(func(a *interp.Agent) { a.Returns = text })},
			[]*interp.Agent{agent(func(a *interp.Agent) { a.Returns = json.RawMessage(`{"type":["string","null"]}`) })},
			"- clerk /returns/type the type of the answer is string or null now, and was string; callers do not expect that\n"},
		{"tools", []*interp.Agent{agent(nil)}, []*interp.Agent{agent(func(a *interp.Agent) {
			a.Tools = []runtime.Contract{{Name: "c"}, {Name: "b", Description: "e", Timeout: time.Second, NoRetry: true, Strict: true, Repeat: runtime.RepeatSafe}}
		})},
			"- clerk c the tool is new, and libraries need it now\n" +
				"+ clerk b /description the description has changed; the model reads another text\n" +
				"- clerk b /timeout the timeout of the tool is 1s now, and there was none; calls that took longer may fail now\n" +
				"+ clerk b /retryable the tool may not be called again after a failure now\n" +
				"- clerk b /repeat the repeat of the tool is safe now, and there was none; a call of unknown outcome may be made again now\n" +
				"+ clerk b /strict the provider enforces the schema now\n" +
				"- clerk a the tool is gone\n"},
	} {
		if diff := cmp.Diff(tt.want, printed(Agents(tt.old, tt.new))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestContractsOfALibrary(t *testing.T) {
	old := []runtime.Contract{{Name: "a", Timeout: time.Second, NoRetry: true, Strict: true}, {Name: "b"}}
	new := []runtime.Contract{{Name: "c"}, {Name: "a", Timeout: time.Minute}}
	want := "+ c the tool is new\n" +
		"+ a /timeout the timeout of the tool is 1m0s now, and was 1s\n" +
		"+ a /retryable the tool may be called again after a failure now\n" +
		"+ a /strict the provider does not enforce the schema any more\n" +
		"- b the tool is gone\n"
	if diff := cmp.Diff(want, printed(Contracts(old, new))); diff != "" {
		t.Error(diff)
	}
}

func TestARepeatThatAllowsMoreBreaks(t *testing.T) {
	for _, tt := range []struct {
		old, new runtime.Repeat
		breaks   bool
	}{
		{"", runtime.RepeatOnce, false}, {runtime.RepeatOnce, "", false}, {runtime.RepeatSafe, "", false},
		{runtime.RepeatSafe, runtime.RepeatKeyed, false}, {runtime.RepeatKeyed, runtime.RepeatOnce, false},
		{"", runtime.RepeatSafe, true}, {runtime.RepeatOnce, runtime.RepeatKeyed, true}, {runtime.RepeatKeyed, runtime.RepeatSafe, true},
	} {
		got := Contracts([]runtime.Contract{{Name: "a", Repeat: tt.old}}, []runtime.Contract{{Name: "a", Repeat: tt.new}})
		if len(got) != 1 || got[0].Path != "/repeat" || (got[0].Class == Breaking) != tt.breaks {
			t.Errorf("%q to %q: %v", tt.old, tt.new, got)
		}
	}
}
