package gramc_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/openai"
)

// write writes files, given as pairs of name and text, to a new folder.
func write(t *testing.T, files ...string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(folder, files[i]), []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

const lookup = `[lookup:Tool {description: "Finds a word"} | (word::Text)==>(::Text)]`

// calling returns a model that calls the tool once and then answers "done".
func calling(tool, args string) *runtime.Script {
	return runtime.NewScript(
		runtime.Response{Calls: []runtime.Call{{ID: "1", Name: tool, Args: []byte(args)}}},
		runtime.Response{Content: "done"},
	)
}

func TestLoadReadsImportsAndLibraries(t *testing.T) {
	folder := write(t,
		"agent.gram", `{import: ["./tools.gram"]} [clerk:Agent {instruction: "Use lookup.", model: "OpenAI/m"} | lookup]`,
		"tools.gram", lookup,
		"local.gram", `[local:Library | [lookup:Command {run: ["sh", "-c", "printf '%s' \"found $1\"", "sh", "{word}"]}]]`)
	agent, err := gramc.Load(t.Context(), filepath.Join(folder, "agent.gram"), &gramc.Options{
		Libraries: []string{filepath.Join(folder, "local.gram")}, Model: calling("lookup", `{"word":"tide"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Close()
	response, err := agent.Run(t.Context(), "hello", nil)
	if err != nil || len(response.ToolsUsed) != 1 || string(response.ToolsUsed[0].Result) != `"found tide"` {
		t.Errorf("response %+v, error %v", response, err)
	}
}

func TestAGoFunctionReplacesALibraryTool(t *testing.T) {
	folder := write(t,
		"agent.gram", `[clerk:Agent {instruction: "Use lookup.", model: "OpenAI/m"} | `+lookup+`]`,
		"local.gram", `[local:Library | [lookup:Command {run: ["no-such-program", "{word}"]}]]`)
	type query struct{ Word string }
	answer, err := gramc.Load(t.Context(), filepath.Join(folder, "agent.gram"), &gramc.Options{
		Libraries: []string{filepath.Join(folder, "local.gram")}, Model: calling("lookup", `{"word":"tide"}`),
		Tools: []gramc.Tool{gramc.Func("lookup", func(_ context.Context, q query) (string, error) { return "Go found " + q.Word, nil })},
	})
	if err != nil {
		t.Fatal(err)
	}
	response, err := answer.Run(t.Context(), "hello", nil)
	if err != nil || string(response.ToolsUsed[0].Result) != `"Go found tide"` {
		t.Errorf("response %+v, error %v", response, err)
	}
}

func TestAConversationGoesOn(t *testing.T) {
	model := runtime.NewScript(runtime.Response{Content: "one"}, runtime.Response{Content: "two"})
	agent, err := gramc.Parse(t.Context(), "a.gram", `[a:Agent {instruction: "Answer.", model: "OpenAI/m"}]`, &gramc.Options{Model: model})
	if err != nil {
		t.Fatal(err)
	}
	first, err := agent.Run(t.Context(), "1?", nil)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []interp.EventKind
	for event, err := range agent.Events(t.Context(), "2?", first.Conversation) {
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, event.Kind)
	}
	if requests := model.Requests(); len(requests) != 2 || len(requests[1].Messages) != 3 || len(kinds) != 3 {
		t.Errorf("requests %+v, events %v", requests, kinds)
	}
}

func TestWhatIsWrongIsAnErrorBeforeTheFirstRequest(t *testing.T) {
	type query struct{ Phrase string }
	type wrong struct{ Word int }
	fits := func(_ context.Context, in struct{ Word string }) (string, error) { return in.Word, nil }
	agent := `[clerk:Agent {instruction: "Use lookup.", model: "OpenAI/m"} | ` + lookup + `]`
	tests := []struct {
		name, text string
		tools      []gramc.Tool
		contains   string
	}{
		{"a mistake in the file", strings.Replace(agent, "::Text", "::Txt", 1), nil, "unknown type"},
		{"no agent", lookup, nil, "no-agent"},
		{"no tool", agent, nil, `tool "lookup": tool-not-found`},
		{"another name", agent, []gramc.Tool{gramc.Func("lookup", func(context.Context, query) (string, error) { return "", nil })}, "schema-mismatch"},
		{"another type", agent, []gramc.Tool{gramc.Func("lookup", func(context.Context, wrong) (string, error) { return "", nil })}, "schema-mismatch"},
		{"no struct", agent, []gramc.Tool{gramc.Func("lookup", func(context.Context, int) (string, error) { return "", nil })}, "must be a struct"},
		{"no function", agent, []gramc.Tool{gramc.Func[query, string]("lookup", nil)}, "no function"},
		{"no name", agent, []gramc.Tool{gramc.Func("", fits)}, "name is empty"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			model := runtime.NewScript()
			loaded, err := gramc.Parse(t.Context(), "a.gram", tt.text, &gramc.Options{Model: model, Tools: tt.tools})
			if err == nil || loaded != nil || !strings.Contains(err.Error(), tt.contains) || len(model.Requests()) > 0 {
				t.Errorf("error %v, want one with %q", err, tt.contains)
			}
		})
	}
}

func TestErrorsOfFiles(t *testing.T) {
	folder := write(t, "agent.gram", `[clerk:Agent {instruction: "x", model: "OpenAI/m"} | gone]`)
	_, err := gramc.Run(t.Context(), filepath.Join(folder, "agent.gram"), "hello", nil)
	if list, ok := diag.ListFromError(err); !ok || len(list) != 1 || list[0].Code != "undefined-reference" {
		t.Errorf("error %v", err)
	}
	if problems, err := gramc.Check(filepath.Join(folder, "agent.gram")); err != nil || len(problems) != 1 {
		t.Errorf("problems %v, error %v", problems, err)
	}
	if _, err := gramc.Check(filepath.Join(folder, "none.gram")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestTheKeyComesFromTheEnvironment(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	_, err := gramc.Parse(t.Context(), "a.gram", `[a:Agent {instruction: "Answer.", model: "OpenAI/m"}]`, nil)
	if err == nil || !strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Errorf("error %v", err)
	}
	t.Setenv("OPENAI_API_KEY", "sk-0123456789")
	agent, err := gramc.Parse(t.Context(), "a.gram", `[a:Agent {instruction: "Answer.", model: "OpenAI/m"}]`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := agent.Close(); err != nil {
		t.Error(err)
	}
}

func TestALockIsComparedBeforeTheFirstRequest(t *testing.T) {
	agent := `[clerk:Agent {instruction: "Use lookup.", model: "OpenAI/m"} | ` + lookup + `]`
	load := func(o gramc.Options) (*gramc.Agent, error) {
		o.Model = runtime.NewScript()
		return gramc.Parse(t.Context(), "a.gram", agent, &o)
	}
	type query struct{ Word string }
	type wider struct {
		Word  string
		Limit *int
	}
	find := gramc.Func("lookup", func(_ context.Context, q query) (string, error) { return q.Word, nil })
	first, err := load(gramc.Options{Tools: []gramc.Tool{find}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := first.Lock().JSON()
	if err != nil {
		t.Fatal(err)
	}
	folder := write(t, "a.lock", string(text), "b.lock", "{}")
	lock, err := gramc.ReadLock(filepath.Join(folder, "a.lock"))
	if err != nil {
		t.Fatal(err)
	}
	findWider := gramc.Func("lookup", func(_ context.Context, q wider) (string, error) { return q.Word, nil })
	second, err := load(gramc.Options{Tools: []gramc.Tool{findWider}, Lock: lock})
	if err != nil {
		t.Fatalf("a compatible change: %v", err)
	}
	if b := second.Bindings(); len(b) != 1 || b[0].Fit != runtime.FitCompatible {
		t.Errorf("bindings %+v", b)
	}
	if _, err := load(gramc.Options{Tools: []gramc.Tool{find}, Lock: second.Lock()}); err == nil || !strings.Contains(err.Error(), "changed since the lock") {
		t.Errorf("a parameter that is gone: %v", err)
	}
	if _, err := gramc.ReadLock(filepath.Join(folder, "b.lock")); err == nil {
		t.Error("a file that is not a lock is read")
	}
	if _, err := gramc.ReadLock(filepath.Join(folder, "none.lock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestAMissingToolIsReportedBeforeAMissingKey(t *testing.T) {
	for _, v := range openai.KeyVariables("OpenAI") {
		t.Setenv(v, "")
	}
	agent := `[clerk:Agent {instruction: "Answer.", model: "OpenAI/m"} | ` + lookup + `]`
	_, err := gramc.Parse(t.Context(), "a.gram", agent, nil)
	var missing runtime.BindErrors
	if !errors.As(err, &missing) || len(missing) != 1 {
		t.Errorf("without the tool: %v", err)
	}
	find := gramc.Func("lookup", func(_ context.Context, q struct{ Word string }) (string, error) { return q.Word, nil })
	_, err = gramc.Parse(t.Context(), "a.gram", agent, &gramc.Options{Tools: []gramc.Tool{find}})
	var known *runtime.Error
	if !errors.As(err, &known) || known.Kind != runtime.KindConfiguration || !strings.Contains(err.Error(), "OPENAI_API_KEY") {
		t.Errorf("without the key: %v", err)
	}
}
