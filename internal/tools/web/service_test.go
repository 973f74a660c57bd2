package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/runtime"
)

// An exchange is what a service was asked, and what it answers.
type exchange struct {
	method, uri, body string
	header            http.Header

	status      int
	contentType string
	answer      string
}

// ServeHTTP keeps the request.
func (x *exchange) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	x.method, x.uri, x.body, x.header = r.Method, r.RequestURI, string(body), r.Header
	if x.contentType != "" {
		w.Header().Set("Content-Type", x.contentType)
	}
	if x.status != 0 {
		w.WriteHeader(x.status)
	}
	w.Write([]byte(x.answer))
}

// service returns the tool of a config whose URL is a path of x, bound to a
// contract with these parameters.
func serviceOf(t *testing.T, x *exchange, c ServiceConfig, properties string, required string) runtime.Tool {
	t.Helper()
	base, host := serve(t, x.ServeHTTP)
	c.Name, c.URL, c.AllowHosts = "ask", append(template.OfText(base), c.URL...).Resolve(nil), []string{host}
	tool, err := NewService(c)
	made(t, tool, err)
	bound, err := bind(t, tool, `{"type":"object","properties":{`+properties+`},"required":[`+required+`]}`)
	if err != nil {
		t.Fatal(err)
	}
	return bound
}

const (
	cityAndDays = `"city":{"type":"string"},"days":{"type":"integer","default":3},"tags":{"type":"array","items":{"type":"string"}},"more":{"type":"object"},"sure":{"type":"boolean"},"none":{"type":["string","null"]}`
	allArgs     = `{"city":"Köln/..x","days":1e2,"tags":["a","b&c"],"more":{"k":[1]},"sure":true,"none":null}`
)

func TestServiceRequests(t *testing.T) {
	for _, tt := range []struct {
		config                         ServiceConfig
		args, method, uri, body, media string
	}{
		{ServiceConfig{URL: templateOf("/w/{city}?d={days}")}, `{"city":"a b"}`, "GET", "/w/a%20b?d=3", "", ""},
		{ServiceConfig{URL: templateOf("/w")}, allArgs, "GET", "/w?city=K%C3%B6ln%2F..x&days=1e2&more=%7B%22k%22%3A%5B1%5D%7D&sure=true&tags=a&tags=b%26c", "", ""},
		{ServiceConfig{URL: templateOf("/w?v=1"), Method: "DELETE"}, `{"city":"x"}`, "DELETE", "/w?v=1&city=x&days=3", "", ""},
		{ServiceConfig{URL: templateOf("/w?"), Method: "HEAD"}, `{"city":"x"}`, "HEAD", "/w?city=x&days=3", "", ""},
		{ServiceConfig{URL: templateOf("/w/{city}"), Method: "POST"}, allArgs, "POST", "/w/K%C3%B6ln%2F..x", `{"days":1e2,"more":{"k":[1]},"none":null,"sure":true,"tags":["a","b&c"]}`, "application/json"},
		{ServiceConfig{URL: templateOf("/w/{city}/{days}"), Method: "PUT"}, `{"city":"x"}`, "PUT", "/w/x/3", `{}`, "application/json"},
		{ServiceConfig{URL: templateOf("/w"), Method: "PATCH", Body: "form"}, `{"city":"x&y","tags":["a","b"]}`, "PATCH", "/w", "city=x%26y&days=3&tags=a&tags=b", "application/x-www-form-urlencoded"},
		{ServiceConfig{URL: templateOf("/w"), Method: "POST", Body: "json", Headers: map[string]template.Template{"content-type": template.OfText("application/vnd.x+json")}}, `{"city":"<x>"}`, "POST", "/w", `{"city":"<x>","days":3}`, "application/vnd.x+json"},
	} {
		x := &exchange{}
		tt.config.Headers = withHeader(tt.config.Headers, "Authorization", "Bearer key")
		_, err := serviceOf(t, x, tt.config, cityAndDays, `"city"`).Invoke(t.Context(), []byte(tt.args), 0)
		if err != nil || x.method != tt.method || x.uri != tt.uri || x.body != tt.body || x.header.Get("Content-Type") != tt.media {
			t.Errorf("%v\ngot  %s %s %s %s\nwant %s %s %s %s", err, x.method, x.uri, x.body, x.header.Get("Content-Type"), tt.method, tt.uri, tt.body, tt.media)
		}
		if x.header.Get("Authorization") != "Bearer key" || !strings.HasPrefix(x.header.Get("User-Agent"), "gramc") {
			t.Errorf("headers %v", x.header)
		}
	}
}

