package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestATestIsRecordedOnceAndReplayed(t *testing.T) {
	dir, env, requests := recordFiles(t)
	file := filepath.Join(dir, "agent.test.gram")
	const text = `{import: ["./agent.gram"]}

[noon:Test {library: "./local.gram", recording: "./noon.jsonl"} |
  [:User {text: "What time is it?"}],
  [:Expect {called: "clock", text: "noon", requests: 2, tokens: 20}]]
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, _ := gramc("", env, "test", file)
	if code != exitRun || !strings.Contains(stdout, "the test cannot run: there is no recording yet; gramc test --update makes it") {
		t.Errorf("exit %d, %q", code, stdout)
	}
	if code, stdout, stderr := gramc("", env, "test", "--update", file); code != 0 || requests.Load() != 2 {
		t.Fatalf("exit %d, %q, %q, %d requests", code, stdout, stderr, requests.Load())
	}
	recording := filepath.Join(dir, "noon.jsonl")
	if info, err := os.Stat(recording); err != nil || info.Mode().Perm() != 0o600 || strings.Contains(string(mustRead(t, recording)), env["CLOCK_TOKEN"]) {
		t.Errorf("%v, or the recording holds the secret", err)
	}
	if code, stdout, stderr := gramc("", nil, "test", file); code != 0 || requests.Load() != 2 {
		t.Errorf("exit %d, %q, %q, %d requests", code, stdout, stderr, requests.Load())
	}
	agent := filepath.Join(dir, "agent.gram")
	changed := strings.Replace(string(mustRead(t, agent)), "(zone::Text)", "(zone::Text)==>(exact::Bool {optional: true})", 1)
	if err := os.WriteFile(agent, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, _ = gramc("", nil, "test", file)
	if want := `the tool "clock" gained a parameter "exact"`; code != exitRun || !strings.Contains(stdout, want) {
		t.Errorf("exit %d, %q does not say %s", code, stdout, want)
	}
}

func TestALiveTestAsksTheModelAsOftenAsItSays(t *testing.T) {
	dir, env, requests := recordFiles(t)
	file := filepath.Join(dir, "agent.test.gram")
	const text = `{import: ["./agent.gram"]}

[noon:Test {library: "./local.gram", model: live, passes: "2 of 3"} |
  [:User {text: "What time is it?"}],
  [:Expect {text: "noon"}],
  [:Expect {rubric: "It names the time."}]]
[never:Test {library: "./local.gram", model: live, passes: "2 of 3"} |
  [:User {text: "What time is it?"}],
  [:Expect {text: "midnight"}]]
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, stdout, _ := gramc("", env, "test", file); code != 0 || requests.Load() != 0 || !strings.HasSuffix(stdout, "0 passed, 2 skipped of 2 tests; --live runs those that ask a model\n") {
		t.Errorf("exit %d, %q, %d requests", code, stdout, requests.Load())
	}
	code, stdout, _ := gramc("", env, "test", "--live", file)
	// Two runs decide each: two that pass, and two that fail.
	if code != exitRun || requests.Load() != 8 || !strings.Contains(stdout, "never  "+file+":7:1 (0 of 2 runs passed, 2 wanted)") || !strings.HasSuffix(stdout, "1 passed, 1 failed of 2 tests\n") {
		t.Errorf("exit %d, %q, %d requests", code, stdout, requests.Load())
	}
	if code, stdout, stderr := gramc("", env, "test", "--live", "--judge", "Nobody/x", file); code != exitUsage || stdout != "" || !strings.Contains(stderr, "--judge: ") || requests.Load() != 8 {
		t.Errorf("exit %d, %q, %q, %d requests", code, stdout, stderr, requests.Load())
	}
	if code, stdout, _ := gramc("", env, "test", "--live", "--run", "noon", "--judge", "OpenAI/gpt-5.4-mini", file); code != exitRun || !strings.Contains(stdout, "the judge does not answer: LLMAPIError: its verdict is no JSON") {
		t.Errorf("exit %d, %q", code, stdout)
	}
}

