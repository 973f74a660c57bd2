package toolset_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/toolset"
)

// libraries compiles library files of those texts, each in a folder of its own
// below the one given.
func libraries(t *testing.T, folder string, texts ...string) []*compile.Library {
	t.Helper()
	var all []*compile.Library
	for i, text := range texts {
		name := filepath.Join(folder, string(rune('a'+i)), "lib.gram")
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		file, problems := grammar.Parse(name, text)
		compiled, more := compile.Libraries(file, nil)
		if problems = append(problems, more...); problems.HasErrors() {
			t.Fatal(problems.Err())
		}
		all = append(all, compiled...)
	}
	return all
}

// env returns what looks variables up in a map.
func env(variables map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, set := variables[name]
		return value, set
	}
}

func open(t *testing.T, o *toolset.Options, texts ...string) *toolset.Set {
	t.Helper()
	set, err := toolset.Open(t.Context(), libraries(t, t.TempDir(), texts...), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	})
	return set
}

const anyArguments = `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`

// bound binds a tool to a contract with an argument path.
func bound(t *testing.T, set *toolset.Set, name string) runtime.Tool {
	t.Helper()
	tools, err := set.Library().Bind([]runtime.Contract{{Name: name, Description: "d", Input: json.RawMessage(anyArguments)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tools[0]
}

func TestALaterLibraryReplacesByName(t *testing.T) {
	texts := []string{
		`[first:Library | [a:Command {run: ["one", "${UNSET}"]}], [b:Builtin {builtin: calculator}]]`,
		`[second:Library | [a:Builtin {builtin: current_time}], [sayHello:Builtin]]`,
	}
	set := open(t, &toolset.Options{LookupEnv: env(nil)}, texts...) // what is replaced is not opened
	for name, want := range map[string]string{"a": "second", "b": "first", "sayHello": "second"} {
		if o, found := set.Origin(name); !found || o.Library.Name != want || o.Entry.Name != name {
			t.Errorf("%s is of %+v", name, o)
		}
	}
	if names := set.Names(); !slices.Equal(names, []string{"a", "b", "sayHello"}) {
		t.Errorf("%q", names)
	}
	if _, found := set.Origin("nosuch"); found {
		t.Error("a tool that nobody has comes from somewhere")
	}
}

func TestOnlyWhatIsNeededIsOpened(t *testing.T) {
	const text = `[l:Library | [a:Builtin {builtin: calculator}], [b:Command {run: ["${UNSET}"]}],
		[s:Mcp {command: ["gramc-no-such-server"], allow: ["x"], prefix: "s_"}],
		[t:Mcp {command: ["gramc-no-such-server"], prefix: "t_"}]]`
	set := open(t, &toolset.Options{LookupEnv: env(nil), Need: []string{"a", "x", "nosuch"}}, text)
	if names := set.Names(); !slices.Equal(names, []string{"a"}) {
		t.Errorf("%q", names)
	}
	for _, need := range []string{"b", "s_x", "t_anything"} {
		if _, err := toolset.Open(t.Context(), libraries(t, t.TempDir(), text), &toolset.Options{LookupEnv: env(nil), Need: []string{need}}); err == nil {
			t.Errorf("%s is needed, and nothing is opened for it", need)
		}
	}
}

func TestEveryEntryThatCannotBeOpenedIsTold(t *testing.T) {
	const text = `[l:Library | [a:Command {run: ["x", "${ONE}"], env: {A: "${TWO}"}}], [b:Mcp {command: ["gramc-no-such-server", "${KEY}"]}],
		[c:Http {url: "${BASE}/x"}], [d:Builtin {builtin: read_file, root: "nosuch-folder"}]]`
	set, err := toolset.Open(t.Context(), libraries(t, t.TempDir(), text),
		&toolset.Options{LookupEnv: env(map[string]string{"KEY": "secret-key", "BASE": "ftp://secret-key", "ONE": ""})})
	if set != nil || err == nil {
		t.Fatal("it is open")
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || len(joined.Unwrap()) == 0 {
		t.Fatalf("%T", err)
	}
	for _, want := range []string{
		`Command "a": the environment variables TWO, ONE are not set`, `Mcp "b": the program "gramc-no-such-server"`, `Http "c": `, `Builtin "d": `,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in\n%v", want, err)
		}
	}
	var entry *toolset.EntryError
	if !errors.As(err, &entry) || entry.Entry.Name != "a" || entry.Entry.Place.Line != 1 {
		t.Errorf("%+v", entry)
	}
	if strings.Contains(err.Error(), "secret-key") {
		t.Errorf("a secret is told: %v", err)
	}
}

func TestEntriesSettleTheirTools(t *testing.T) {
	set := open(t, nil, `[l:Library {timeout: 3s} |
		[a:Builtin {builtin: calculator}], [b:Builtin {builtin: calculator, timeout: 20ms, retryable: false, approve: deny}],
		[w:Builtin {builtin: write_file, root: "."} | (:Allow {path: "drafts/*"}), (:Deny {path: "*.env"})]]`,
		`[m:Library {approve: ask} | [c:Builtin {builtin: calculator}], [e:Builtin {builtin: calculator, approve: allow}]]`)
	for name, want := range map[string]struct {
		timeout  time.Duration
		retry    bool
		approval runtime.Decision
	}{
		"a": {3 * time.Second, true, ""}, "b": {20 * time.Millisecond, false, runtime.Deny},
		"w": {3 * time.Second, true, runtime.Ask}, "c": {0, true, runtime.Ask}, "e": {0, true, runtime.Allow},
	} {
		tool, _ := set.Library().Lookup(name)
		if c := tool.Config(); c.Timeout != want.timeout || c.NoRetry == want.retry || c.Approval.Default != want.approval {
			t.Errorf("%s: %v, %v, %q", name, c.Timeout, c.NoRetry, c.Approval.Default)
		}
	}
	w, _ := set.Library().Lookup("w")
	for args, want := range map[string]runtime.Decision{
		`{"path":"drafts/a"}`: runtime.Allow, `{"path":"drafts/.env"}`: runtime.Allow, `{"path":"x.env"}`: runtime.Deny, `{"path":"x"}`: runtime.Ask,
	} {
		if got := w.Config().Approval.Decide(json.RawMessage(args)); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
}

func TestPathsStartAtTheLibrary(t *testing.T) {
	folder := t.TempDir()
	all := libraries(t, folder, `[l:Library | [r:Builtin {builtin: read_file, root: "data"}], [s:Builtin {builtin: read_file, root: "${ROOT}"}]]`)
	for _, name := range []string{"a/data", "outside"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name, "f"), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	set, err := toolset.Open(t.Context(), all, &toolset.Options{LookupEnv: env(map[string]string{"ROOT": filepath.Join(folder, "outside")})})
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	for tool, want := range map[string]string{"r": "a/data", "s": "outside"} {
		got, err := bound(t, set, tool).Invoke(t.Context(), json.RawMessage(`{"path":"f"}`), time.Second)
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: %s, %v", tool, got, err)
		}
	}
}

func TestSecretsAreFoundInEverySpelling(t *testing.T) {
	const key = `k"e y/ü+`
	set := open(t, &toolset.Options{LookupEnv: env(map[string]string{"KEY": key, "LONGER": key + " more", "SHORT": "k"})},
		`[l:Library | [a:Command {run: ["x"], env: {K: "${KEY}", L: "${LONGER}", S: "${SHORT}"}}]]`)
	for given, want := range map[string]string{
		"<" + key + ">":          "<${KEY}>",
		"<" + key + " more>":     "<${LONGER}>",
		"<" + key + "\n more>":   "<${KEY}\n more>",
		`{"a":"k\"e y/ü+"}`:      `{"a":"${KEY}"}`,
		`{"a":"k\"e y/\u00fc+"}`: `{"a":"k\"e y/\u00fc+"}`, // which no writer of JSON here makes
		"?q=k%22e+y%2F%C3%BC%2B": "?q=${KEY}",
		"/k%22e%20y%2F%C3%BC+":   "/${KEY}",
		"Basic ayJlIHkvw7wr":     "Basic ${KEY}",
		"k / k":                  "k / k",
	} {
		if got := set.Redact(given); got != want {
			t.Errorf("%q became %q, want %q", given, got, want)
		}
	}
}
