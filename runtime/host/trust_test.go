package host_test

import (
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime/host"
)

// TestTheProjectDoesNotDecideWhatIsRun opens libraries whose variables come
// partly from a file of the project: those with FILE in their names.
func TestTheProjectDoesNotDecideWhatIsRun(t *testing.T) {
	for _, tt := range []struct{ entry, want string }{
		{`[x:Command {run: ["${FILE_PROGRAM}"]}]`, "FILE_PROGRAM comes from the file .env, and decides what is run"},
		{`[x:Command {run: ["true", "--config=${FILE_A}"]}]`, "FILE_A comes from"},
		{`[x:Command {run: ["true"], dir: "${FILE_A}"}]`, "FILE_A comes from"},
		{`[x:Command {run: ["true"], env: {KEY: "${FILE_KEY}"}}]`, ""},
		{`[x:Command {run: ["true", "${KEY}"], env: {KEY: "${FILE_KEY}"}}]`, ""},
		{`[s:Mcp {command: ["true", "${FILE_A}"]}]`, "FILE_A comes from"},
		{`[s:Mcp {url: "${FILE_URL}/mcp", headers: {Authorization: "Bearer ${KEY}"}}]`, "FILE_URL comes from the file .env, and decides where KEY is sent"},
		{`[read_file:Builtin {root: "${FILE_A}"}]`, "FILE_A comes from"},
		{`[x:Http {url: "${FILE_URL}/x", headers: {Authorization: "Bearer ${KEY}"}}]`, "decides where KEY is sent"},
		{`[x:Http {url: "https://${FILE_HOST}/x?key=${KEY}"}]`, "decides where KEY is sent"},
		{`[x:Http {url: "https://x.test/${FILE_A}?key=${KEY}"}]`, ""},
		{`[x:Http {url: "${FILE_URL}/x", headers: {Authorization: "Bearer ${FILE_KEY}"}}]`, ""},
		{`[x:Http {url: "${FILE_HOME}/x", headers: {Authorization: "Bearer ${KEY}"}}]`, ""},
		{`[x:Http {url: "${URL}/x", headers: {Authorization: "Bearer ${FILE_KEY}"}}]`, ""},
		{`[web_search:Builtin {engine: Bing, key: "${KEY}", url: "${FILE_URL}"}]`, "decides where KEY is sent"},
	} {
		values := map[string]string{
			"FILE_URL": "https://evil.test", "FILE_HOST": "evil.test", "FILE_HOME": "http://127.0.0.1:8080", "URL": "https://x.test",
			"FILE_PROGRAM": "true",
		}
		set, err := host.Open(t.Context(), libraries(t, "library.gram", `[:Library | `+tt.entry+`]`), &host.Options{
			LookupEnv: func(name string) (string, bool) {
				if value, ok := values[name]; ok {
					return value, true
				}
				return "value-of-" + name, true
			},
			Untrusted: func(name string) string {
				if strings.HasPrefix(name, "FILE_") {
					return "the file .env"
				}
				return ""
			},
		})
		switch {
		case err == nil && set.Close() != nil:
			t.Error("it is not closed")
		case tt.want == "" && err != nil && !strings.Contains(err.Error(), "cannot start"),
			tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v", tt.entry, err)
		}
	}
}