// TestArgumentsInHeaders has arguments in headers: what a model writes there ends no header and
// adds none, and what is in a header is not in the query too.
func TestArgumentsInHeaders(t *testing.T) {
	headers := map[string]template.Template{"If-Match": templateOf("\"{etag}\""), "X-Page": templateOf("{page}"), "X-Key": template.OfText("key")}
	const properties = `"etag":{"type":"string"},"page":{"type":"integer"}`
	for args, want := range map[string]string{
		`{"etag":"a b", "page": 7}`:                    `GET /w X-Key=key If-Match="a b" X-Page=7`,
		`{"etag":"a"}`:                                 `GET /w X-Key=key If-Match="a" X-Page=`,
		`{"etag":"é"}`:                                 `GET /w X-Key=key If-Match="é" X-Page=`,
		`{"etag":"a\r\nX-Key: mine"}`:                  "etag must be a text of one line",
		`{"etag":"a\nb"}`:                              "etag must be a text of one line",
		`{"etag":"a\u0000"}`:                           "etag must be a text of one line",
		`{"etag":"` + strings.Repeat("a", 9000) + `"}`: "etag is too long",
	} {
		x := &exchange{}
		_, err := serviceOf(t, x, ServiceConfig{URL: templateOf("/w"), Headers: headers}, properties, `"etag"`).Invoke(t.Context(), []byte(args), 0)
		if err != nil {
			wantToolError(t, err, runtime.ToolValidation, want)
			continue
		}
		got := fmt.Sprintf("%s %s X-Key=%s If-Match=%s X-Page=%s", x.method, x.uri, x.header.Get("X-Key"), x.header.Get("If-Match"), x.header.Get("X-Page"))
		if got != want {
			t.Errorf("%s: got %s, want %s", args, got, want)
		}
	}
	for input, says := range map[string]string{
		`{"type":"object"}`: "the request has the argument {etag}",
		`{"type":"object","properties":{"etag":{"type":"object"},"page":{}}}`: "the headers have the argument {etag}, and the parameter is of type object",
	} {
		_, err := NewService(ServiceConfig{Name: "ask", URL: templateOf("https://h.test/"), Headers: headers, Input: []byte(input)})
		wantMisconfigured(t, err, "ask: ", says)
	}
}

func TestWhatHTTPSaysOfRepeating(t *testing.T) {
	for method, want := range map[string]runtime.Repeat{
		"": runtime.RepeatSafe, "HEAD": runtime.RepeatSafe, "PUT": runtime.RepeatSafe, "DELETE": runtime.RepeatSafe,
		"POST": runtime.RepeatOnce, "PATCH": runtime.RepeatOnce,
	} {
		if got := serviceOf(t, &exchange{}, ServiceConfig{URL: templateOf("/w"), Method: method}, "", "").Repeat(); got != want {
			t.Errorf("%s: %s", method, got)
		}
	}
}

func TestTheCallKeyIsAHeader(t *testing.T) {
	keyed := runtime.WithCallKey(t.Context(), "run/3/call_1")
	own := map[string]template.Template{"idempotency-key": templateOf("{order}")}
	for _, tt := range []struct {
		ctx     context.Context
		headers map[string]template.Template
		want    string
	}{{t.Context(), nil, ""}, {keyed, nil, "run/3/call_1"}, {keyed, own, "o-1"}} {
		x := &exchange{}
		tool := serviceOf(t, x, ServiceConfig{URL: templateOf("/w"), Method: "POST", Headers: tt.headers}, `"order":{"type":"string"}`, "")
		if _, err := tool.Invoke(tt.ctx, []byte(`{"order":"o-1"}`), 0); err != nil || x.header.Get("Idempotency-Key") != tt.want {
			t.Errorf("%v, %q, want %q", err, x.header.Get("Idempotency-Key"), tt.want)
		}
	}
}

func withHeader(headers map[string]template.Template, name, value string) map[string]template.Template {
	all := map[string]template.Template{name: template.OfText(value)}
	for n, v := range headers {
		all[n] = v
	}
	return all
}

