package host_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

func TestToolsThatCanLeakAreAskedFor(t *testing.T) {
	const files, web = `[read_file:Builtin {root: "."}], `, `[ask:Http {url: "https://x.test/{q}"}]`
	for _, tt := range []struct{ library, asked string }{
		{files + web, "ask"},
		{files + `[ask:Http {url: "https://x.test/{q}", approve: allow}]`, "-"},                    // said so: warned of, not asked for
		{files + `[ask:Http {url: "https://x.test/{q}", approve: ask}]`, ""},                       // asked for anyway
		{files + `[ask:Http {url: "https://x.test/{q}", approve: ask} | (:Allow {q: "a*"})]`, "-"}, // not always
		{files + `[ask:Http {url: "https://x.test/{q}"} | (:Allow {q: "a*"})]`, "ask"},             // what the rule does not allow
		{files + `[ask:Http {url: "https://x.test/{q}", traits: [outbound]}]`, ""},                 // nobody else's text
		{`[read_file:Builtin {root: ".", approve: ask}], ` + web, ""},                              // nothing is read unseen
		{`[read_file:Builtin {root: ".", traits: none}], ` + web, ""},                              // nothing private
		{files + `[ask:Builtin {builtin: web_scraper}]`, "ask"},                                    // both at once
		{files + `[ask:Builtin {builtin: calculator}]`, ""},                                        //
		{files + `[ask:Command {run: ["true"]}]`, ""},                                              // nothing is known of programs
		{files + `[ask:Command {run: ["true"], traits: [untrusted]}], [send:Command {shell: "true", traits: [outbound]}]`, "send"},
		{web, ""},
	} {
		list := libraries(t, "library.gram", `[l:Library | `+tt.library+`]`)
		set, err := tryOpen(t, nil, list...)
		if err != nil {
			t.Fatal(err)
		}
		library, leak := set.GuardLeaks([]string{"read_file", "ask", "send", "none", "sayHello"})
		switch {
		case leak == nil && tt.asked != "" || leak != nil && tt.asked == "":
			t.Errorf("%s: %+v", tt.library, leak)
			continue
		case leak == nil:
			continue
		}
		if got := strings.Join(leak.Asked, " "); got != strings.Trim(tt.asked, "-") {
			t.Errorf("%s: asked for %q", tt.library, got)
		}
		for _, name := range leak.Asked {
			asked, _ := library.Lookup(name)
			before, _ := set.Library().Lookup(name)
			args := json.RawMessage(`{"q":"b"}`)
			if asked.Config().Approval.Decide(args) != runtime.Ask || before.Config().Approval.Decide(args) != runtime.Allow {
				t.Errorf("%s: %s is not asked for, or always", tt.library, name)
			}
			if decided := asked.Config().Approval.Decide(json.RawMessage(`{"q":"ab"}`)); strings.Contains(tt.library, ":Allow") && decided != runtime.Allow {
				t.Errorf("%s: the rule does not allow", tt.library)
			}
		}
	}
	list := libraries(t, "library.gram", `[l:Library {approve: allow} | `+files+web+`]`)
	set, err := tryOpen(t, nil, list...)
	if err != nil {
		t.Fatal(err)
	}
	if _, leak := set.GuardLeaks([]string{"ask", "read_file", "ask"}); leak == nil || len(leak.Asked) > 0 || len(leak.Outbound) != 1 {
		t.Errorf("a library that allows: %+v", leak)
	}
}