// The budget of the command is no limit of the agent, and no test passes because of it.
func TestLiveTestsHaveABudget(t *testing.T) {
	dir, env, requests := recordFiles(t)
	file := writeTests(t, dir, "agent.test.gram", `[a:Test {library: "./local.gram", model: live} | [:User {text: "What time is it?"}], [:Expect {text: "noon"}]]
[b:Test {library: "./local.gram", model: live} | [:User {text: "What time is it?"}], [:Expect {fails: any}]]
[c:Test {library: "./local.gram", recording: "./c.jsonl"} | [:User {text: "What time is it?"}], [:Expect {fails: any}]]`)
	code, stdout, stderr := gramc("", env, "test", "--live", "--update", "--parallel", "1", "--max-requests", "3", file)
	_, err := os.Stat(filepath.Join(dir, "c.jsonl"))
	if code != exitRun || requests.Load() != 3 || err == nil || strings.Count(stdout, "the test cannot run: ") != 2 || strings.Count(stdout, "(--max-requests)") != 2 || !strings.HasSuffix(stdout, "1 passed, 2 failed of 3 tests\n") {
		t.Errorf("exit %d, %q, %q, %d requests", code, stdout, stderr, requests.Load())
	}
	if code, _, stderr := gramc("", env, "test", "--max-requests", "0", file); code != exitUsage || !strings.Contains(stderr, "--max-requests must be 1 or more") {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

func writeTests(t *testing.T, dir, name, text string) (file string) {
	t.Helper()
	file = filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte("{import: [\"./agent.gram\"]}\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A message without an answer leaves the earlier recording as it was, also if it is the
// last one.
func TestAFailedUpdateKeepsTheRecording(t *testing.T) {
	dir, env, requests := recordFiles(t)
	file := writeTests(t, dir, "agent.test.gram", `[noon:Test {library: "./local.gram", recording: "./noon.jsonl", passes: "1 of 2"} | [:User {text: "What time is it?"}], [:Expect {text: "noon"}]]`)
	recording := filepath.Join(dir, "noon.jsonl")
	if code, stdout, stderr := gramc("", env, "test", "--update", file); code != 0 {
		t.Fatalf("exit %d, %q, %q", code, stdout, stderr)
	}
	before := string(mustRead(t, recording))
	env["OPENAI_BASE_URL"] = "http://127.0.0.1:1"
	code, stdout, _ := gramc("", env, "test", "--update", file)
	if after := string(mustRead(t, recording)); code != exitRun || !strings.Contains(stdout, "the run fails: ") || after != before || requests.Load() != 2 {
		t.Errorf("exit %d, %q, %d requests; the recording is\n%s", code, stdout, requests.Load(), after)
	}
}

func TestAnUpdateRecordsOnce(t *testing.T) {
	dir, env, requests := recordFiles(t)
	file := writeTests(t, dir, "agent.test.gram", `[noon:Test {library: "./local.gram", recording: "./noon.jsonl", passes: "3 of 3"} | [:User {text: "What time is it?"}], [:Expect {text: "noon"}]]`)
	if code, stdout, stderr := gramc("", env, "test", "--update", file); code != 0 || requests.Load() != 2 {
		t.Errorf("exit %d, %q, %q, %d requests", code, stdout, stderr, requests.Load())
	}
}

func TestTwoFilesHaveNoRecordingInCommon(t *testing.T) {
	dir, env, requests := recordFiles(t)
	writeTests(t, dir, "a.test.gram", `[a:Test {library: "./local.gram", recording: "./noon.jsonl"} | [:User {text: "What time is it?"}]]`)
	writeTests(t, dir, "b.test.gram", `[b:Test {library: "./local.gram", recording: "././noon.jsonl"} | [:User {text: "And now?"}]]`)
	for _, words := range [][]string{{"test", "--update", dir}, {"test", "--update", "--run", "b", dir}} {
		code, _, stderr := gramc("", env, words...)
		if code == 0 || !strings.Contains(stderr, "two tests have the recording "+filepath.Join(dir, "noon.jsonl")+": a of ") || requests.Load() != 0 {
			t.Errorf("%v: exit %d, %q, %d requests", words, code, stderr, requests.Load())
		}
	}
}

// A recording knows which calls need approval: no library is open when it is replayed.
func TestApprovalIsAskedInAReplayToo(t *testing.T) {
	dir, env, requests := recordFiles(t)
	library := strings.Replace(string(mustRead(t, filepath.Join(dir, "local.gram"))), "output: text", "output: text, approve: ask", 1)
	if err := os.WriteFile(filepath.Join(dir, "local.gram"), []byte(library), 0o600); err != nil {
		t.Fatal(err)
	}
	file := writeTests(t, dir, "agent.test.gram", `[allowed:Test {library: "./local.gram", recording: "./allowed.jsonl", approve: clock} | [:User {text: "What time is it?"}], [:Expect {asked: clock, result: clock, text: "CLOCK_TOKEN"}]]
[refused:Test {library: "./local.gram", recording: "./refused.jsonl"} | [:User {text: "Late?"}], [:Expect {asked: clock, handled: clock}]]
[both:Test {library: "./local.gram", recording: "./both.jsonl", approve: clock} |
  [:User {text: "What time is it?"}], [:Expect {asked: clock, called: clock, times: 1}]]`)
	for _, words := range [][]string{{"test", "--update", file}, {"test", file}} {
		if code, stdout, stderr := gramc("", env, words...); code != 0 || requests.Load() != 6 {
			t.Fatalf("%v: exit %d, %q, %q, %d requests", words, code, stdout, stderr, requests.Load())
		}
	}
	recording, agent := filepath.Join(dir, "run.jsonl"), filepath.Join(dir, "agent.gram")
	if code, _, stderr := gramc("", env, "run", "--library", filepath.Join(dir, "local.gram"), "--approve", "clock", "--record", recording, "--record-tools", agent, "Hi"); code != 0 {
		t.Fatalf("exit %d, %q", code, stderr)
	}
	if code, stdout, stderr := gramc("", nil, "run", "--replay", recording, agent, "Hi"); code != 0 || stdout != "The time is noon.\n" {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
}

// A failure of the provider is not what a test with fails: any is about.
func TestAnUpdateDoesNotRecordThatNobodyAnswers(t *testing.T) {
	dir, env, _ := recordFiles(t)
	file := writeTests(t, dir, "agent.test.gram", `[any:Test {library: "./local.gram", recording: "./any.jsonl"} | [:User {text: "What time is it?"}], [:Expect {fails: any}]]
[named:Test {library: "./local.gram", recording: "./named.jsonl"} | [:User {text: "What time is it?"}], [:Expect {fails: LLMAPIError}]]`)
	env["OPENAI_BASE_URL"] = "http://127.0.0.1:1"
	code, stdout, stderr := gramc("", env, "test", "--update", "--run", "any", file)
	if _, err := os.Stat(filepath.Join(dir, "any.jsonl")); code != exitRun || err == nil || !strings.Contains(stdout, "the provider did not respond, so nothing is recorded: ") {
		t.Errorf("exit %d, %q, %q, %v", code, stdout, stderr, err)
	}
	code, stdout, stderr = gramc("", env, "test", "--update", "--run", "named", file)
	if _, err := os.Stat(filepath.Join(dir, "named.jsonl")); code != 0 || err != nil {
		t.Errorf("exit %d, %q, %q, %v", code, stdout, stderr, err)
	}
}