func TestServiceAnswers(t *testing.T) {
	for _, tt := range []struct {
		contentType, answer string
		result              string
		want                string
		says                []string // instead
	}{
		{"application/json", ` {"a": [1, {"b/c": "x"}]} `, "", `{"a": [1, {"b/c": "x"}]}`, nil},
		{"application/json; charset=iso-8859-1", "\"caf\xe9\"", "", `"café"`, nil},
		{"application/problem+json", `12345678901234567890`, "", `12345678901234567890`, nil},
		{"text/plain", `{"a":1}`, "", `"{\"a\":1}"`, nil},
		{"text/html; charset=windows-1252", "<p>caf\xe9", "", `"<p>café"`, nil},
		{"", "", "", `"200 OK"`, nil},
		{"application/json", `{"a": [1, {"b/c": "x"}]}`, "/a/1/b~1c", `"x"`, nil},
		{"text/plain", `{"a": [1, 2]}`, "/a", `[1, 2]`, nil},
		{"application/json", `{"": 1}`, "/", `1`, nil},
		{"application/json", `{"a": [1], "b": 2}`, "/c", "", []string{"nothing at /c, only a, b"}},
		{"application/json", `{"a": [1]}`, "/a/1", "", []string{"nothing at /a/1, only a list of 1"}},
		{"application/json", `{"a": [1]}`, "/a/00", "", []string{"a list of 1"}},
		{"application/json", `{"a": "text"}`, "/a/b", "", []string{`nothing at /a/b, only "text"`}},
		{"application/json", `{"a": `, "", "", []string{`the response is not JSON: {"a":`}},
		{"text/html", `<p>`, "/a", "", []string{"not JSON: <p>"}},
		{"application/json", strings.Repeat("[", 20000), "", "", []string{"not JSON"}},
		{"text/plain", strings.Repeat("x", 1<<20+1), "", "", []string{"larger than 1 MiB"}},
	} {
		x := &exchange{contentType: tt.contentType, answer: tt.answer}
		got, err := serviceOf(t, x, ServiceConfig{URL: templateOf("/"), Result: tt.result}, "", "").Invoke(t.Context(), []byte(`{}`), 0)
		if tt.says != nil {
			wantToolError(t, err, runtime.ToolExecution, tt.says...)
		} else if err != nil || strings.TrimSpace(string(got)) != tt.want {
			t.Errorf("%.60s %s: %s, %v; want %s", tt.answer, tt.result, got, err, tt.want)
		}
	}
}

func TestServiceTellsWhatWentWrong(t *testing.T) {
	x := &exchange{status: http.StatusUnprocessableEntity, contentType: "text/plain; charset=iso-8859-1", answer: "caf\xe9 \x1b[31m\n\n" + strings.Repeat("long ", 200)}
	tool := serviceOf(t, x, ServiceConfig{URL: templateOf("/")}, "", "")
	_, err := tool.Invoke(t.Context(), []byte(`{}`), 0)
	wantToolError(t, err, runtime.ToolExecution, "the service responded with 422 Unprocessable Entity: café [31m long long")
	if n := len([]rune(err.Error())); n > 600 || !strings.HasSuffix(err.Error(), "…") {
		t.Errorf("%d characters: %v", n, err)
	}
	slow, host := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	service, err := NewService(ServiceConfig{Name: "ask", URL: templateOf(slow), AllowHosts: []string{host}})
	bound, err := bind(t, made(t, service, err), `{"type":"object"}`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = bound.Invoke(t.Context(), []byte(`{}`), 50*time.Millisecond)
	wantToolError(t, err, runtime.ToolTimeout, "timed out after 50ms")
	closed, err := NewService(ServiceConfig{Name: "ask", URL: templateOf("http://127.0.0.1/{p}?key=secret")})
	bound, err = bind(t, made(t, closed, err), `{"type":"object","properties":{"p":{"type":"string"}},"required":["p"]}`)
	if err != nil {
		t.Fatal(err)
	}
	for args, says := range map[string]string{`{"p":"x"}`: "127.0.0.1 is private", `{"p":"` + strings.Repeat("x", 3000) + `"}`: "at most 2048"} {
		_, err = bound.Invoke(t.Context(), []byte(args), 0)
		wantToolError(t, err, runtime.ToolAuthorization, says)
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("%v holds the secret", err)
		}
	}
	for _, value := range []string{"..", "a/../b", "", "."} {
		_, err = bound.Invoke(t.Context(), []byte(`{"p":"`+value+`"}`), 0)
		wantToolError(t, err, runtime.ToolValidation, "p ")
	}
}

