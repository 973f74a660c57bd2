package host_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime/host"
)

// A variable is no secret because it is used, but because of its name or its place.
func TestOnlySecretsAreHidden(t *testing.T) {
	for _, tt := range []struct {
		entry  string
		hidden bool
	}{
		{`run: ["printf", "%s", "${VALUE}"]`, false},
		{`run: ["printf", "%s", "${VALUE}"], secret: true`, true},
		{`run: ["printf", "%s", "${VALUE_TOKEN}"]`, true},
		{`run: ["printf", "%s", "${VALUE_TOKEN}"], secret: false`, false},
		{`shell: "printf '%s' \"$X\"", env: {X: "${VALUE}"}`, false},
		{`shell: "printf '%s' \"$X_PASSWORD\"", env: {X_PASSWORD: "${VALUE}"}`, true},
		{`run: ["printf", "%s", "${DB_PWD}"]`, true},
		{`run: ["printf", "%s", "${PWD}"]`, false},
		{`run: ["printf", "%s", "${Monkey}"]`, false},
		{`run: ["printf", "%s", "${GITHUB_PAT_KEY2}"]`, true},
	} {
		const value = "square root"
		lookup := func(string) (string, bool) { return value, true }
		set := open(t, &host.Options{LookupEnv: lookup}, libraries(t, "l.gram", `[:Library | [x:Command {`+tt.entry+`, output: text}]]`)...)
		if got := outcome(t, set, "x", false); strings.Contains(got, value) == tt.hidden {
			t.Errorf("%s: got %s", tt.entry, got)
		}
	}
}

func TestSecretsByTheirPlace(t *testing.T) {
	for entry, want := range map[string][]string{
		`[x:Http {url: "https://${HOST}/${PATH_PART}?a={a}&b=${QUERY}", headers: {Accept: "${HEADER}"}}]`: {"QUERY", "HEADER"},
		`[x:Mcp {url: "https://${USER_PART}@x.test/${PATH_PART}"}]`:                                       {"USER_PART"},
		`[x:Mcp {command: ["x", "${ARGUMENT}"], env: {A: "${VALUE}"}, dir: "${FOLDER}"}]`:                 {"VALUE"},
		`[x:Builtin {builtin: read_file, root: "${FOLDER}"}]`:                                             nil,
		`[x:Builtin {builtin: web_search, engine: Bing, key: "${BING}"}]`:                                 {"BING"},
	} {
		if got := libraries(t, "l.gram", `[:Library | `+entry+`]`)[0].Entries[0].SecretVariables(); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", entry, got, want)
		}
	}
}

func TestNumbersAreNotRedacted(t *testing.T) {
	lookup := func(string) (string, bool) { return "20260000", true }
	set := open(t, &host.Options{LookupEnv: lookup},
		libraries(t, "l.gram", `[:Library | [x:Command {shell: "echo '{\"year\": 20260000, \"text\": \"20260000\"}'", env: {A_KEY: "${YEAR}"}, output: json}]]`)...)
	var got struct {
		Year int
		Text string
	}
	if said := outcome(t, set, "x", true); json.Unmarshal([]byte(said), &got) != nil || got.Year != 20260000 || got.Text != "${YEAR}" {
		t.Errorf("got %s", said)
	}
}

func TestAShortSecretIsReportedOnce(t *testing.T) {
	var warnings []string
	open(t, &host.Options{
		LookupEnv: func(string) (string, bool) { return "root", true },
		Warn:      func(message string) { warnings = append(warnings, message) },
	}, libraries(t, "l.gram", `[:Library | [x:Command {run: ["echo", "${A_TOKEN}", "${A_TOKEN}", "${USER}"]}], [y:Command {run: ["echo", "${A_TOKEN}"]}]]`)...)
	if want := []string{"the value of ${A_TOKEN} is shorter than 8 bytes, and so it is not hidden in results"}; !slices.Equal(warnings, want) {
		t.Errorf("got %q", warnings)
	}
}
