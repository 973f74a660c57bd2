package host_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

// echoServer returns an Mcp entry of which the server has the tools tell and
// fail.
func echoServer(properties string) string {
	return fmt.Sprintf(`[s:Mcp {command: [%s, "raw"], env: {GORACE: "atexit_sleep_ms=0", GRAMC_TEST_PART: "serve", VALUE: "value"}%s}]`, strconv.Quote(os.Args[0]), properties)
}

func TestAServerTakesTheNameOfNoOtherTool(t *testing.T) {
	const own = `[tell:Command {run: ["true"]}]`
	for _, tt := range []struct{ properties, want string }{
		{``, `the Command "tell" of an earlier library has this name`},
		{`, allow: ["tell"]`, ""},
		{`, replaces: true`, ""},
		{`, prefix: "s_"`, ""},
	} {
		list := append(libraries(t, "own.gram", `[own:Library | `+own+`]`), libraries(t, "server.gram", `[server:Library | `+echoServer(tt.properties)+`]`)...)
		set, err := tryOpen(t, nil, list...)
		if err != nil {
			t.Fatal(err)
		}
		refused := ""
		for _, r := range set.Refused() {
			refused += r.Tool + ": " + r.Reason
		}
		o, _ := set.Origin("tell")
		servers := o.Entry.Name == "s"
		if keeps := tt.want != "" || strings.Contains(tt.properties, "prefix"); servers == keeps || !strings.Contains(refused, tt.want) || tt.want == "" && refused != "" {
			t.Errorf("%s: %q; the tool is that of the server: %v", tt.properties, refused, servers)
		}
	}
	// What comes with gramc is not replaced either.
	list := libraries(t, "server.gram", `[server:Library | `+strings.Replace(echoServer(`, prefix: "say"`), `"raw"`, `"hello"`, 1)+`]`)
	set, err := tryOpen(t, nil, list...)
	if err != nil {
		t.Fatal(err)
	}
	if o, _ := set.Origin("sayHello"); o.Entry != nil || len(set.Refused()) != 1 {
		t.Errorf("sayHello comes from %v; refused %v", o.Entry, set.Refused())
	}
}

func TestTheNameOfAToolTellsNoSecret(t *testing.T) {
	entry := strings.NewReplacer(`"raw"`, `"named"`, `VALUE: "value"`, `VALUE: "${KEY}"`).Replace(echoServer(""))
	set, err := tryOpen(t, map[string]string{"KEY": "s3cr3t-value"}, libraries(t, "server.gram", `[server:Library | `+entry+`]`)...)
	if err != nil {
		t.Fatal(err)
	}
	if names := set.Names(); len(names) > 0 || len(set.Refused()) != 1 || set.Refused()[0].Tool != "get_${KEY}" {
		t.Errorf("taken are %q, refused %v", names, set.Refused())
	}
}

func TestToolsOfServersAreAskedForUnlessTheyAreNamed(t *testing.T) {
	for properties, want := range map[string]runtime.Decision{
		``:                                 runtime.Ask,
		`, allow: ["tell", "fail"]`:        runtime.Allow,
		`, approve: allow`:                 runtime.Allow,
		`, allow: ["tell"], approve: deny`: runtime.Deny,
		`, allow: []`:                      "no tool",
	} {
		set, err := tryOpen(t, nil, libraries(t, "server.gram", `[server:Library | `+echoServer(properties)+`]`)...)
		if err != nil {
			t.Fatal(err)
		}
		got := runtime.Decision("no tool")
		if tool, ok := set.Library().Lookup("tell"); ok {
			got, _ = tool.Approve(json.RawMessage(`{}`))
		}
		if got != want {
			t.Errorf("%s: %s, want %s", properties, got, want)
		}
	}
}

func TestAServerWhoseToolsReachOutsideMayLeak(t *testing.T) {
	const notes = `[notes:Command {run: ["true"], traits: [private]}], `
	for properties, want := range map[string]bool{
		`, allow: ["tell", "out"]`:               true, // it says that it reaches the open world
		`, allow: ["tell", "out"], traits: none`: false,
		`, allow: ["tell"]`:                      false,
		``:                                       false, // asked for anyway
	} {
		set, err := tryOpen(t, nil, libraries(t, "server.gram", `[server:Library | `+notes+strings.Replace(echoServer(properties), `"raw"`, `"world"`, 1)+`]`)...)
		if err != nil {
			t.Fatal(err)
		}
		if _, leak := set.GuardLeaks([]string{"notes", "tell", "out"}); (leak != nil) != want {
			t.Errorf("%s: %+v", properties, leak)
		}
	}
}
