package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInitMakesAProjectThatRuns makes a project, checks it as strictly as can be,
// and runs its agent.
func TestInitMakesAProjectThatRuns(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "project")
	code, stdout, stderr := gramc("", nil, "init", folder, "--name", "order desk", "--agents", "--vscode")
	if code != exitFine || stdout != "" {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	agent, library := filepath.Join(folder, "agent.gram"), filepath.Join(folder, "library.gram")
	for _, command := range [][]string{
		{"check", "--strict", "--strict-gram", "--environment", "--library", library, folder},
		{"fmt", "--check", folder},
		{"bind", agent, "--library", library},
		{"test", folder},
		{"run", "--offline", agent, "--library", library, `Calculate "2 + 3"`},
	} {
		if code, stdout, stderr := gramc("", nil, command...); code != exitFine || command[0] == "run" && !strings.Contains(stdout, `"result":5`) {
			t.Errorf("%v: exit code %d\n%s%s", command, code, stdout, stderr)
		}
	}
	_, _, stderr = gramc("", nil, "run", "--offline", agent, "hi")
	if want := "\n--library names a file that implements tools, such as " + library + "\n"; !strings.Contains(stderr, want) {
		t.Errorf("without the library:\n%s", stderr)
	}
	for name, want := range map[string]string{
		".gitignore": ".env\n", "AGENTS.md": guide(), ".vscode/settings.json": "{\n  \"gram.libraries\": [\"library.gram\"]\n}\n",
	} {
		if text, err := os.ReadFile(filepath.Join(folder, name)); err != nil || string(text) != want {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}

func TestInitOverwritesNothing(t *testing.T) {
	folder := t.TempDir()
	write := func(name string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(".gitignore")
	write("library.gram")
	var asked strings.Builder
	code, _, stderr := gramc("", nil, "init", folder)
	if code != exitUsage || !strings.Contains(stderr, "library.gram is there already; init overwrites nothing") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	p := &newProject{cli: newCLI(&stdio{in: strings.NewReader(""), out: io.Discard, err: &asked, lookup: os.LookupEnv}), folder: folder}
	if err := p.create(true); err == nil || asked.Len() > 0 {
		t.Errorf("it asks before it refuses: %v\n%s", err, &asked)
	}
	if files, _ := os.ReadDir(folder); len(files) != 2 {
		t.Errorf("%d files", len(files))
	}
	if err := os.Remove(filepath.Join(folder, "library.gram")); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := gramc("", nil, "init", folder); code != exitFine || !strings.Contains(stderr, "has a line .env") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if text, err := os.ReadFile(filepath.Join(folder, ".gitignore")); err != nil || string(text) != "mine" {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestInitRefusesWhatCheckRefuses(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--model", "no model"}, "error["},
		{[]string{"a", "b"}, "init takes one folder; there are 2"},
	} {
		folder := t.TempDir()
		t.Chdir(folder)
		if code, _, stderr := gramc("", nil, append([]string{"init"}, test.args...)...); code == exitFine || !strings.Contains(stderr, test.want) {
			t.Errorf("%v: exit code %d\n%s", test.args, code, stderr)
		}
		if files, _ := os.ReadDir(folder); len(files) > 0 {
			t.Errorf("%v: %d files", test.args, len(files))
		}
	}
}

func TestInitAsks(t *testing.T) {
	for _, test := range []struct {
		input, name, model string
	}{
		{"desk\nAnthropic/claude-sonnet-4-5\n", "desk", "Anthropic/claude-sonnet-4-5"},
		{"\n\n", "assistant", "OpenAI/gpt-5.4-mini"},
		{" desk ", "desk", "OpenAI/gpt-5.4-mini"},
		{"", "assistant", "OpenAI/gpt-5.4-mini"},
	} {
		p := &newProject{cli: newCLI(&stdio{in: strings.NewReader(test.input), out: io.Discard, err: io.Discard, lookup: os.LookupEnv}), folder: t.TempDir()}
		if err := p.create(true); err != nil {
			t.Errorf("%q: %v", test.input, err)
		}
		text, err := os.ReadFile(filepath.Join(p.folder, "agent.gram"))
		if !strings.Contains(string(text), "["+test.name+":Agent {") || !strings.Contains(string(text), `"`+test.model+`"`) {
			t.Errorf("%q: %v\n%s", test.input, err, text)
		}
	}
}

func TestInitLeavesNoFileThatIsNotWhole(t *testing.T) {
	name := filepath.Join(t.TempDir(), "agent.gram")
	if err := os.WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name) // which cannot be written
	if err != nil {
		t.Fatal(err)
	}
	if err := fillNew(file, "[a]"); err == nil {
		t.Error("there is no error")
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("the file is still there")
	}
}