func TestServiceIsBoundToWhatItsURLNeeds(t *testing.T) {
	for _, tt := range []struct {
		url, input, says string // "" where it fits
	}{
		{"/{a}", `"properties":{"a":{"type":"string"}},"required":["a"]`, ""},
		{"/{a}", `"properties":{"a":{"type":"integer","default":1}}`, ""},
		{"/{a}", `"properties":{"a":{"$ref":"#/$defs/T"}},"required":["a"],"$defs":{"T":{"type":"string"}}`, ""},
		{"/", `"properties":{"a":{"type":"array"}}`, ""},
		{"/?a={a}", `"properties":{"a":{"type":"string"}},"required":["a"]`, ""},
		{"/{a}", `"properties":{"b":{"type":"string"}},"required":["b"]`, "argument {a}, and the tool has no parameter"},
		{"/?x={a}", `"properties":{}`, "argument {a}, and the tool has no parameter"},
		{"/{a}", `"properties":{"a":{"type":"string"}}`, "the parameter is optional"},
		{"/{a}", `"properties":{"a":{"type":"array"}},"required":["a"]`, ""},
		{"/{a}", `"properties":{"a":{"type":"object"}},"required":["a"]`, "of type object"},
		{"/?a=1", `"properties":{"a":{"type":"string"}}`, "has a in its query already"},
	} {
		input := `{"type":"object",` + tt.input + `}`
		adopted, err := NewService(ServiceConfig{Name: "ask", URL: templateOf("https://h.test" + tt.url)})
		_, err = bind(t, made(t, adopted, err), input)
		_, own := NewService(ServiceConfig{Name: "ask", Description: "Asks", Input: []byte(input), URL: templateOf("https://h.test" + tt.url)})
		if tt.says == "" {
			if err != nil || own != nil {
				t.Errorf("%s with %s: %v, %v", tt.url, tt.input, err, own)
			}
			continue
		}
		wantMisconfigured(t, own, "ask: ", tt.says)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s with %s: %v", tt.url, tt.input, err)
		}
	}
}

func TestServiceWithASchemaOfItsOwn(t *testing.T) {
	const input = `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`
	x := &exchange{}
	base, host := serve(t, x.ServeHTTP)
	c := ServiceConfig{Name: "ask", Description: "Asks", Input: []byte(input), URL: templateOf(base + "/?fixed=1"), AllowHosts: []string{host}}
	tool, err := NewService(c)
	made(t, tool, err)
	if _, err := bind(t, tool, ""); err == nil || !strings.Contains(err.Error(), "description") {
		t.Errorf("another description: %v", err)
	}
	c.Description = ""
	tool, err = NewService(c)
	made(t, tool, err)
	if _, err := bind(t, tool, `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`); err == nil {
		t.Error("another schema was accepted")
	}
	// What the schema does not declare is not sent, though JSON Schema lets it pass.
	if _, err := call(t, tool, `{"a":"x","admin":"true"}`); err != nil || x.uri != "/?fixed=1&a=x" {
		t.Errorf("%s, %v", x.uri, err)
	}
	// Nor is what the schema of the agent does not declare.
	adopted := serviceOf(t, x, ServiceConfig{URL: templateOf("/?role=user")}, `"a":{"type":"string"}`, "")
	if _, err := adopted.Invoke(t.Context(), []byte(`{"a":"x","role":"admin"}`), 0); err != nil || x.uri != "/?role=user&a=x" {
		t.Errorf("%s, %v", x.uri, err)
	}
	// What has a fixed value in the address is not overruled either.
	open, err := NewService(ServiceConfig{Name: "ask", URL: templateOf(base + "/?role=user"), AllowHosts: []string{host}})
	made(t, open, err)
	_, err = open.Invoke(t.Context(), []byte(`{"role":"admin"}`), 0)
	wantToolError(t, err, runtime.ToolValidation, "role cannot be set")
}

