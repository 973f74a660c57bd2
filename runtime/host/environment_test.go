package host_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
)

// awkward are secrets that are hard to find again.
var awkward = []string{
	"plain-Key_0123456789",
	`q"uo'te"s`,
	`back\slash\new\\`,
	"first line\nthe second line\n",
	"{}{x}{{y}}",
	"${OTHER}$${X}",
	"100%41%zz%",
	"schlüssel-ключ-😀-\u200b",
	strings.Repeat("Ab9+/=&? ", 111),
	"</script>&<b>",
	`{"type": "account", "private_key": "-----BEGIN\nKEY-----", "n": 12}`,
	"12345678",
	" padded\t value ",
	"a/b+c=d~e;f",
	"\xffbytes\xfe\x80",
	"[1, 2, 3]",
	"a  b   c  d e",
}

// leaks reports whether a text holds a secret. It knows nothing of how secrets
// are hidden: it undoes what programs do to texts and looks for the value.
func leaks(text, secret string) bool {
	secret = strings.TrimSpace(secret)
	oneLine := strings.Join(strings.Fields(secret), " ")
	seen := map[string]bool{}
	layer := []string{text}
	for range 3 {
		var next []string
		for _, t := range layer {
			if seen[t] {
				continue
			}
			seen[t] = true
			if strings.Contains(t, secret) || strings.Contains(t, oneLine) || digitsSpell(t, secret) {
				return true
			}
			next = append(next, unquoted(t), unpercented(t), strings.ReplaceAll(unpercented(t), "+", " "), html.UnescapeString(t))
		}
		layer = next
	}
	return false
}

var escape = regexp.MustCompile(`\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)`)

func unquoted(text string) string {
	return escape.ReplaceAllStringFunc(text, func(e string) string {
		if s, err := strconv.Unquote(`"` + e + `"`); err == nil {
			return s
		}
		return e[1:]
	})
}

var percent = regexp.MustCompile(`%[0-9a-fA-F]{2}`)

func unpercented(text string) string {
	return percent.ReplaceAllStringFunc(text, func(e string) string {
		c, _ := hex.DecodeString(e[1:])
		return string(c)
	})
}

var digits = regexp.MustCompile(`[0-9A-Za-z+/_-]{5,}`)

// digitsSpell reports whether base64 or hexadecimal digits spell a secret.
func digitsSpell(text, secret string) bool {
	for _, run := range digits.FindAllString(text, -1) {
		standard := strings.NewReplacer("-", "+", "_", "/").Replace(run)
		for start := range min(4, len(standard)) {
			part := standard[start:]
			for len(part)%4 == 1 {
				part = part[:len(part)-1]
			}
			if plain, err := base64.RawStdEncoding.DecodeString(part); err == nil && strings.Contains(string(plain), secret) {
				return true
			}
		}
		if plain, err := hex.DecodeString(run); err == nil && strings.Contains(string(plain), secret) {
			return true
		}
	}
	return false
}

func TestTheSearchForLeaksFindsThem(t *testing.T) {
	for _, how := range spellings() {
		if how == "cut" || how == "long" {
			continue
		}
		if !leaks("before "+spelled(how, awkward[0])+" behind", awkward[0]) {
			t.Errorf("%s is not found", how)
		}
	}
}

// keeps fails when a text holds a secret.
func keeps(t *testing.T, what, text, secret string) {
	t.Helper()
	if leaks(text, secret) {
		t.Errorf("%s holds the secret %.80q:\n%.2000s", what, secret, text)
	}
}

