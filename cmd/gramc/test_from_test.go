package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	compiled "github.com/gram-lang/gramc/compile/scenario"

	"github.com/gram-lang/gramc/internal/scenario"
)

// TestConversationsOfTestsBecomeTests runs the tests of the examples, and makes tests of what was
// said in them, which must pass.
func TestConversationsOfTestsBecomeTests(t *testing.T) {
	for _, folder := range []string{"support", "research", "ab"} {
		copied := t.TempDir()
		if err := os.CopyFS(copied, os.DirFS(filepath.Join("../../examples", folder))); err != nil {
			t.Fatal(err)
		}
		k := &tester{cli: newCLI(&stdio{out: io.Discard, err: io.Discard, lookup: noVariables})}
		suite, err := k.loadTests([]string{copied}, nil)
		if err != nil {
			t.Fatal(err)
		}
		k.suite = suite
		t.Cleanup(suite.close)
		made := 0
		for _, test := range suite.cases {
			o := &scenario.Options{Agent: test.agent}
			if test.Model != compiled.Scripted && test.Model != compiled.Offline {
				continue
			}
			if o.Library, err = suite.tools(t.Context(), test); err != nil {
				t.Fatal(err)
			}
			ran := scenario.Run(t.Context(), test.Scenario, o)
			if ran.Err != nil || ran.Turns[len(ran.Turns)-1].Err != nil {
				continue // it is about an error
			}
			text, err := json.Marshal(ran.Conversation)
			if err != nil {
				t.Fatal(err)
			}
			saved := filepath.Join(t.TempDir(), test.Name+".json")
			if err := os.WriteFile(saved, text, 0o600); err != nil {
				t.Fatal(err)
			}
			agent := test.Scenario.Agent.Pattern.Span().File.Name()
			output := filepath.Join(filepath.Dir(agent), "draft.test.gram")
			code, stdout, stderr := gramc("", nil, "test", "--from", saved, "--agent", test.agent.Name, "-o", output, agent)
			written, _ := os.ReadFile(output)
			_ = os.Remove(output)
			stdout += string(written)
			if code != 0 || !strings.Contains(stdout, "["+test.Name+":Test {agent: ") || !strings.Contains(stdout, "[:Expect {") {
				t.Errorf("%s: exit code %d\n%s%s", test.Name, code, stdout, stderr)
			}
			made++
		}
		if made == 0 {
			t.Errorf("%s: no conversation", folder)
		}
	}
}

// TestTheTestingPageShowsATestOfAConversation runs the command of docs/testing.md.
func TestTheTestingPageShowsATestOfAConversation(t *testing.T) {
	saved, err := os.ReadFile("testdata/late-parcel.json")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/testing.md")
	if err != nil {
		t.Fatal(err)
	}
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS("../../examples/support")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(copied)
	if err := os.WriteFile("late-parcel.json", saved, 0o600); err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "\ngramc test --from late-parcel.json agent.gram -o late-parcel.test.gram\n```\n\n```gram\n")
	want, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatal("docs/testing.md has no such command")
	}
	code, stdout, stderr := gramc("", nil, "test", "--from", "late-parcel.json", "agent.gram", "-o", "late-parcel.test.gram")
	got, err := os.ReadFile("late-parcel.test.gram")
	if code != 0 || err != nil || string(got) != want || stdout != "" || stderr != "" {
		t.Errorf("exit code %d, %v\n%s%s%s\nwant\n%s", code, err, stdout, stderr, got, want)
	}
	for _, args := range [][]string{{"test", "late-parcel.test.gram"}, {"check", "late-parcel.test.gram"}, {"fmt", "--check", "late-parcel.test.gram"}} {
		if code, stdout, stderr := gramc("", nil, args...); code != 0 {
			t.Errorf("%v: exit code %d\n%s%s", args, code, stdout, stderr)
		}
	}
}
