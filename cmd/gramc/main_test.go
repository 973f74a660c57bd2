package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gram-lang/gramc/internal/golden"
	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/interp"
	gram "github.com/gram-lang/gramc/runtime"
)

func TestMain(m *testing.M) {
	if _, ok := os.LookupEnv("XDG_CONFIG_HOME"); !ok { // not that of whoever runs the tests
		os.Setenv("XDG_CONFIG_HOME", "/no-home/.config")
	}
	testscript.Main(m, map[string]func(){"gramc": main})
}

// TestScripts runs testdata/script/*.txtar. Besides the commands of testscript
// there are
//
//	exits CODE PROGRAM ARG...   like exec, for an exit code
//	stub SCRIPT [REQUESTS]      serve a model, see newStub; its URL is $STUB
//	sparse NAME SIZE            make a file of zeros
//
// and hello.gram is examples/hello.gram, $EXAMPLES the folder of the examples, $VERSION that of
// gramc. With -update, files in the scripts that cmp finds different are rewritten.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       golden.Updating(),
		Setup: func(e *testscript.Env) error {
			examples, err := os.ReadFile("../../examples/hello.gram")
			if err != nil {
				return err
			}
			e.Setenv("GORACE", "atexit_sleep_ms=0") // else each process of a -race build waits for a second
			folder, err := filepath.Abs("../../examples")
			if err != nil {
				return err
			}
			e.Setenv("EXAMPLES", folder)
			e.Setenv("VERSION", version())
			return os.WriteFile(e.WorkDir+"/hello.gram", examples, 0o666)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "stub": stubCommand, "sparse": sparse,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARG...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if want, err := strconv.Atoi(args[0]); err != nil || code != want {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

func stubCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: stub SCRIPT [REQUESTS]")
	}
	var log io.WriteCloser
	if len(args) > 1 {
		f, err := os.Create(ts.MkAbs(args[1]))
		ts.Check(err)
		log = f
	}
	s, err := newStub([]byte(ts.ReadFile(args[0])), log)
	ts.Check(err)
	ts.Defer(s.close)
	ts.Setenv("STUB", s.URL)
}

func sparse(ts *testscript.TestScript, _ bool, args []string) {
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), nil, 0o666))
	ts.Check(os.Truncate(ts.MkAbs(args[0]), size))
}

// gramc runs one command line in this process.
func gramc(stdin string, env map[string]string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	lookup := func(variable string) (string, bool) {
		value, ok := env[variable]
		return value, ok
	}
	code = run(args, &stdio{in: strings.NewReader(stdin), out: &out, err: &err, lookup: lookup})
	return code, out.String(), err.String()
}

func TestAPanicIsOneLineAndExitCode70(t *testing.T) {
	for debugging, wantStack := range map[string]bool{"": false, "1": true} {
		var stderr bytes.Buffer
		c := newCLI(&stdio{out: io.Discard, err: &stderr, lookup: func(string) (string, bool) { return debugging, true }})
		code := c.guard(func() int { panic("compile: no such type") })
		text := stderr.String()
		if code != exitInternal || !strings.HasPrefix(text, "error: internal error: compile: no such type; ") {
			t.Errorf("exit code %d and %q", code, text)
		}
		if strings.Contains(text, "goroutine") != wantStack {
			t.Errorf("GRAMC_DEBUG=%s shows\n%s", debugging, text)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputThatCannotBeWrittenIsToldOnce(t *testing.T) {
	for _, args := range [][]string{
		{"parse", "-e", "(a)"}, {"version"}, {"help"}, {"schema", "-e", "(a::Text)==>(::Text)"},
		{"parse", "-e", strings.Repeat("(a)", 10_000)}, {"args", "-e", "()==>(::Text)", "{}"},
		{"run", "--offline", "../../examples/hello.gram", "hi"},
	} {
		var stderr bytes.Buffer
		code := run(args, &stdio{in: strings.NewReader(""), out: brokenPipe{}, err: &stderr, lookup: os.LookupEnv})
		if code != exitUsage || strings.Count(stderr.String(), "standard output cannot be written: no space left") != 1 {
			t.Errorf("%q: exit code %d and %q", args[0], code, stderr.String())
		}
	}
}

func TestCtrlCEndsARunWithCode130(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no way to send Ctrl-C to one process")
	}
	s, err := newStub([]byte(`[{"hang":true}]`), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	cmd := exec.Command("gramc", "run", "--json", "--base-url", s.URL, "../../examples/hello.gram", "hi")
	cmd.Env = append(os.Environ(), "OPENAI_API_KEY=test")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-s.arrived
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("it ended with %v", err)
	}
	if want := `{"error":{"kind":"InterruptedError","message":"the run was interrupted"}}` + "\n"; stdout.String() != want {
		t.Errorf("it wrote %q, want %q", stdout.String(), want)
	}
}

func TestNobodyWaitsForAPersonToTypeAFile(t *testing.T) {
	person, err := os.Open(os.DevNull) // a device, as a terminal is
	if err != nil {
		t.Fatal(err)
	}
	defer person.Close()
	for _, command := range []string{"parse", "compile", "schema"} {
		var stderr bytes.Buffer
		code := run([]string{command}, &stdio{in: person, out: io.Discard, err: &stderr, lookup: os.LookupEnv})
		if code != exitUsage || !strings.HasPrefix(stderr.String(), `error: no file is named; "-" reads standard input`) {
			t.Errorf("%s: exit code %d and %q", command, code, stderr.String())
		}
	}
}

func TestExamplesHaveNoMistakes(t *testing.T) {
	files, err := filepath.Glob("../../examples/*.gram")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	for _, file := range files {
		if code, _, stderr := gramc("", nil, "compile", "--strict", "--strict-gram", file); code != exitFine || stderr != "" {
			t.Errorf("%s: exit code %d\n%s", file, code, stderr)
		}
	}
}

func TestFlagsOfRunReachTheLoop(t *testing.T) {
	r := newRunner(newCLI(&stdio{out: io.Discard, err: io.Discard, lookup: os.LookupEnv}))
	r.agent = &interp.Agent{}
	cmd := &cobra.Command{}
	r.agent = &interp.Agent{}
	r.addFlags(cmd)
	if diff := cmp.Diff(&interp.Options{ToolTimeout: 10 * time.Second, Parallel: 8}, r.options()); diff != "" {
		t.Error(diff)
	}
	if err := cmd.ParseFlags([]string{"--max-turns=3", "--tool-timeout=5ms", "--bind=name", "--fail-on-tool-error", "--parallel=2"}); err != nil {
		t.Fatal(err)
	}
	want := &interp.Options{MaxTurns: 3, ToolTimeout: 5 * time.Millisecond, Bind: gram.BindName, FailOnToolError: true, Parallel: 2}
	if diff := cmp.Diff(want, r.options()); diff != "" {
		t.Error(diff)
	}
}
