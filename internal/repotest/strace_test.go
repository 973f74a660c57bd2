//go:build linux

package repotest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/golden"
)

// quietProject is a project in which everything wants to be run: commands,
// servers, services and secrets stand in agent files, in imported ones and in
// libraries.
var quietProject = map[string]string{
	"agent.gram": `{import: ["./tools.gram", "./library.gram"]}

[clerk:Agent {instruction: "Use ` + "`x`" + ` and ` + "`getWeather`" + ` with ${HOME}.", model: "OpenAI/gpt-5.4-mini"} | x, getWeather,
  [read_file:Tool {description: "Reads"} | (path::Text)==>(::Text)]]

[own:Library | [x:Command {run: ["./attack"]}], [s:Mcp {command: ["./attack", "server"]}]]
`,
	"tools.gram": `[x:Tool {description: "Does x"} | (city::Text)==>(::Text)]
[getWeather:Tool {description: "Reports the weather"} | (city::Text)==>(::Text)]
[imported:Library | [x:Command {shell: "./attack"}]]
`,
	"library.gram": `{import: ["./tools.gram"]}

[local:Library |
  [x:Command {run: ["./attack", "{city}"], env: {KEY: "${SECRET}"}}],
  [getWeather:Http {url: "http://127.0.0.1:9/x?city={city}", headers: {Authorization: "Bearer ${SECRET}"}}],
  [files:Mcp {command: ["./attack", "server"]}],
  [far:Mcp {url: "http://127.0.0.1:9/mcp", prefix: "far_"}],
  [read_file:Builtin {root: ".."}]]
`,
	"escape.gram": `{import: ["../outside.gram"]}` + "\n",
	"old.gram":    `[clerk:Agent {instruction: "i", model: "OpenAI/gpt-5.4-mini"} | [x:Tool {description: "Does x"} | (city::Text)==>(::Text)]]` + "\n",
	"tools.json":  `{"tools": [{"name": "x", "description": "d", "inputSchema": {"$ref": "http://127.0.0.1:9/schema.json"}}, {"name": "y", "description": "d", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "file:///etc/passwd"}}}}]}`,
	".env":        "OPENAI_API_KEY=sk-none\nSECRET=none\nOPENAI_BASE_URL=http://127.0.0.1:9/\n",
}

// TestNothingIsRunOrReachedBeforeARun traces the system calls of the commands
// that only read: they start nothing, connect to nothing, and open no file
// outside of the project.
func TestNothingIsRunOrReachedBeforeARun(t *testing.T) {
	strace := golden.Needs(t, "strace", "-f", "-o", os.DevNull, "true")
	dir := t.TempDir()
	gramc, project := build(t), filepath.Join(dir, "outer", "project")
	if err := os.MkdirAll(filepath.Join(project, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"attack": "#!/bin/sh\ntouch attacked\n"}
	for name, text := range quietProject {
		files[name] = text
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	config := filepath.Join(dir, ".config", "gramc")
	own := `[work:Provider {address: "https://models.example.test/v1", key: "SECRET"}]`
	if err := os.MkdirAll(config, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "providers.gram"), []byte(own), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"check", "check agent.gram", "check --library library.gram agent.gram", "check --fix old.gram", "check escape.gram", "check --format sarif",
		"fmt --check agent.gram", "fmt library.gram tools.gram", "fmt old.gram", "parse agent.gram", "parse library.gram",
		"compile agent.gram", "compile library.gram", "compile old.gram -o old.json",
		"decompile old.json", "schema agent.gram", "schema old.json", "schema --target openai-strict tools.gram",
		"args --tool x tools.gram {}", "explain data-leak", "import tools.json", "import tools.json -o made.gram",
		"models", "diff old.gram agent.gram", "diff old.json old.gram", "language", "help", "version", "sessions", "sessions search x",
	} {
		t.Run(line, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			args := append([]string{"-f", "-qq", "-s", "4096", "-e", "trace=network,process,openat,open,openat2,creat", "-o", log, gramc}, strings.Fields(line)...)
			cmd := exec.Command(strace, args...)
			cmd.Dir, cmd.Env = project, []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "SECRET=none"}
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
				t.Errorf("%v\n%s", err, out)
			}
			trace, err := os.ReadFile(log)
			if err != nil {
				t.Fatal(err)
			}
			own := fmt.Sprintf("%q, O_RDONLY", gramc) // the package protobuf takes a hash of the program when it is initialised
			for _, fault := range faultsOf(strings.ReplaceAll(string(trace), own, `"/dev/null"`), project, config) {
				t.Error(fault)
			}
		})
	}
	if _, err := os.Stat(filepath.Join(project, "attacked")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a command was run")
	}
	if _, err := os.Stat(filepath.Join(dir, ".local")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("something was kept of commands that only read")
	}
}