func TestServiceConfigs(t *testing.T) {
	header := func(name, value string) ServiceConfig {
		return ServiceConfig{URL: templateOf("https://h.test/"), Headers: map[string]template.Template{name: template.OfText(value)}}
	}
	for _, tt := range []struct {
		config ServiceConfig
		says   string
	}{
		{ServiceConfig{}, "url: it must start with https://"},
		{ServiceConfig{URL: templateOf("https://{h}/")}, "url: the argument {h} is part of the host"},
		{ServiceConfig{URL: templateOf("https://h.test/"), Method: "get"}, `the method "get" is not one of GET, POST`},
		{ServiceConfig{URL: templateOf("https://h.test/"), Method: "CONNECT"}, `"CONNECT"`},
		{ServiceConfig{URL: templateOf("https://h.test/"), Method: "POST", Body: "xml"}, `"xml" is neither`},
		{ServiceConfig{URL: templateOf("https://h.test/"), Body: "json"}, "a GET request has no body"},
		{ServiceConfig{URL: templateOf("https://h.test/"), Result: "a"}, "starts with /"},
		{ServiceConfig{URL: templateOf("https://h.test/"), Result: strings.Repeat("/a", 33)}, "at most 32"},
		{ServiceConfig{URL: templateOf("https://h.test/"), AllowHosts: []string{"*"}}, "allowHosts"},
		{header("X-Key", "secret\r\nX: y"), "the value of X-Key has a line end"},
		{header("X-Key", "secret\x00"), "the value of X-Key"},
		{header("X Key", "secret"), `"X Key" is not the name`},
		{header("", "secret"), "not the name"},
		{header("host", "secret"), "Host cannot be set"},
		{header("transfer-encoding", "secret"), "cannot be set"},
		{ServiceConfig{URL: templateOf("https://h.test/"), Headers: map[string]template.Template{"a": template.OfText("secret"), "A": template.OfText("secret")}}, "twice"},
	} {
		tt.config.Name = "ask"
		_, err := NewService(tt.config)
		wantMisconfigured(t, err, "ask: ", tt.says)
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%v holds the secret", err)
		}
	}
	if _, err := NewService(ServiceConfig{URL: templateOf("https://h.test/")}); err == nil {
		t.Error("a tool without a name was made")
	}
}

func TestServiceContent(t *testing.T) {
	const properties = `"id":{"type":"integer"},"path":{"type":"string"},"note":{"type":"string"},"tags":{"type":"array"},"page":{"type":"integer"}`
	for _, tt := range []struct {
		config          ServiceConfig
		args, uri, body string
	}{
		{ServiceConfig{Content: []byte(`{"state":"closed","at":{"id":"{id}","text":"#{id}: {note}","big":12345678901234567890}}`)}, `{"id":1,"note":"n"}`, "/x", `{"at":{"big":12345678901234567890,"id":1,"text":"#1: n"},"state":"closed"}`},
		{ServiceConfig{Content: []byte(`{"state":"closed","tags":["a","{note}"]}`)}, `{"id":1}`, "/x", `{"id":1,"state":"closed","tags":["a"]}`},
		{ServiceConfig{Content: []byte(`"{tags}"`), Query: []byte(`{"p":"{page}","v":2}`)}, `{"tags":[1,2],"page":3,"id":1}`, "/x?id=1&p=3&v=2", `[1,2]`},
		{ServiceConfig{Body: "form", Query: []byte(`{"p":"{page}"}`)}, `{"note":"a b"}`, "/x", `note=a+b`},
	} {
		x := &exchange{answer: "ok"}
		tt.config.Method, tt.config.URL = "POST", template.OfText("/x")
		tool := serviceOf(t, x, tt.config, properties, "")
		if _, err := call(t, tool, tt.args); err != nil {
			t.Error(err)
		} else if x.uri != tt.uri || x.body != tt.body {
			t.Errorf("%s: %s with %s, want %s with %s", tt.args, x.uri, x.body, tt.uri, tt.body)
		}
	}
}

// The items of a list stand with commas in the path and in headers, and where the config says so
// in a query and a form. What an item holds never adds another one.
func TestListsWithCommas(t *testing.T) {
	const properties = `"ids":{"type":"array"},"tags":{"type":"array"},"kinds":{"type":"array"}`
	for _, tt := range []struct {
		config    ServiceConfig
		args      string
		uri, body string
	}{
		{ServiceConfig{Commas: []string{"tags"}}, `{"ids":["a","b,c",1],"tags":["x","y z"],"kinds":[1,2]}`, "/p/a,b%2Cc,1?kinds=1&kinds=2&tags=x%2Cy+z", ""},
		{ServiceConfig{Commas: []string{"tags"}}, `{"ids":[true],"tags":[]}`, "/p/true", ""},
		{ServiceConfig{Method: "POST", Body: "form", Commas: []string{"tags"}}, `{"ids":["/"],"tags":["x","y"],"kinds":[1,2]}`, "/p/%2F", "kinds=1&kinds=2&tags=x%2Cy"},
		{ServiceConfig{Query: []byte(`{"tag":"{tags}"}`), Commas: []string{"tag"}}, `{"ids":[1],"tags":["x","y"]}`, "/p/1?tag=x%2Cy", ""},
	} {
		x := &exchange{answer: "ok"}
		tt.config.URL = templateOf("/p/{ids}")
		tool := serviceOf(t, x, tt.config, properties, `"ids"`)
		if _, err := call(t, tool, tt.args); err != nil || x.uri != tt.uri || x.body != tt.body {
			t.Errorf("%s: %s with %s, %v; want %s with %s", tt.args, x.uri, x.body, err, tt.uri, tt.body)
		}
	}
	x := &exchange{answer: "ok"}
	tool := serviceOf(t, x, ServiceConfig{URL: templateOf("/p/{ids}"), Headers: map[string]template.Template{"X-Tags": templateOf("{tags}")}}, properties, `"ids"`)
	if _, err := call(t, tool, `{"ids":[1],"tags":["a",2]}`); err != nil || x.header.Get("X-Tags") != "a,2" {
		t.Error(x.header, err)
	}
	if _, err := call(t, tool, `{"ids":[1],"tags":[]}`); err != nil || x.header.Values("X-Tags") != nil {
		t.Error(x.header, err)
	}
	for _, args := range []string{`{"ids":[]}`, `{"ids":[{}]}`, `{"ids":[[1]]}`, `{"ids":[1],"tags":["a\nb"]}`, `{"ids":[1],"tags":[{}]}`} {
		if _, err := call(t, tool, args); err == nil {
			t.Errorf("%s is sent", args)
		}
	}
}

