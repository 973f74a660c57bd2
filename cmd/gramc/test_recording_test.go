//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestNobodyWaitsForANamedPipe(t *testing.T) {
	dir, env, requests := recordFiles(t)
	pipe, agent, test := filepath.Join(dir, "pipe"), filepath.Join(dir, "agent.gram"), filepath.Join(dir, "agent.test.gram")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(test, []byte(`{import: ["./agent.gram"]}

[noon:Test {recording: "./pipe"} | [:User {text: "What time is it?"}]]
`), 0o600); err != nil {
		t.Fatal(err)
	}
	lib, other := filepath.Join(dir, "local.gram"), filepath.Join(dir, "other.gram")
	if err := os.WriteFile(other, mustRead(t, lib), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"test", test}, "is no regular file"},
		{[]string{"test", "--update", test}, "is no regular file"},
		{[]string{"run", "--library", lib, "--replay", pipe, agent, "Hi"}, "is no regular file"},
		{[]string{"trace", pipe}, "is no regular file"},
		{[]string{"compare", "--cases", test, "--a", lib, "--b", other, "--results", pipe, agent}, "is no regular file"},
		{[]string{"run", "--library", lib, "--record", pipe, agent, "Hi"}, "nobody reads the named pipe"},
		{[]string{"run", "--library", lib, "--trace", pipe, agent, "Hi"}, "nobody reads the named pipe"},
	} {
		code, stdout, stderr := gramc("", env, tt.args...)
		if code == 0 || !strings.Contains(stdout+stderr, tt.want) || requests.Load() != 0 {
			t.Errorf("%v: exit %d, %q, %q, %d requests", tt.args, code, stdout, stderr, requests.Load())
		}
	}
	if code, _, stderr := gramc("", env, "compare", "--plan", "--cases", test, "--a", lib, "--b", other, "--results", pipe, agent); code != 0 {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

func TestUpdateReplacesOnlyRecordingsInTheProject(t *testing.T) {
	outside, env, requests := recordFiles(t)
	dir := filepath.Join(outside, "project")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"agent.gram", "local.gram"} {
		write(name, string(mustRead(t, filepath.Join(outside, name))))
	}
	write("other.gram", "[other]\n")
	write("old.jsonl", `{"gramc_recording":0}`+"\n")
	if err := os.Symlink(filepath.Join(outside, "new.jsonl"), filepath.Join(dir, "link.jsonl")); err != nil {
		t.Fatal(err)
	}
	test := filepath.Join(dir, "agent.test.gram")
	for _, tt := range []struct{ recording, want string }{
		{"../agent.gram", "lies outside of the project"},
		{"./../new.jsonl", "lies outside of the project"},
		{"./link.jsonl", "no such file"},
		{"./other.gram", "this is no recording, so --update does not replace it"},
		{"./old.jsonl", ""},
		{"./new.jsonl", ""},
		{"./new.jsonl", ""},
	} {
		write("agent.test.gram", fmt.Sprintf("{import: [\"./agent.gram\"]}\n\n[noon:Test {library: \"./local.gram\", recording: %q} | [:User {text: \"Hi\"}]]\n", tt.recording))
		before := requests.Load()
		code, stdout, stderr := gramc("", env, "test", "--update", test)
		if refused := tt.want != ""; !strings.Contains(stdout+stderr, tt.want) || (code != 0) != refused || (requests.Load() == before) != refused {
			t.Errorf("%s: exit %d, %q, %q, %d requests", tt.recording, code, stdout, stderr, requests.Load()-before)
		}
	}
	if text := string(mustRead(t, filepath.Join(dir, "other.gram"))); text != "[other]\n" {
		t.Errorf("the other file is %q", text)
	}
	if _, err := os.Lstat(filepath.Join(outside, "new.jsonl")); err == nil {
		t.Error("there is a file outside of the project")
	}
}
