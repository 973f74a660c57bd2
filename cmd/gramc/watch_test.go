package main

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A sharedBuffer is a buffer that is read while it is written.
type sharedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *sharedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *sharedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestCheckWatchChecksAgain changes a file, what it imports, and creates what it
// lacks, and waits for each report.
func TestCheckWatchChecksAgain(t *testing.T) {
	folder := t.TempDir()
	agent, types := filepath.Join(folder, "agent.gram"), filepath.Join(folder, "types.gram")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const good = "{import: [\"./types.gram\"]}\n[t:Tool {description: \"d\"} | (x::Unit)==>(::Text)]\n"
	write(agent, good)

	shown := &sharedBuffer{}
	c := newCLI(&stdio{in: strings.NewReader(""), out: shown, err: shown, lookup: os.LookupEnv})
	k := &checker{cli: c, format: flagChoice{"human", formats}}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.watch(ctx, c.checkCommand(), []string{folder}, time.Millisecond) }()

	end := time.Now().Add(20 * time.Second)
	wait := func(times int, want string) {
		t.Helper()
		for strings.Count(shown.String(), want) < times {
			if time.Now().After(end) {
				t.Fatalf("no %q\n%s", want, shown)
			}
			time.Sleep(time.Millisecond)
		}
	}
	wait(1, "error[import-not-found]")
	write(types, "[Unit:Enum {values: [\"km\", \"mi\"]}]\n")
	wait(1, "no errors in 2 files")
	write(agent, strings.Replace(good, "Unit", "Unitt", 1))
	wait(1, "did you mean Unit?")
	write(agent, good)
	wait(2, "no errors in 2 files")
	write(types, "[Other:Enum {values: [\"km\", \"mi\"]}]\n")
	wait(1, `unknown type "Unit"`)
	stop()
	if err := <-ended; err == nil || !silent(err) {
		t.Errorf("it ends with %v", err)
	}
}

func TestCheckWatchKnowsTheProvidersOfTheUser(t *testing.T) {
	name := filepath.Join(t.TempDir(), "work.gram")
	if err := os.WriteFile(name, []byte(`[work:Provider {address: "https://models.example.test/v1", key: "WORK_API_KEY"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := newCLI(&stdio{in: strings.NewReader(""), out: io.Discard, err: io.Discard, lookup: os.LookupEnv})
	c.providerFiles = []string{name}
	if _, ok := (&checker{cli: c}).again(io.Discard).models().Provider("work"); !ok {
		t.Error("a provider of --providers is unknown")
	}
}

// TestCheckWatchOfNothing checks that a file that cannot be read is not reported as one without errors.
func TestCheckWatchOfNothing(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	shown := &sharedBuffer{}
	c := newCLI(&stdio{in: strings.NewReader(""), out: shown, err: shown, lookup: os.LookupEnv})
	k := &checker{cli: c, format: flagChoice{"human", formats}}
	if err := k.watch(ctx, c.checkCommand(), []string{filepath.Join(t.TempDir(), "none.gram")}, time.Millisecond); !silent(err) {
		t.Error(err)
	}
	if text := shown.String(); !strings.Contains(text, "none.gram") || strings.Contains(text, "no errors") {
		t.Error(text)
	}
}

func TestCheckWatchRefuses(t *testing.T) {
	for _, args := range [][]string{{"--fix"}, {"--diff"}, {"--json"}, {"-"}, {"-e", "[a]"}} {
		if code, _, stderr := gramc("", nil, append([]string{"check", "--watch"}, args...)...); code != exitUsage || !strings.Contains(stderr, "--watch") {
			t.Errorf("%v: exit code %d\n%s", args, code, stderr)
		}
	}
}

// TestTestWatchRunsTheTestsAgain changes a test, its agent and its library, and creates
// the recording that another lacks, and waits for each report.
func TestTestWatchRunsTheTestsAgain(t *testing.T) {
	dir, env, _ := recordFiles(t)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const recorded = `{import: ["./agent.gram"]}

[noon:Test {library: "./local.gram", recording: "./noon.jsonl"} |
  [:User {text: "What time is it?"}],
  [:Expect {text: "noon"}]]
`
	file := filepath.Join(dir, "agent.test.gram")
	write("agent.test.gram", recorded)
	if code, stdout, stderr := gramc("", env, "test", "--update", file); code != 0 {
		t.Fatalf("exit %d, %q, %q", code, stdout, stderr)
	}
	recording := mustRead(t, filepath.Join(dir, "noon.jsonl"))
	if err := os.Remove(filepath.Join(dir, "noon.jsonl")); err != nil {
		t.Fatal(err)
	}

	shown := &sharedBuffer{}
	c := newCLI(&stdio{in: strings.NewReader(""), out: shown, err: shown, lookup: func(string) (string, bool) { return "", false }})
	k := &tester{cli: c, format: flagChoice{"human", "human"}, parallel: 1}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.watch(ctx, []string{dir}, time.Millisecond) }()

	end := time.Now().Add(20 * time.Second)
	wait := func(times int, want string) {
		t.Helper()
		for strings.Count(shown.String(), want) < times {
			if time.Now().After(end) {
				t.Fatalf("no %q\n%s", want, shown)
			}
			time.Sleep(time.Millisecond)
		}
	}
	wait(1, "there is no recording yet")
	write("noon.jsonl", string(recording))
	wait(1, "1 passed of 1 test")
	write("agent.test.gram", strings.Replace(recorded, `{text: "noon"}`, `{text: "night"}`, 1))
	wait(1, `the answer does not hold "night"`)
	write("agent.test.gram", "// none\n")
	wait(1, "there is no test in")
	write("agent.test.gram", recorded)
	wait(2, "1 passed of 1 test")
	agent := string(mustRead(t, filepath.Join(dir, "agent.gram")))
	write("agent.gram", strings.Replace(agent, "(zone::Text)", "(zone::Text)==>(exact::Bool {optional: true})", 1))
	wait(1, `gained a parameter "exact"`)
	write("agent.gram", agent)
	wait(3, "1 passed of 1 test")
	stop()
	if err := <-ended; err == nil || !silent(err) {
		t.Errorf("it ends with %v", err)
	}
}

// TestAToolThatWritesIsNoChange checks that tests whose tools write files beside them
// do not start each other for ever.
func TestAToolThatWritesIsNoChange(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "agent.gram")
	for _, file := range []string{name, filepath.Join(dir, "notes.txt")} {
		c := newCLI(&stdio{in: strings.NewReader(""), out: io.Discard, err: io.Discard, lookup: os.LookupEnv})
		c.filesRead.Store(name, true)
		before := c.watched([]string{dir})
		if err := os.WriteFile(file, []byte("[a]\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if changed := !maps.Equal(before, c.watched([]string{dir})); changed != (file == name) {
			t.Errorf("%s: changed is %v", file, changed)
		}
	}
}

func TestTestWatchRefuses(t *testing.T) {
	for _, args := range [][]string{{"--update"}, {"--format", "json"}, {"-"}} {
		if code, _, stderr := gramc("", nil, append([]string{"test", "--watch"}, args...)...); code != exitUsage || !strings.Contains(stderr, "--watch") {
			t.Errorf("%v: exit code %d\n%s", args, code, stderr)
		}
	}
	name := filepath.Join(t.TempDir(), "a.gram")
	if err := os.WriteFile(name, []byte("// none\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := gramc("", nil, "test", "--watch", name); code != exitUsage || !strings.Contains(stderr, "there is no test in") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}
