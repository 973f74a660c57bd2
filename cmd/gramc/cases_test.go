package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/golden"
)

// A sharedCase is one line of cases.jsonl, see the README beside that file.
type sharedCase struct {
	ID       string             `json:"id"`
	Kind     string             `json:"kind"`
	Input    string             `json:"input"`
	Args     json.RawMessage    `json:"args"`
	Messages []string           `json:"messages"`
	LLM      json.RawMessage    `json:"llm"`
	Env      map[string]*string `json:"env"`
	Roadmap  bool               `json:"roadmap"`
	Expect   expectation        `json:"expect"`
}

type expectation struct {
	OK       bool          `json:"ok"`
	AnyOf    []expectation `json:"anyOf"`
	Error    string        `json:"error"`
	ErrorIn  []string      `json:"errorIn"`
	Mentions []string      `json:"mentions"`

	// parse
	TopLevel         *int                `json:"topLevel"`
	Root             *rootExpectation    `json:"root"`
	PropertyContains map[string][]string `json:"propertyContains"`
	MaxSeconds       float64             `json:"maxSeconds"`

	// validate
	Agent struct {
		Tools []string          `json:"tools"`
		Model map[string]string `json:"model"`
	} `json:"agent"`

	// args
	Args          any    `json:"args"`
	ArgsAnyOf     []any  `json:"argsAnyOf"`
	ArgsExactText string `json:"argsExactText"`
	MinProblems   int    `json:"minProblems"`

	// run
	Content                *string         `json:"content"`
	Contents               []string        `json:"contents"`
	ErrorKind              string          `json:"errorKind"`
	ExitNonZero            bool            `json:"exitNonZero"`
	LLMRequests            *int            `json:"llmRequests"`
	ToolsUsed              []usedTool      `json:"toolsUsed"`
	ToolsUsedCount         *int            `json:"toolsUsedCount"`
	LastRequestToolMessage string          `json:"lastRequestToolMessage"`
	RequestAsserts         []requestAssert `json:"requestAsserts"`
}

type rootExpectation struct {
	Identity string   `json:"identity"`
	Labels   []string `json:"labels"`
	Elements int      `json:"elements"`
}

type usedTool struct {
	Name    string  `json:"name"`
	Args    any     `json:"args"`
	Success *string `json:"success"`
}

type requestAssert struct {
	Request               int      `json:"request"`
	Roles                 []string `json:"roles"`
	NoTools               bool     `json:"noTools"`
	MustContainToolResult string   `json:"mustContainToolResult"`
}

// supersetCases hold only where tree-sitter-gram is the measure.
var supersetCases = map[string]string{
	"PRS-020": "empty arrays are gram here, and only tree-sitter-gram refuses them",
}

// TestSharedCases drives the command line with the cases that the implementers
// of gram share. They stand beside the repository, or where GRAMC_SHARED says.
func TestSharedCases(t *testing.T) {
	kinds := map[string]func(*testing.T, *sharedCase){
		"parse": parseCase, "validate": validateCase, "args": argsCase, "run": runCase,
	}
	tried := map[string]int{}
	for _, c := range golden.Lines[sharedCase](t, "cases", "cases.jsonl") {
		if check := kinds[c.Kind]; check != nil && !c.Roadmap {
			tried[c.Kind]++
			t.Run(c.ID, func(t *testing.T) { check(t, &c) })
		}
	}
	for kind := range kinds {
		if tried[kind] < 15 {
			t.Errorf("%d cases of kind %s", tried[kind], kind)
		}
	}
}

// verdict compares the exit code and, of a failure, the words.
func verdict(t *testing.T, want *expectation, code int, failure int, output string) bool {
	t.Helper()
	wantCode := exitFine
	if !want.OK {
		wantCode = failure
	}
	if code != wantCode {
		t.Fatalf("exit code %d, want %d\n%s", code, wantCode, output)
	}
	if want.OK {
		return true
	}
	codes := want.ErrorIn
	if want.Error != "" {
		codes = append(codes, want.Error)
	}
	if len(codes) > 0 && !slices.ContainsFunc(codes, func(c string) bool { return strings.Contains(output, "error["+c+"]") }) {
		t.Errorf("there is no error of %q in\n%s", codes, output)
	}
	for _, word := range want.Mentions {
		if !strings.Contains(strings.ToLower(output), strings.ToLower(word)) {
			t.Errorf("%q is not mentioned in\n%s", word, output)
		}
	}
	return false
}

