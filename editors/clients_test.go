// Package editors_test lets real language clients drive the server: Neovim's
// own, and the packages that VS Code's is made of.
package editors_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/golden"
)

// command returns a command that ends with its test.
func command(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second
	return cmd
}

// bin is a folder for the commands of the project, which are built once.
var bin string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "gram-editors-")
	if err != nil {
		panic(err)
	}
	bin = folder
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// build builds a command of the project.
func build(t *testing.T, name string) string {
	t.Helper()
	program := filepath.Join(bin, name)
	if _, err := os.Stat(program); err == nil {
		return program
	}
	if out, err := command(t, "go", "build", "-ldflags=-s -w", "-o", program, "../cmd/"+name).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// workspace writes the files that the clients work on.
func workspace(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	long := golden.Read(t, filepath.Join("..", "examples", "support", "tools.gram")) +
		golden.Read(t, filepath.Join("..", "examples", "support", "types.gram"))
	for name, text := range map[string]string{
		"clerk.gram": "{import: [\"./tools.gram\"]}\n\n" +
			"[clerk:Agent {instruction: \"Use `weather` 😀.\", model: \"OpenAI/gpt-5.4-mini\"} | weather]\n",
		"tools.gram":    "[weather:Tool {description: \"Says what the sky does 😀\"} | (city::Text)==>(::Text)]\n",
		"ugly.gram":     "[ ugly:Tool{description:\"😀\"}|(a::Text)==>(::Text) ]\n",
		"formatted.txt": "[ugly:Tool {description: \"😀\"} | (a::Text)==>(::Text)]\n",
		"long.gram":     long,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// How much each client edits.
const (
	seeds = "5"
	edits = "2000" // per seed
)

var checkLine = regexp.MustCompile(`(?m)^(ok|FAIL) ([a-z0-9 ]+)(?:: |$)`)

// all are the checks of a client that is tested at length.
var all = []string{
	"completion", "lenses", "diagnostics", "rename", "diagnostics after renaming", "formatting", "formatting again",
	"seed 1", "seed 2", "seed 3", "seed 4", "seed 5", "exit",
}

// drive runs a client, and reads what it says of its checks.
func drive(t *testing.T, cmd *exec.Cmd, checks ...string) {
	t.Helper()
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, errors.Bytes())
	}
	var done []string
	for _, m := range checkLine.FindAllStringSubmatch(string(out), -1) {
		if m[1] == "FAIL" {
			t.Errorf("%s fails:\n%s", m[2], out)
		}
		done = append(done, m[2])
	}
	for _, want := range checks {
		if !slices.Contains(done, want) {
			t.Errorf("%s was not checked:\n%s", want, out)
		}
	}
	if strings.Contains(errors.String(), "internal error") {
		t.Errorf("the server stumbled:\n%s", errors.Bytes())
	}
}

func TestNeovimDrivesTheServer(t *testing.T) {
	golden.Needs(t, "nvim")
	plugin, err := filepath.Abs("nvim")
	if err != nil {
		t.Fatal(err)
	}
	folder := workspace(t)
	cmd := command(t, "nvim", "--headless", "--clean", "--cmd", "set runtimepath^="+plugin, "-S", filepath.Join(plugin, "test", "drive.lua"))
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "GRAM_SERVER="+build(t, "gram-lsp"), "GRAM_FOLDER="+folder, "GRAM_SEEDS="+seeds, "GRAM_EDITS="+edits,
		"XDG_STATE_HOME="+t.TempDir(), "XDG_CACHE_HOME="+t.TempDir())
	drive(t, cmd, append([]string{"root", "omnifunc", "tagfunc", "command of a completion"}, all...)...)
}

// needsPackages skips a test without node or the packages of vscode.
func needsPackages(t *testing.T) {
	t.Helper()
	golden.Needs(t, "node")
	if _, err := os.Stat("vscode/node_modules"); err != nil {
		golden.Missing(t, "node", err)
	}
}

func TestPackagesOfVSCodeDriveTheServer(t *testing.T) {
	needsPackages(t)
	drive(t, command(t, "node", "vscode/scripts/drive.js", build(t, "gram-lsp"), workspace(t), seeds, edits), all...)
}

// TestVSCodeExtension runs the extension's own tests. With -update they take
// over the colours as they are, and fail.
func TestVSCodeExtension(t *testing.T) {
	needsPackages(t)
	cmd := command(t, "node", "--test", "test/")
	cmd.Dir = "vscode"
	cmd.Env = append(os.Environ(), "GRAMC="+build(t, "gramc"))
	if golden.Updating() {
		cmd.Env = append(cmd.Env, "UPDATE=1")
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestEmacsDrivesTheServer(t *testing.T) {
	golden.Needs(t, "emacs", "-q", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))")
	cmd := command(t, "emacs", "-q", "--batch", "-L", "emacs", "-l", "emacs/test/drive.el")
	cmd.Env = append(os.Environ(), "GRAM_SERVER="+build(t, "gram-lsp"), "GRAM_FOLDER="+workspace(t))
	drive(t, cmd, "colours", "connected", "definition", "rename", "formatting", "diagnostics", "completion")
}
