//go:build unix

package command_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/process"
	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/internal/tools/command"
	"github.com/gram-lang/gramc/runtime"
)

var (
	city  = json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}`)
	text  = json.RawMessage(`{"type":"string"}`)
	count = json.RawMessage(`{"type":"integer"}`)
)

// bind makes a tool of a command and binds it to a contract.
func bind(t *testing.T, c command.Config, output json.RawMessage) (runtime.Tool, error) {
	t.Helper()
	c.Name = "weather"
	tool, err := command.New(c)
	if err != nil {
		return tool, err
	}
	lib, err := runtime.Library{}.Add("weather", tool)
	if err != nil {
		t.Fatal(err)
	}
	contract := runtime.Contract{Name: "weather", Description: "Tells the weather", Input: city, Output: output}
	if len(c.Input) > 0 {
		contract.Description = c.Description
	}
	tools, err := lib.Bind([]runtime.Contract{contract}, nil)
	if err != nil {
		return tool, err
	}
	return tools[0].Tool, nil
}

// program makes a command of a program and its arguments.
func program(base string, line ...string) command.Config {
	c := command.Config{Program: line[0], Base: base}
	for _, argument := range line[1:] {
		parts, _, _ := template.Parse(argument, true)
		c.Arguments = append(c.Arguments, parts)
	}
	return c
}

func call(t *testing.T, c command.Config, output json.RawMessage, args string) string {
	t.Helper()
	tool, err := bind(t, c, output)
	if err != nil {
		return "not bound: " + err.Error()
	}
	result, err := tool.Invoke(t.Context(), json.RawMessage(args), 5*time.Second)
	if err != nil {
		return "error: " + err.Error()
	}
	return string(result)
}

func TestCalls(t *testing.T) {
	golden.Needs(t, "sleep")
	folder := t.TempDir()
	write := func(name, script string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("say", `cat; echo; echo "$#:$1|$2|$3"`)
	write("args", `for a in "$@"; do printf '[%s]' "$a"; done`)
	write("where", `pwd -P`)
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		t.Fatal(err)
	}
	run := func(line ...string) command.Config { return program(folder, line...) }
	shell := func(line string) command.Config { return command.Config{Shell: line, Base: folder} }
	paris := `{"city":"Paris","days":3}`
	for _, tt := range []struct {
		name   string
		c      command.Config
		output json.RawMessage
		args   string
		want   string
	}{
		{"input on stdin", run("./say"), text, `{"city": "Paris"}`, `"{\"city\": \"Paris\"}\n0:||"`},
		{"values in arguments", run("./args", "--city={city}", "{days}", "{{{city}}}"), text, paris, `"[--city=Paris][3][{Paris}]"`},
		{"nothing given", run("./args", "--days={days}", "{days}"), text, `{"city":"x"}`, `"[--days=][]"`},
		{"no shell", run("./args", "{city}"), text, `{"city":"$(id); * | x > y"}`, `"[$(id); * | x > y]"`},
		{"one argument", run("./args", "{city}"), text, `{"city":"a b\nc"}`, `"[a b\nc]"`},
		{"an option", run("./args", "{city}"), text, `{"city":"--output=/etc/passwd"}`,
			"error: the value of city starts with a hyphen, and the program could take it for an option"},
		{"an option made of nothing", run("./args", "{city}-x"), text, `{"city":""}`,
			"error: the value of city starts with a hyphen, and the program could take it for an option"},
		{"no option", run("./args", "--", "{city}"), text, `{"city":"-x"}`, `"[--][-x]"`},
		{"text behind a name", run("./args", "-c{city}"), text, `{"city":"-x"}`, `"[-c-x]"`},
		{"a hyphen before the value", run("./args", "-", "{city}"), text, `{"city":"-x"}`,
			"error: the value of city starts with a hyphen, and the program could take it for an option"},
		{"a zero byte", run("./args", "{city}"), text, `{"city":"a\u0000b"}`, `error: the argument "{city}" would hold a zero byte`},
		{"unknown parameter", run("./args", "{town}"), text, paris,
			`not bound: tool "weather": schema-mismatch: the argument "{town}" names "town", which is no parameter; write {{ and }} for braces that are meant as such`},
		{"program not there", run("./none"), text, paris,
			`not bound: tool "weather": missing-environment: the program "./none" is not there: no file ` + folder + `/none`},
		{"program not in PATH", run("gramc-no-such-program"), text, paris,
			`not bound: tool "weather": missing-environment: the program "gramc-no-such-program" is not in the folders of PATH`},
		{"folder", run("./where"), text, paris, `"` + real + `"`},
		{"another folder", command.Config{Program: "./where", Base: folder, Dir: "/"}, text, paris, `"/"`},
		{"environment", command.Config{Shell: `echo "$KEY"`, Env: []string{"KEY=k"}}, text, paris, `"k"`},
		{"text of several lines", shell(`printf 'a\n\nb\n\n'`), text, paris, `"a\n\nb"`},
		{"text that looks like JSON", shell("echo 007; echo '\"x\"'"), text, paris, `"007\n\"x\""`},
		{"a number as text", shell("echo 42"), text, paris, `"42"`},
		{"a number as such", shell("echo 42"), count, paris, `42`},
		{"anything", shell("echo 42"), nil, paris, `"42"`},
		{"anything as JSON", command.Config{Shell: "echo 42", Format: command.JSON}, nil, paris, `42`},
		{"no JSON", shell(`printf 'forty-\033two'`), count, paris, `error: the command "weather" wrote no JSON to stdout, but "forty-\x1btwo"`},
		{"nothing", shell("true"), count, paris, `error: the command "weather" wrote nothing to stdout; JSON is expected`},
		{"nothing is a text", shell("true"), text, paris, `""`},
		{"the wrong JSON", shell("echo '{}'"), count, paris, "error: invalid result: expected an integer, found an object"},
		{"a byte order mark", shell(`printf '\357\273\277 7 '`), count, paris, `7`},
		{"not UTF-8", shell(`printf 'a\377b'`), text, paris, `"a\ufffdb"`},
		{"failure", shell("echo no such city >&2; exit 2"), text, paris, `error: the command "weather" ended with exit code 2: no such city`},
		{"too much", shell("yes"), text, paris, `error: the command "weather" wrote more than 1048576 bytes to stdout and was stopped`},
		{"a parameter in a shell line", shell("echo {city}"), text, paris,
			`not bound: tool "weather": schema-mismatch: the shell line names {city}, and what a model writes would be run as code; read it from stdin, or use run`},
		{"a variable of the shell", shell("city=$(wc -c); echo ${city}{other}"), text, `{"city":""}`, `"11{other}"`},
		{"missing value", run("./args", "{city}"), text, `{}`, `error: invalid arguments: /city: missing required field "city"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := call(t, tt.c, tt.output, tt.args)
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestTheCallKeyIsInTheEnvironment(t *testing.T) {
	keyed := runtime.WithCallKey(t.Context(), "run/3/call_1")
	for _, tt := range []struct {
		ctx  context.Context
		env  []string
		want string
	}{{t.Context(), nil, `"unset"`}, {keyed, nil, `"run/3/call_1"`}, {keyed, []string{"GRAMC_CALL_KEY=own"}, `"own"`}, {t.Context(), nil, `"unset"`}} {
		tool, err := bind(t, command.Config{Shell: `echo "${GRAMC_CALL_KEY-unset}"`, Base: t.TempDir(), Env: tt.env}, text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tool.Invoke(tt.ctx, json.RawMessage(`{"city":"x"}`), 5*time.Second); err != nil || string(got) != tt.want {
			t.Errorf("%s, %v; want %s", got, err, tt.want)
		}
	}
}

func TestConfigsThatAreWrong(t *testing.T) {
	for _, tt := range []struct {
		c    command.Config
		want string
	}{
		{command.Config{Program: "a", Arguments: program("", "a", "{town}").Arguments, Input: city, Description: "d"}, `the argument "{town}" names "town", which is no parameter; write {{ and }} for braces that are meant as such`},
	} {
		tt.c.Name = "weather"
		if _, err := command.New(tt.c); err == nil || err.Error() != `command "weather": `+tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
}

func TestACommandWithASignatureOfItsOwn(t *testing.T) {
	c := command.Config{Description: "Counts", Input: city, Output: count, Shell: "echo 5"}
	if got := call(t, c, nil, `{"city":"x"}`); got != "5" {
		t.Errorf("got %s", got)
	}
	c.Shell = "echo five"
	if got := call(t, c, nil, `{"city":"x"}`); !strings.Contains(got, `no JSON to stdout, but "five`) {
		t.Errorf("got %s", got)
	}
}

func TestTheTimeoutEndsTheGroup(t *testing.T) {
	file := filepath.Join(t.TempDir(), "alive")
	running := process.NewSet()
	tool, err := bind(t, command.Config{
		Shell:   `(while :; do echo x >> "$FILE"; sleep 0.02; done) & wait`,
		Env:     []string{"FILE=" + file},
		Running: running,
	}, text)
	if err != nil {
		t.Fatal(err)
	}
	_, err = tool.Invoke(context.Background(), json.RawMessage(`{"city":"x"}`), 200*time.Millisecond)
	var failed *runtime.ToolError
	if !errors.As(err, &failed) || failed.Kind != runtime.ToolTimeout || failed.Message != "timed out after 200ms; whether the call had an effect is unknown" {
		t.Errorf("got %v", err)
	}
	running.Close()
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	if after, _ := os.ReadFile(file); len(after) != len(before) {
		t.Error("the grandchild still writes")
	}
}

func TestTheEndOfTheSetEndsTheCall(t *testing.T) {
	golden.Needs(t, "sleep")
	running := process.NewSet()
	tool, err := bind(t, command.Config{Shell: "echo >&2; sleep 100", Running: running}, text)
	if err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	go func() {
		_, err := tool.Invoke(context.Background(), json.RawMessage(`{"city":"x"}`), time.Minute)
		failed <- err
	}()
	time.Sleep(100 * time.Millisecond)
	running.Close()
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "canceled") && !strings.Contains(err.Error(), "no program is started any more") {
		t.Errorf("got %v", err)
	}
}

func FuzzArguments(f *testing.F) {
	f.Add("{city}", "-x")
	f.Add("a{{b}}{city}", "x")
	f.Add("{city}{city}", "")
	f.Fuzz(func(t *testing.T, argument, value string) {
		tool, err := bind(t, program("", "printf", "[%s]", argument), text)
		if err != nil {
			return
		}
		args, err := json.Marshal(map[string]string{"city": value})
		if err != nil {
			return
		}
		result, err := tool.Invoke(t.Context(), args, 0)
		var out string
		if err != nil || json.Unmarshal(result, &out) != nil {
			return
		}
		if strings.HasPrefix(argument, "{city}") && strings.HasPrefix(out, "[-") {
			t.Errorf("%q with %q became %s", argument, value, out)
		}
	})
}