// outcome calls a tool, and fails when what it returns is no JSON.
func outcome(t *testing.T, set *host.Set, name string, wantsJSON bool) string {
	t.Helper()
	tool, ok := set.Library().Lookup(name)
	if !ok {
		return fmt.Sprintf("no tool %s; refused %v", name, set.Refused())
	}
	contract := runtime.Contract{Name: name, Description: "d", Input: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}}}`)}
	if !wantsJSON {
		contract.Output = json.RawMessage(`{"type":"string"}`)
	}
	said := tool.Description() + string(tool.Input()) + string(tool.Output())
	if tool.Config().Adopt {
		bound, err := set.Library().Bind([]runtime.Contract{contract}, nil)
		if err != nil {
			return err.Error()
		}
		tool = bound[0].Tool
	}
	result, err := tool.Invoke(t.Context(), json.RawMessage(`{"city":"Paris"}`), 10*time.Second)
	if err != nil {
		if cause := fmt.Sprintf("%+v %v", err, err.(*runtime.ToolError).Err); cause != "" {
			return said + "\n" + cause
		}
	}
	if !json.Valid(result) {
		t.Errorf("the result is no JSON: %s", result)
	}
	return said + "\n" + string(result)
}

// withSecret opens a library that uses ${SECRET}, calls its tools and looks for
// the secret in all that comes of it.
func withSecret(t *testing.T, what, library, secret string, tools ...string) {
	t.Helper()
	withSecretIn(t, what, libraries(t, "library.gram", library), secret, tools...)
}

func withSecretIn(t *testing.T, what string, list []*library.Library, secret string, tools ...string) {
	t.Helper()
	set, err := tryOpen(t, map[string]string{"SECRET": secret}, list...)
	if err != nil {
		keeps(t, what+", not opened", err.Error(), secret)
		return
	}
	for _, tool := range tools {
		said := outcome(t, set, tool, tool == "json")
		if strings.Trim(said, "\n0123456789") != "" { // a number stays one
			keeps(t, what+", "+tool, said, secret)
		}
	}
	keeps(t, what+", refused", fmt.Sprintf("%+v", set.Refused()), secret)
}

func TestCommandsTellNoSecrets(t *testing.T) {
	// What the commands print is made here: it stands in the first variable.
	const library = `[:Library |
	  [tell:Command {shell: "printf '%s' \"$TEXT\"", env: {TEXT: "x", KEY: "${SECRET}"}}],
	  [json:Command {shell: "printf '%s' \"$TEXT\"", env: {TEXT: "x", KEY: "${SECRET}"}, output: json}],
	  [fail:Command {shell: "printf '%s' \"$TEXT\" >&2; exit 3", env: {TEXT: "x", KEY: "${SECRET}"}}]]`
	for _, secret := range awkward {
		for _, how := range spellings() {
			list := printing(libraries(t, "library.gram", library), spelled(how, secret))
			withSecretIn(t, how, list, secret, "tell", "json", "fail")
		}
	}
	self := strconv.Quote(os.Args[0])
	for _, secret := range awkward {
		withSecret(t, "argument", fmt.Sprintf(`[:Library |
		  [x:Command {run: [%[1]s, "json-value", "${SECRET}", "{city}"], env: {GORACE: "atexit_sleep_ms=0", GRAMC_TEST_PART: "tell"}}],
		  [y:Command {run: [%[1]s, "go", "${SECRET}"], env: {GORACE: "atexit_sleep_ms=0", GRAMC_TEST_PART: "fail"}}]]`, self), secret, "x", "y")
	}
	for _, secret := range awkward {
		for _, library := range []string{
			`[:Library | [x:Command {run: ["./${SECRET}/none"]}]]`,
			`[:Library | [x:Command {run: ["true"], dir: "${SECRET}"}]]`,
			`[:Library | [x:Command {run: ["true", "${SECRET}{town}"]}]]`,
		} {
			withSecret(t, library, library, secret, "x")
		}
	}
}

// echo answers with what it was sent.
func echo(how string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent := r.Header.Get("X-Key")
		if basic := r.Header.Get("Authorization"); basic != "" {
			sent += " " + basic
		}
		all := map[string]string{"header": sent, "url": r.URL.String(), "uri": r.RequestURI, "query": fmt.Sprint(r.URL.Query()), "body": string(body)}
		text, _ := json.Marshal(all)
		switch how {
		case "json":
			w.Header().Set("Content-Type", "application/json")
		case "bad json":
			w.Header().Set("Content-Type", "application/json")
			text = append(text, '}')
		case "status":
			w.WriteHeader(http.StatusUnauthorized)
		case "redirect":
			http.Redirect(w, r, "http://"+r.Host+":1/"+r.URL.String(), http.StatusFound)
			return
		case "packed":
			w.Header().Set("Content-Encoding", sent)
		case "header":
			text = []byte(sent)
		case "status header":
			w.WriteHeader(http.StatusUnauthorized)
			text = []byte(sent)
		}
		_, _ = w.Write(text)
	}
}

func TestServicesTellNoSecrets(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	for _, how := range []string{"text", "json", "bad json", "status", "redirect", "packed", "header", "status header", "refused"} {
		server := httptest.NewServer(echo(how))
		address := server.Listener.Addr().String()
		if how == "refused" {
			address = gone.Listener.Addr().String()
		}
		for _, secret := range awkward {
			withSecret(t, how, fmt.Sprintf(`[:Library |
			  [header:Http {url: "http://%[1]s/x", headers: {"X-Key": "${SECRET}"}, allowHosts: [%[1]q]}],
			  [bearer:Http {url: "http://%[1]s/x", headers: {Authorization: "Bearer ${SECRET}"}, allowHosts: [%[1]q]}],
			  [result:Http {url: "http://%[1]s/x", headers: {"X-Key": "${SECRET}"}, result: "/none", allowHosts: [%[1]q]}]]`, address),
				secret, "header", "bearer", "result")
			for _, place := range []string{"/${SECRET}/x", "/x?key=${SECRET}&city={city}", "/{city}?key=${SECRET}"} {
				withSecret(t, how+" "+place, fmt.Sprintf(`[:Library | [u:Http {url: "http://%[1]s%[2]s", allowHosts: [%[1]q]}]]`, address, place), secret, "u")
			}
			withSecret(t, how+" search", fmt.Sprintf(`[:Library | [web_search:Builtin {engine: SerpAPI, key: "${SECRET}", url: "http://%s/"}]]`, address), secret, "web_search")
		}
		server.Close()
	}
}

func TestServersTellNoSecrets(t *testing.T) {
	self := strconv.Quote(os.Args[0])
	for _, secret := range awkward {
		for _, how := range []string{"raw", "json", "basic", "noise", "stderr"} {
			withSecret(t, how, fmt.Sprintf(`[:Library | [s:Mcp {command: [%s, %q], env: {GORACE: "atexit_sleep_ms=0", GRAMC_TEST_PART: "serve", VALUE: "${SECRET}"}}]]`, self, how),
				secret, "tell", "fail")
		}
		server := httptest.NewServer(echo("status"))
		address := server.Listener.Addr().String()
		withSecret(t, "header", fmt.Sprintf(`[:Library | [s:Mcp {url: "http://%[1]s/", headers: {Authorization: "Bearer ${SECRET}", "X-Key": "${SECRET}"}, allowHosts: [%[1]q]}]]`, address), secret)
		withSecret(t, "url", fmt.Sprintf(`[:Library | [s:Mcp {url: "http://%[1]s/${SECRET}", allowHosts: [%[1]q]}]]`, address), secret)
		list := libraries(t, "library.gram", fmt.Sprintf(`[:Library | [s:Mcp {command: [%s, "json"], env: {GORACE: "atexit_sleep_ms=0", GRAMC_TEST_PART: "serve", VALUE: "${SECRET}"}}]]`, self))
		listed, _, err := host.ListEntryServer(t.Context(), list[0], list[0].Entries[0], &host.Options{LookupEnv: func(string) (string, bool) { return secret, true }})
		if err != nil {
			keeps(t, "list", err.Error(), secret)
		} else if keeps(t, "list", string(listed), secret); !json.Valid(listed) {
			t.Errorf("the list is no JSON: %s", listed)
		}
		server.Close()
	}
}

func TestASecretMayBePartOfAnother(t *testing.T) {
	env := map[string]string{"PART": "inner-part", "WHOLE": "xx-inner-part-yy", "OVERLAP": "part-yy-zz"}
	library := libraries(t, "library.gram", `[:Library | [x:Command {shell: "printf '%s' \"$A $B $C xx-inner-part-yy-zz\"", env: {A: "${PART}", B: "${WHOLE}", C: "${OVERLAP}"}, secret: true}]]`)
	set, err := tryOpen(t, env, library...)
	if err != nil {
		t.Fatal(err)
	}
	got := outcome(t, set, "x", false)
	if want := "\n" + `"${PART} ${WHOLE} ${OVERLAP} ${WHOLE}-zz"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNoHalfOfASecretIsTold(t *testing.T) {
	var digits strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&digits, "%x", i*i)
	}
	const library = `[:Library |
	  [json:Command {shell: "printf '%s' \"$TEXT\"", env: {TEXT: "x", KEY: "${SECRET}"}, output: json}],
	  [fail:Command {shell: "printf '%s' \"$TEXT\" >&2; exit 3", env: {TEXT: "x", KEY: "${SECRET}"}}]]`
	for _, size := range []int{20, 100, 1000, 4000, 9000} {
		secret := digits.String()[:size]
		for before := range 4 {
			for _, behind := range []int{0, 1500, 2040} {
				text := strings.Repeat("-", before*60) + secret + strings.Repeat("=", behind)
				set, err := tryOpen(t, map[string]string{"SECRET": secret}, printing(libraries(t, "library.gram", library), text)...)
				if err != nil {
					t.Fatal(err)
				}
				for _, tool := range []string{"json", "fail"} {
					got := outcome(t, set, tool, true)
					for i := range size - 8 {
						if strings.Contains(got, secret[i:i+8]) {
							t.Errorf("%d bytes behind %d, %s: %s", size, before*60, tool, got)
							break
						}
					}
				}
			}
		}
	}
}

