package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A ran is what a run of a shared case came to.
type ran struct {
	code     int
	stderr   string
	answers  []answerLine
	failure  *failureLine
	requests []chatRequest
}

type answerLine struct {
	Content   string `json:"content"`
	ToolsUsed []struct {
		Tool   string `json:"tool_name"`
		Args   any    `json:"args"`
		Result struct {
			Success any     `json:"success"`
			Error   *string `json:"error"`
		} `json:"result"`
	} `json:"tools_used"`
}

type failureLine struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

type chatRequest struct {
	Messages []struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	} `json:"messages"`
	Tools json.RawMessage `json:"tools"`
}

func runCase(t *testing.T, c *sharedCase) {
	result := runAgent(t, c)
	if len(c.Expect.AnyOf) == 0 {
		result.compare(t, &c.Expect)
		return
	}
	for i := range c.Expect.AnyOf {
		if want := &c.Expect.AnyOf[i]; want.OK == (result.failure == nil) {
			result.compare(t, want)
			return
		}
	}
	t.Errorf("none of the outcomes that may be: %+v", result)
}

// runAgent runs a case against a stub on loopback.
func runAgent(t *testing.T, c *sharedCase) *ran {
	s, err := newStub(c.LLM, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	file := filepath.Join(t.TempDir(), "agent.gram")
	if err := os.WriteFile(file, []byte(c.Input), 0o666); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"OPENAI_API_KEY": "test"}
	for variable, value := range c.Env {
		if delete(env, variable); value != nil {
			env[variable] = *value
		}
	}
	args := []string{"run", "--json", "--base-url", s.URL, "--max-retries", "0", file, "--"}
	code, stdout, stderr := gramc("", env, append(args, c.Messages...)...)
	result := &ran{code: code, stderr: stderr}
	for line := range strings.Lines(stdout) {
		var either struct {
			answerLine
			Error *failureLine `json:"error"`
		}
		if err := json.Unmarshal([]byte(line), &either); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if either.Error != nil {
			result.failure = either.Error
		} else {
			result.answers = append(result.answers, either.answerLine)
		}
	}
	for _, text := range s.received() {
		var request chatRequest
		if err := json.Unmarshal(text, &request); err != nil {
			t.Fatal(err)
		}
		result.requests = append(result.requests, request)
	}
	return result
}

func (r *ran) compare(t *testing.T, want *expectation) {
	t.Helper()
	output := r.stderr
	failure := exitRun
	if want.ExitNonZero {
		failure = exitProblems
	}
	if r.failure != nil {
		output += r.failure.Message
	}
	if !verdict(t, want, r.code, failure, output) && want.ErrorKind != "" && (r.failure == nil || r.failure.Kind != want.ErrorKind) {
		t.Errorf("it failed with %v, want %s", r.failure, want.ErrorKind)
	}
	if n := want.LLMRequests; n != nil && len(r.requests) != *n {
		t.Errorf("%d requests, want %d", len(r.requests), *n)
	}
	r.compareAnswers(t, want)
	r.compareRequests(t, want)
}

func (r *ran) compareAnswers(t *testing.T, want *expectation) {
	t.Helper()
	contents := want.Contents
	if want.Content != nil {
		contents = []string{*want.Content}
	}
	var got []string
	used := 0
	for _, a := range r.answers {
		got = append(got, a.Content)
		used += len(a.ToolsUsed)
	}
	if contents != nil && !slices.Equal(got, contents) {
		t.Errorf("the answers are %q, want %q", got, contents)
	}
	if n := want.ToolsUsedCount; n != nil && used != *n {
		t.Errorf("%d tools were used, want %d", used, *n)
	}
	if want.ToolsUsed == nil {
		return
	}
	if used != len(want.ToolsUsed) {
		t.Fatalf("%d tools were used, want %d", used, len(want.ToolsUsed))
	}
	for i, tool := range want.ToolsUsed {
		got := r.answers[0].ToolsUsed[i]
		if got.Tool != tool.Name || tool.Args != nil && !cmp.Equal(got.Args, tool.Args) ||
			tool.Success != nil && got.Result.Success != *tool.Success {
			t.Errorf("use %d is %+v, want %+v", i, got, tool)
		}
	}
}

func (r *ran) compareRequests(t *testing.T, want *expectation) {
	t.Helper()
	if text := want.LastRequestToolMessage; text != "" {
		last := r.requests[len(r.requests)-1].Messages
		if m := last[len(last)-1]; m.Role != "tool" || m.Content != text {
			t.Errorf("the last message is %+v, want %q of a tool", m, text)
		}
	}
	for _, a := range want.RequestAsserts {
		request := r.requests[a.Request]
		var roles []string
		found := a.MustContainToolResult == ""
		for _, m := range request.Messages {
			roles = append(roles, m.Role)
			found = found || m.Role == "tool" && m.Content == a.MustContainToolResult
		}
		if a.Roles != nil && !slices.Equal(roles, a.Roles) {
			t.Errorf("the roles of request %d are %q, want %q", a.Request, roles, a.Roles)
		}
		if !found {
			t.Errorf("request %d has no tool result %q", a.Request, a.MustContainToolResult)
		}
		if a.NoTools && request.Tools != nil {
			t.Errorf("request %d has tools: %s", a.Request, request.Tools)
		}
	}
}
