package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gram-lang/gramc/internal/comparison"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// compareFiles writes an agent, forty cases, and two libraries: A finds the words of
// every third case, B those of two of three. Its model asks the tool and repeats the
// result.
func compareFiles(t *testing.T) (dir string, env map[string]string, requests *atomic.Int64) {
	t.Helper()
	golden.Needs(t, "sh")
	dir, requests = t.TempDir(), new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		var q struct {
			Messages []struct{ Role, Content string } `json:"messages"`
		}
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &q); err != nil || len(q.Messages) == 0 {
			http.Error(w, "no messages", http.StatusBadRequest)
			return
		}
		message := `{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"find","arguments":%q}}]}`
		last := q.Messages[len(q.Messages)-1]
		if last.Role == "tool" {
			message = `{"role":"assistant","content":%q}`
		} else {
			last.Content = fmt.Sprintf(`{"word":%q}`, last.Content)
		}
		fmt.Fprintf(w, `{"choices":[{"message":`+message+`,"finish_reason":"stop"}],"usage":{"prompt_tokens":90,"completion_tokens":10,"total_tokens":100}}`, last.Content)
	}))
	t.Cleanup(s.Close)
	var cases, a, b strings.Builder
	cases.WriteString("{import: [\"./agent.gram\"]}\n")
	for i := range 40 {
		fmt.Fprintf(&cases, "[case%02d:Test {model: live, mustHold: %v} | [:User {text: \"word%02d\"}], [:Expect {text: \"word%02d is here\"}]]\n", i, i == 3, i, i)
		if i%3 == 0 {
			fmt.Fprintf(&a, "word%02d is here\n", i)
		}
		if i%3 != 2 {
			fmt.Fprintf(&b, "word%02d is here\n", i)
		}
	}
	for name, text := range map[string]string{
		"agent.gram": `[finder:Agent {instruction: "Find words.", model: "OpenAI/gpt-5.4-mini"} | [find:Tool {description: "Finds a word"} | (word::Text)==>(::Text)]]`,
		"a.gram":     `[a:Library | [find:Command {run: ["grep", "-F", "-e", "{word}", "a.txt"], output: text}]]`,
		"b.gram":     `[b:Library | [find:Command {run: ["grep", "-F", "-e", "{word}", "b.txt"], output: text}]]`,
		"none.gram":  `[none:Library | [find:Command {run: ["true"], output: text}]]`,
		"all.gram":   `[all:Library | [find:Command {run: ["echo", "{word} is here"], output: text}]]`,
		"a.txt":      a.String(), "b.txt": b.String(), "cases.test.gram": cases.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir, map[string]string{"OPENAI_API_KEY": "sk-very-secret-key", "OPENAI_BASE_URL": s.URL, "PATH": os.Getenv("PATH")}, requests
}