func TestAResultStaysJSONAndIsOtherwiseLeftAlone(t *testing.T) {
	for _, tt := range []struct{ secret, result, want string }{
		{"12345678", `{"n": 12345678, "m": 9912345678e2, "t": [1.0, -1E+2]}`, `{"n": 12345678, "m": 9912345678e2, "t": [1.0, -1E+2]}`},
		{"12345678", `{"text": "-12345678-"}`, `{"text": "-${SECRET}-"}`},
		{"true", `{"ok": true, "text": "true"}`, `{"ok": true, "text": "true"}`}, // too short to be searched for
		{`abc","def`, `["abc", "def"]`, `"[\"${SECRET}\"]"`},
		{`{"a": 1}`, `{ "x": {"a":1} }`, `"{\"x\":${SECRET}}"`},
		{"abcdefgh", `{"abc\u0064efgh": "\u0061bcdefgh", "k": "abc\u200bdefgh"}`, `{"${SECRET}": "${SECRET}", "k": "abc\u200bdefgh"}`},
		{"none-of-it", "{\"a\" :\t\"b\\/\\u00e9\"}", "{\"a\" :\t\"b\\/\\u00e9\"}"},
		{"1234567", `"1234567"`, `"1234567"`}, // too short as well
	} {
		env := map[string]string{"SECRET": tt.secret, "RESULT": tt.result}
		library := libraries(t, "library.gram", `[:Library | [x:Command {shell: "printf '%s' \"$R\"", env: {R: "${RESULT}", S: "${SECRET}"}, output: json}]]`)
		// The result is no secret itself.
		set, err := host.Open(t.Context(), printing(library, tt.result), &host.Options{LookupEnv: func(name string) (string, bool) { return env[name], true }})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimPrefix(outcome(t, set, "x", true), "\n"); got != tt.want {
			t.Errorf("%s in %s: got %s, want %s", tt.secret, tt.result, got, tt.want)
		}
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	}
}

// printing puts a text in the place of the first variable of each command.
func printing(list []*library.Library, text string) []*library.Library {
	for _, e := range list[0].Entries {
		e.Command.Env[0].Value = library.PlainText(text)
	}
	return list
}

func TestAHostileServerCannotSlowRedactionDown(t *testing.T) {
	secret := strings.Repeat("a", 100_000) + "b"
	library := libraries(t, "library.gram", `[:Library | [x:Command {shell: "yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa… | tr -d '\\n' | head -c 1000000", env: {S: "${SECRET}"}}],
	  [y:Command {shell: "yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa… | head -c 1000000 >&2; exit 1", env: {S: "${SECRET}"}}]]`)
	set, err := tryOpen(t, map[string]string{"SECRET": secret}, library...)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range []string{"x", "y"} {
		if got := outcome(t, set, tool, false); strings.Contains(got, "timed out") {
			t.Errorf("%s: %.200s", tool, got)
		}
	}
}
