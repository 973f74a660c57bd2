package host_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
)

// libraries compiles a library file of that name.
func libraries(t *testing.T, name, text string) []*library.Library {
	t.Helper()
	f, problems := grammar.Parse(name, text)
	list, more := compile.Libraries(f, nil)
	if err := errors.Join(problems.Err(), more.Err()); err != nil {
		t.Fatal(err)
	}
	return list
}

func environment(pairs map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := pairs[name]
		return value, ok
	}
}

// call binds a tool to a contract that takes any text arguments, and calls it.
func call(t *testing.T, set *host.Set, name, args string) (string, error) {
	t.Helper()
	var values map[string]string
	if err := json.Unmarshal([]byte(args), &values); err != nil {
		t.Fatal(err)
	}
	properties := map[string]map[string]string{}
	required := []string{}
	for key := range values {
		properties[key] = map[string]string{"type": "string"}
		required = append(required, key)
	}
	schema, err := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required})
	if err != nil {
		t.Fatal(err)
	}
	tools, err := set.Library().Bind([]runtime.Contract{{Name: name, Description: "d", Input: schema}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	result, err := tools[0].Invoke(t.Context(), json.RawMessage(args), 0)
	return string(result), err
}

func open(t *testing.T, o *host.Options, list ...*library.Library) *host.Set {
	t.Helper()
	set, err := host.Open(t.Context(), list, o)
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

func TestEachKindOfEntryWorks(t *testing.T) {
	golden.Needs(t, "sleep")
	weather := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		if r.URL.Query().Get("city") != "Köln & {x}" || r.URL.Query().Get("key") != "k{e}y-12345" || r.Header.Get("Authorization") != "Bearer k{e}y-12345" {
			w.WriteHeader(http.StatusTeapot)
		}
		_, _ = w.Write([]byte("rain, " + r.Header.Get("Authorization")))
	}))
	defer weather.Close()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "data", "a.txt"), "notes")
	address := strings.TrimPrefix(weather.URL, "http://")
	list := libraries(t, filepath.Join(dir, "lib.gram"), `[local:Library |
	  [echo:Command {shell: "cat; printf %s \"$KEY\"", env: {KEY: "${KEY}"}}],
	  [weather:Http {url: "`+weather.URL+`/?key=${KEY}&city={city}", headers: {Authorization: "Bearer ${KEY}"}, allowHosts: ["`+address+`"]}],
	  [read_file:Builtin {root: "./data"}],
	  [count:Builtin {builtin: calculator}]]`)
	set := open(t, &host.Options{LookupEnv: environment(map[string]string{"KEY": "k{e}y-12345"})}, list...)
	if names := set.Names(); !slices.Equal(names, []string{"count", "echo", "read_file", "weather"}) {
		t.Errorf("there is %v", names)
	}
	for _, tt := range []struct{ tool, args, want string }{
		{"echo", `{"x":"1"}`, `"{\"x\":\"1\"}${KEY}"`},
		{"weather", `{"city":"Köln & {x}"}`, `"rain, Bearer ${KEY}"`},
		{"read_file", `{"path":"a.txt"}`, `{"content":"notes","size":5}`},
		{"count", `{"expression":"1/3*3"}`, `{"result":1}`},
	} {
		got, err := call(t, set, tt.tool, tt.args)
		if err != nil || got != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.tool, got, err, tt.want)
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	if err == nil {
		err = os.WriteFile(name, []byte(text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestLaterLibrariesReplaceEarlierOnes(t *testing.T) {
	first := libraries(t, "a.gram", `[a:Library | [x:Command {shell: "echo a ${SHELL_IS_TEXT}"}], [y:Command {run: ["true"], env: {V: "${UNSET}"}}]]`)
	second := libraries(t, "b.gram", `[b:Library {timeout: 3s, approve: ask} | [y:Command {shell: "echo b", parallel: true}], [z:Command {shell: "echo z", timeout: 1s, approve: allow} | (:Deny {n: "1*"})]]`)
	set := open(t, &host.Options{LookupEnv: environment(nil)}, append(first, second...)...)
	if got, err := call(t, set, "y", `{}`); got != `"b"` || err != nil {
		t.Errorf("y is %s, %v", got, err)
	}
	origin, _ := set.Origin("y")
	if origin.Library.Name != "b" || origin.Entry.Name != "y" {
		t.Errorf("y comes from %+v", origin)
	}
	y, _ := set.Library().Lookup("y")
	if y.Config().Timeout != 3*time.Second || y.Config().Approval.Default != runtime.Ask {
		t.Errorf("y has the timeout %v and the approval %+v", y.Config().Timeout, y.Config().Approval)
	}
	z, _ := set.Library().Lookup("z")
	if !y.Config().Concurrent || z.Config().Concurrent {
		t.Errorf("side by side: y %v, z %v", y.Config().Concurrent, z.Config().Concurrent)
	}
	approval := z.Config().Approval
	if z.Config().Timeout != time.Second || approval.Default != runtime.Allow || approval.Decide(json.RawMessage(`{"n":"12"}`)) != runtime.Deny {
		t.Errorf("z has the timeout %v and the approval %+v", z.Config().Timeout, approval)
	}
}

func TestOnlyWhatIsNeededIsOpened(t *testing.T) {
	list := libraries(t, "lib.gram", `[local:Library |
	  [x:Command {shell: "echo x"}],
	  [y:Command {run: ["no-such-program-at-all"], env: {V: "${UNSET}"}}],
	  [files:Mcp {command: ["no-such-program-at-all"], allow: ["read"], prefix: "f_"}],
	  [more:Mcp {command: ["no-such-program-at-all"], prefix: "m_"}]]`)
	none := environment(nil)
	set := open(t, &host.Options{Need: []string{"x", "read", "f_write"}, LookupEnv: none}, list...)
	if got := set.Names(); !slices.Equal(got, []string{"x"}) {
		t.Errorf("opened %v", got)
	}
	for need, want := range map[string]string{
		"y":      `Command "y": the environment variable UNSET is not set`,
		"f_read": `no-such-program-at-all`,
		"m_any":  `no-such-program-at-all`,
	} {
		_, err := host.Open(t.Context(), list, &host.Options{Need: []string{need}, LookupEnv: none})
		var entry *host.EntryError
		if !errors.As(err, &entry) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", need, err, want)
		}
	}
}

func TestErrorsOfAllEntriesAreTold(t *testing.T) {
	list := libraries(t, "lib.gram", `[local:Library |
	  [a:Command {run: ["true"], env: {V: "${ONE}", W: "${TWO}"}}],
	  [read_file:Builtin {root: "./no/such/folder"}]]`)
	_, err := host.Open(t.Context(), list, &host.Options{LookupEnv: environment(nil)})
	for _, want := range []string{`Command "a": the environment variables ONE, TWO are not set`, `Builtin "read_file": `} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %q", err, want)
		}
	}
}