// A cookie with an argument that is not given is left out, and no value ends its cookie.
func TestCookies(t *testing.T) {
	const properties = `"theme":{"type":"string"},"sizes":{"type":"array"}`
	for args, want := range map[string]string{
		`{"theme":"dark","sizes":[1,2]}`:  "theme=dark; lang=en; sizes=1,2",
		`{"theme":"a; lang=fr, \"b\" é"}`: "theme=a%3B%20lang=fr%2C%20%22b%22%20%C3%A9; lang=en",
		`{}`:                              "lang=en",
	} {
		x := &exchange{answer: "ok"}
		c := ServiceConfig{URL: templateOf("/x"), Headers: map[string]template.Template{"Cookie": templateOf("theme={theme}; lang=en;sizes={sizes}; ")}}
		if _, err := call(t, serviceOf(t, x, c, properties, ""), args); err != nil || x.header.Get("Cookie") != want {
			t.Errorf("%s: %q, %v; want %q", args, x.header.Get("Cookie"), err, want)
		}
	}
}

func TestSlashesOfAnArgument(t *testing.T) {
	parts, _, _ := template.Parse("/files/{path}/raw", true)
	x := &exchange{answer: "ok"}
	tool := serviceOf(t, x, ServiceConfig{URL: parts, Slashes: []string{"path"}}, `"path":{"type":"string"}`, `"path"`)
	if _, err := call(t, tool, `{"path":"a b/c?d"}`); err != nil || x.uri != "/files/a%20b/c%3Fd/raw" {
		t.Errorf("%s, %v", x.uri, err)
	}
	for _, path := range []string{"../x", "a/../x", "a/.", "..", "a\\u0000/b", "a\\\\..\\\\b", "%2e%2e/x"} {
		x.uri = ""
		if _, err := call(t, tool, `{"path":"`+path+`"}`); err == nil && strings.Contains(strings.ToLower(x.uri), "..") || x.uri == "" && err == nil {
			t.Errorf("%s leads to %s", path, x.uri)
		}
	}
}

// TestServicesGetTheTraceContext passes on where the call stands in a trace, unless the library
// sets the header.
func TestServicesGetTheTraceContext(t *testing.T) {
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	ctx := runtime.WithTraceContext(t.Context(), runtime.TraceContext{Parent: parent, State: "a=b"})
	for own, want := range map[string]string{"": parent + " a=b", "mine": "mine a=b"} {
		x, c := &exchange{}, ServiceConfig{URL: templateOf("/w")}
		if own != "" {
			c.Headers = withHeader(nil, "Traceparent", own)
		}
		_, err := serviceOf(t, x, c, "", "").Invoke(ctx, []byte(`{}`), 0)
		if got := x.header.Get("traceparent") + " " + x.header.Get("tracestate"); err != nil || got != want {
			t.Errorf("%s %v; want %s", got, err, want)
		}
	}
	x := &exchange{}
	_, err := serviceOf(t, x, ServiceConfig{URL: templateOf("/w")}, "", "").Invoke(t.Context(), []byte(`{}`), 0)
	if err != nil || x.header["Traceparent"] != nil || x.header["Tracestate"] != nil {
		t.Errorf("%v %v", x.header, err)
	}
}