// TestAComparisonOfRecordedCases records forty cases, replays them without the model,
// and exchanges the arms by chance.
func TestAComparisonOfRecordedCases(t *testing.T) {
	dir, env, requests := compareFiles(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	compare := func(words ...string) (int, string, string) {
		return gramc("", env, append([]string{"compare", in("agent.gram"), "--a", in("a.gram"), "--b", in("b.gram")}, words...)...)
	}
	const verdict = "B solves 32.5 points more (95 %: 20.1 to 48)\n"
	code, stdout, stderr := compare("--record", in("recordings"), "--html", in("page.html"))
	if code != 0 || !strings.HasPrefix(stdout, verdict) || requests.Load() != 160 {
		t.Fatalf("exit %d, %d requests\n%s%s", code, requests.Load(), stdout, stderr)
	}
	if page, err := os.ReadFile(in("page.html")); err != nil || !strings.Contains(string(page), "B solves 32.5 points more") {
		t.Errorf("the page: %v", err)
	}
	delete(env, "OPENAI_API_KEY")
	code, stdout, stderr = compare("--replay", in("recordings"), "--results", in("results.jsonl"), "--traces", in("traces/of/runs"), "--html", in("page.html"))
	if code != 0 || !strings.HasPrefix(stdout, verdict) || requests.Load() != 160 {
		t.Fatalf("replayed: exit %d, %d requests\n%s%s", code, requests.Load(), stdout, stderr)
	}

	if page, err := os.ReadFile(in("page.html")); err != nil || !strings.Contains(string(page), `<a href="traces/of/runs/case01.a.1.html"`) {
		t.Errorf("the page has no link to a trace: %v", err)
	}
	if _, err := os.Stat(in("traces/of/runs/case01.a.1.jsonl")); err != nil {
		t.Error(err)
	}

	// The same results, half of them cut off: what is left runs again.
	text, err := os.ReadFile(in("results.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in("results.jsonl"), text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr = compare("--replay", in("recordings"), "--results", in("results.jsonl")); code != 0 || !strings.HasPrefix(stdout, verdict) {
		t.Errorf("resumed: exit %d\n%s%s", code, stdout, stderr)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i := 1; i+1 < len(lines); i += 2 { // in the order in which the pairs were ready
		var o comparison.Outcome
		if err := json.Unmarshal([]byte(lines[i]), &o); err != nil {
			t.Fatal(err)
		}
		name := fnv.New64a()
		io.WriteString(name, o.Case)
		if rand.New(rand.NewPCG(name.Sum64(), 2)).IntN(2) == 0 {
			lines[i] = strings.Replace(lines[i], `"arm":"a"`, `"arm":"b"`, 1)
			lines[i+1] = strings.Replace(lines[i+1], `"arm":"b"`, `"arm":"a"`, 1)
		}
	}
	if err := os.WriteFile(in("results.jsonl"), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr = compare("--results", in("results.jsonl")); code != 0 || !strings.HasPrefix(stdout, "no difference shown; with 40 cases one of 20 points would have been seen ") {
		t.Errorf("shuffled: exit %d\n%s%s", code, stdout, stderr)
	}

	// Another library is another comparison.
	if err := os.WriteFile(in("a.gram"), []byte(`[a:Library | [find:Command {run: ["true"], output: text}]]`), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr = compare("--results", in("results.jsonl")); code != 2 || !strings.Contains(stderr, "the results of another comparison") {
		t.Errorf("changed: exit %d, %s", code, stderr)
	}
}

// TestGatesOfAComparison: B, which is A now, is shown to be worse and breaks a case
// that must hold.
func TestGatesOfAComparison(t *testing.T) {
	dir, env, _ := compareFiles(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		words []string
		code  int
		want  string
	}{
		{[]string{"--a", in("b.gram"), "--b", in("a.gram"), "--gate"}, exitRun, "A solves 32.5 points more"},
		{[]string{"--a", in("a.gram"), "--b", in("b.gram"), "--gate"}, 0, "B solves 32.5 points more"},
		{[]string{"--a", in("b.gram"), "--b", in("a.gram")}, 0, "A solves 32.5 points more"},
		{[]string{"--a", in("none.gram"), "--b", in("all.gram"), "--until-sure"}, 0, "B solves more (95 %: 5.9 to 100 points, by a confidence sequence) after 16 of 40 cases"},
		{[]string{"--a", in("a.gram"), "--b", in("b.gram"), "--until-sure"}, 0, "no difference shown (95 %: "},
		{[]string{"--a", in("a.gram"), "--b", in("b.gram"), "--runs", "2", "--run", "case0"}, 0, "no difference shown; with 10 cases"},
		{[]string{"--a", in("a.gram"), "--b", in("b.gram"), "--max-requests", "10"}, exitRun, ""},
		{[]string{"--a", "OpenAI/gpt-5.4", "--b", "OpenAI/gpt-5.4-mini", "--library", in("a.gram"), "--run", "case0"}, 0, "no difference shown; with 10 cases"},
	} {
		code, stdout, stderr := gramc("", env, append([]string{"compare", in("agent.gram")}, c.words...)...)
		if code != c.code || !strings.HasPrefix(stdout, c.want) {
			t.Errorf("%v: exit %d\n%s%s", c.words, code, stdout, stderr)
		}
	}
}

// TestAModelThatDoesNotRespondIsNoResult: the runs of the arm without a server are
// neither failures nor results, and run again when there is one.
func TestAModelThatDoesNotRespondIsNoResult(t *testing.T) {
	dir, env, _ := compareFiles(t)
	in := func(name string) string { return filepath.Join(dir, name) }
	words := []string{"compare", in("agent.gram"), "--a", in("a.gram"), "--b", in("b.gram"), "--run", "case0", "--results", in("r.jsonl"), "--gate"}
	address := env["OPENAI_BASE_URL"]
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "no JSON") }))
	defer broken.Close()
	env["OPENAI_BASE_URL"] = broken.URL
	code, stdout, stderr := gramc("", env, words...)
	if code != exitRun || !strings.HasPrefix(stdout, "nothing can be said") || !strings.Contains(stderr, "no result of 10 runs in both versions") || !strings.Contains(stderr, "the model did not respond") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
	env["OPENAI_BASE_URL"] = address
	if code, stdout, stderr = gramc("", env, words...); code != 0 || !strings.HasPrefix(stdout, "no difference shown; with 10 cases") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}

// TestAJudgeSeesBothAnswers in an order that says nothing of the versions.
func TestAJudgeSeesBothAnswers(t *testing.T) {
	var first [2]int
	judge := &pairJudge{model: judgeByLength{&first}, rubric: "longer is better"}
	for i := range 40 {
		a, b := &comparison.Outcome{Answer: "short"}, &comparison.Outcome{Answer: "much longer"}
		if err := judge.decide(t.Context(), []string{"Hello"}, [2]*comparison.Outcome{a, b}, i%2 == 0); err != nil || a.Score != 0 || b.Score != 1 || a.Failure == "" {
			t.Fatalf("%v, %+v, %+v", err, a, b)
		}
	}
	if first[0] != 20 || first[1] != 20 {
		t.Errorf("the better answer was first %d times, and second %d times", first[0], first[1])
	}
	a, b := &comparison.Outcome{Answer: "same"}, &comparison.Outcome{Answer: "same"}
	if err := judge.decide(t.Context(), []string{"Hello"}, [2]*comparison.Outcome{a, b}, true); err != nil || a.Score != 0.5 || b.Score != 0.5 {
		t.Errorf("%v, %+v, %+v", err, a, b)
	}
	a, b = &comparison.Outcome{}, &comparison.Outcome{}
	if err := judge.decide(t.Context(), nil, [2]*comparison.Outcome{a, b}, true); err != nil || a.Score != 0.5 || b.Score != 0.5 {
		t.Errorf("no answers: %v, %+v, %+v", err, a, b)
	}
	a, b = &comparison.Outcome{Answer: "x"}, &comparison.Outcome{}
	if err := judge.decide(t.Context(), []string{"Hello"}, [2]*comparison.Outcome{a, b}, true); err != nil || a.Score != 1 || b.Score != 0 {
		t.Errorf("no answer: %v, %+v, %+v", err, a, b)
	}
}

// judgeByLength is a model that finds the longer answer better. It counts where that
// stood.
type judgeByLength struct{ first *[2]int }

func (judgeByLength) Name() string { return "judge" }

func (j judgeByLength) Generate(_ context.Context, q *runtime.Request) (*runtime.Response, error) {
	var pair struct {
		First, Second string
		Messages      []string
	}
	if err := json.Unmarshal([]byte(q.Messages[0].Content), &pair); err != nil || len(pair.Messages) != 1 {
		return nil, fmt.Errorf("%v, %d messages", err, len(pair.Messages))
	}
	better := "neither"
	switch {
	case len(pair.First) > len(pair.Second):
		better = "first"
		j.first[0]++
	case len(pair.First) < len(pair.Second):
		better = "second"
		j.first[1]++
	}
	return &runtime.Response{Content: fmt.Sprintf(`{"better":%q,"reason":"by length"}`, better)}, nil
}

func TestAnEstimateHasTwoDigits(t *testing.T) {
	for m, want := range map[models.Money]models.Money{0: 0, 7: 7, 99: 99, 101: 100, 16_944_000: 17_000_000, models.Dollar * 1234: models.Dollar * 1200} {
		if got := twoDigits(m); got != want {
			t.Errorf("%d is about %d, not %d", m, got, want)
		}
	}
}