var (
	networkCall = regexp.MustCompile(`\b(socket|connect|sendto|sendmsg|sendmmsg|bind|listen|accept4?)\(`)
	startCall   = regexp.MustCompile(`\b(execve|execveat|fork|vfork)\(`)
	openCall    = regexp.MustCompile(`\b(?:openat2?\((?:AT_FDCWD|\d+), |open\(|creat\()"((?:[^"\\]|\\.)*)"`)
	ofTheSystem = regexp.MustCompile(`^(/proc/|/sys/|/dev/null$|/etc/localtime$|/usr/share/zoneinfo/|/usr/lib/locale/)`)
)

// faultsOf returns the calls of a trace that should not be there. Files of the project and
// of the user's configuration may be opened.
func faultsOf(trace, project, config string) []string {
	var faults []string
	started := 0
	for call := range strings.Lines(trace) {
		if networkCall.MatchString(call) {
			faults = append(faults, "it uses the network: "+call)
		}
		if startCall.MatchString(call) {
			if started++; started > 1 {
				faults = append(faults, "it starts a program: "+call)
			}
		}
		m := openCall.FindStringSubmatch(call)
		if m == nil || ofTheSystem.MatchString(m[1]) {
			continue
		}
		file := m[1]
		if !filepath.IsAbs(file) {
			file = filepath.Join(project, file)
		}
		if file = filepath.Clean(file); file != project && !strings.HasPrefix(file, project+"/") && !strings.HasPrefix(file, config+"/") {
			faults = append(faults, "it opens a file outside of the project: "+call)
		}
	}
	if started == 0 {
		faults = append(faults, "the trace is empty")
	}
	return faults
}

func TestFaultsOfATraceAreSeen(t *testing.T) {
	const start = `1 execve("/gramc", ["gramc"], 0x1 /* 3 vars */) = 0` + "\n"
	for call, bad := range map[string]bool{
		`1 openat(AT_FDCWD, "agent.gram", O_RDONLY|O_CLOEXEC) = 3`:               false,
		`1 openat(AT_FDCWD, "/p/x/../agent.gram", O_RDONLY) = 3`:                 false,
		`1 openat(AT_FDCWD, "/proc/self/maps", O_RDONLY) = 3`:                    false,
		`1 openat(AT_FDCWD, "../x", O_RDONLY) = 3`:                               true,
		`1 openat(AT_FDCWD, "/home/.config/gramc/providers.gram", O_RDONLY) = 3`: false,
		`1 openat(AT_FDCWD, "/home/.config/other", O_RDONLY) = 3`:                true,
		`1 openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3`:                        true,
		`1 openat(AT_FDCWD, "/p/../p2/x", O_RDONLY) = -1 ENOENT`:                 true,
		`2 execve("./attack", ["./attack"], 0x1) = 0`:                            true,
		`2 connect(3, {sa_family=AF_INET}, 16) = 0`:                              true,
		`2 socket(AF_INET, SOCK_STREAM, 0) = 3`:                                  true,
	} {
		if got := faultsOf(start+call+"\n", "/p", "/home/.config/gramc"); (len(got) > 0) != bad {
			t.Errorf("%s: %q", call, got)
		}
	}
	if len(faultsOf("", "/p", "/c")) == 0 {
		t.Error("a trace of nothing passes")
	}
}