func parseCase(t *testing.T, c *sharedCase) {
	args := []string{"parse", "-"}
	if reason, ok := supersetCases[c.ID]; ok {
		t.Log(reason)
		args = append(args, "--strict-gram")
	}
	start := time.Now()
	code, stdout, stderr := gramc(c.Input, nil, args...)
	if limit := c.Expect.MaxSeconds; limit > 0 && time.Since(start).Seconds() > limit {
		t.Errorf("it took %s", time.Since(start))
	}
	if !verdict(t, &c.Expect, code, exitProblems, stderr) {
		return
	}
	type pattern struct {
		Subject struct {
			Identity   string
			Labels     []string
			Properties map[string]json.RawMessage
		}
		Elements []json.RawMessage
	}
	var patterns []pattern
	if err := json.Unmarshal([]byte(stdout), &patterns); err != nil {
		t.Fatal(err)
	}
	if n := c.Expect.TopLevel; n != nil && len(patterns) != *n {
		t.Errorf("%d patterns, want %d", len(patterns), *n)
	}
	if want := c.Expect.Root; want != nil {
		root := patterns[0]
		got := &rootExpectation{root.Subject.Identity, root.Subject.Labels, len(root.Elements)}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	for key, texts := range c.Expect.PropertyContains {
		for _, text := range texts {
			if !bytes.Contains(patterns[0].Subject.Properties[key], []byte(text)) {
				t.Errorf("%s is %s, without %q", key, patterns[0].Subject.Properties[key], text)
			}
		}
	}
}

func validateCase(t *testing.T, c *sharedCase) {
	code, stdout, stderr := gramc(c.Input, nil, "compile", "-")
	if !verdict(t, &c.Expect, code, exitProblems, stderr) {
		return
	}
	var program struct {
		Agents []struct {
			Model map[string]string
			Tools []struct{ Name string }
		}
	}
	if err := json.Unmarshal([]byte(stdout), &program); err != nil || len(program.Agents) != 1 {
		t.Fatalf("%v, %d agents", err, len(program.Agents))
	}
	var tools []string
	for _, tool := range program.Agents[0].Tools {
		tools = append(tools, tool.Name)
	}
	if want := c.Expect.Agent.Tools; want != nil && !slices.Equal(tools, want) {
		t.Errorf("the tools are %q, want %q", tools, want)
	}
	if want := c.Expect.Agent.Model; want != nil && !cmp.Equal(program.Agents[0].Model, want) {
		t.Errorf("the model is %v, want %v", program.Agents[0].Model, want)
	}
}

func argsCase(t *testing.T, c *sharedCase) {
	text := string(c.Args)
	var raw struct {
		Text *string `json:"$raw"`
	}
	if json.Unmarshal(c.Args, &raw) == nil && raw.Text != nil {
		text = *raw.Text
	}
	code, stdout, stderr := gramc(text, nil, "args", "-e", c.Input, "-")
	if !verdict(t, &c.Expect, code, exitProblems, stderr) {
		if n := strings.Count(stderr, "args: error["); n < c.Expect.MinProblems {
			t.Errorf("%d problems, want %d:\n%s", n, c.Expect.MinProblems, stderr)
		}
		return
	}
	var got any
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	wanted := c.Expect.ArgsAnyOf
	if c.Expect.Args != nil {
		wanted = append(wanted, c.Expect.Args)
	}
	if len(wanted) > 0 && !slices.ContainsFunc(wanted, func(want any) bool { return cmp.Equal(want, got) }) {
		t.Errorf("the arguments are %s", stdout)
	}
	if !strings.Contains(stdout, c.Expect.ArgsExactText) {
		t.Errorf("%q is not in %s", c.Expect.ArgsExactText, stdout)
	}
}
