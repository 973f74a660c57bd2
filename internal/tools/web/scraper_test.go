package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

const page = `<!DOCTYPE html><html><head><title> The
  page </title><style>p{}</style><meta name="x" content="y"></head><body>
<h1>Heading</h1><script>alert("no")</script><noscript>no</noscript><template>no</template><div hidden>no</div><svg><title>no</title></svg>
<p class="intro">One   <b>bold</b><i>word</i>,
 and <a href="/x">a link</a>.</p><p>Two<br>lines</p>
<ul><li>first</li><li> second <ul><li>inner</li></ul></li></ul>
<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ada</td><td> 36 </td></tr></table>
<pre>  keep
    this</pre><p></p><div><div><div>deep</div></div></div>&lt;end&gt;&nbsp;&amp;</body></html>`

const pageText = `Heading
One boldword, and a link.
Two
lines
first
second
inner
Name | Age
Ada | 36
  keep
    this
deep
<end> &`

// scraper returns a scraper for a server with this handler, and its URL.
func scraper(t *testing.T, handler http.HandlerFunc) (runtime.Tool, string) {
	t.Helper()
	url, host := serve(t, handler)
	tool, err := NewScraper(ScraperConfig{AllowHosts: []string{host}})
	return made(t, tool, err), url
}

// scrapeOne calls a scraper.
func scrapeOne(t *testing.T, tool runtime.Tool, url, selector string) (scraped, error) {
	t.Helper()
	args := map[string]string{"url": url}
	if selector != "" {
		args["selector"] = selector
	}
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	var s scraped
	got, err := call(t, tool, string(text))
	if err == nil {
		err = json.Unmarshal([]byte(got), &s)
	}
	return s, err
}

func TestScraperTellsTheTextAsPeopleSeeIt(t *testing.T) {
	tool, url := scraper(t, answers("text/html; charset=utf-8", page))
	got, err := scrapeOne(t, tool, url, "")
	if want := (scraped{pageText, "The page"}); err != nil || got != want {
		t.Errorf("%v\n%q\nwant\n%q", err, got, want)
	}
}

func TestScraperTellsWhatTheSelectorFinds(t *testing.T) {
	tool, url := scraper(t, answers("text/html", page))
	for selector, want := range map[string]string{
		"h1":                             "Heading",
		"p.intro":                        "One boldword, and a link.",
		"p":                              "One boldword, and a link.\nTwo\nlines",
		"li":                             "first\nsecond\ninner",
		"ul ul li":                       "inner",
		"td":                             "Ada\n36",
		"td:last-child":                  "36",
		"table, h1":                      "Heading\nName | Age\nAda | 36",
		"div":                            "no\ndeep",
		"pre":                            "  keep\n    this",
		"head > title":                   "The page",
		"script":                         `alert("no")`,
		"a[href='/x']":                   "a link",
		" body > h1 ~ p.intro , h1~pre ": "One boldword, and a link.\n  keep\n    this",
	} {
		if got, err := scrapeOne(t, tool, url, selector); err != nil || strings.TrimRight(got.Text, "\n") != want {
			t.Errorf("%s: %q, %v", selector, got.Text, err)
		}
	}
	_, err := scrapeOne(t, tool, url, "article")
	wantToolError(t, err, runtime.ToolExecution, "nothing on the page matches")
	_, err = scrapeOne(t, tool, url, "p:has(b)")
	wantToolError(t, err, runtime.ToolValidation, "selector: it may not use :has")
}

func TestScraperTakesTextAndRefusesTheRest(t *testing.T) {
	for _, tt := range []struct {
		contentType, body, want string
		says                    string // instead
	}{
		{"text/plain", "a <b> c", "a <b> c", ""},
		{"application/json", `{"a":1}`, `{"a":1}`, ""},
		{"application/atom+xml", `<a/>`, `<a/>`, ""},
		{"application/xhtml+xml", `<p>a</p>`, `a`, ""},
		{"TEXT/HTML;;", `<p>a</p>`, `a`, ""},
		{"", `<!DOCTYPE html><p>a</p>`, `a`, ""},
		{"text/html", "", "", ""},
		{"image/png", "\x89PNG", "", "the page is image/png"},
		{"application/pdf", "%PDF", "", "application/pdf"},
		{"", "\x00\x01\x02", "", "application/octet-stream"},
		{"text/html", strings.Repeat("<div>", 600), "", "exceeds 512"},
	} {
		tool, url := scraper(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			if tt.contentType != "" {
				w.Header().Set("Content-Type", tt.contentType)
			}
			w.Write([]byte(tt.body))
		})
		got, err := scrapeOne(t, tool, url, "")
		if tt.says != "" {
			wantToolError(t, err, runtime.ToolExecution, tt.says)
		} else if err != nil || got.Text != tt.want {
			t.Errorf("%s: %q, %v", tt.contentType, got.Text, err)
		}
	}
	tool, url := scraper(t, answers("text/plain", "x"))
	_, err := scrapeOne(t, tool, url, "p")
	wantToolError(t, err, runtime.ToolExecution, "text/plain and not HTML")
}

func TestScraperReadsEncodings(t *testing.T) {
	for _, tt := range []struct{ contentType, body, want string }{
		{"text/html; charset=iso-8859-1", "<p>caf\xe9", "café"},
		{"text/html", `<meta charset="windows-1251"><p>` + "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"},
		{"text/html", `<meta http-equiv="Content-Type" content="text/html; charset=shift_jis"><p>` + "\x93\xfa\x96\x7b", "日本"},
		{"text/html", "<p>caf\xc3\xa9", "café"},
		{"text/html", "<p>" + strings.Repeat("x", 2000) + "\xc3\xa9", strings.Repeat("x", 2000) + "é"},
		{"text/html", "<p>caf\xe9", "café"},
		{"text/html", "\xff\xfe<\x00p\x00>\x00\xe9\x00", "é"},
		{"text/html; charset=utf-8", "<p>caf\xe9!", "caf\ufffd!"},
		{"text/html; charset=nonsense", "<p>caf\xc3\xa9", "café"},
		{"text/plain", "\xef\xbb\xbfcaf\xc3\xa9", "café"},
		{"text/plain", `<meta charset="utf-16"> text`, `<meta charset="utf-16"> text`},
	} {
		tool, url := scraper(t, answers(tt.contentType, tt.body))
		if got, err := scrapeOne(t, tool, url, ""); err != nil || got.Text != tt.want {
			t.Errorf("%s %q: %q, %v", tt.contentType, tt.body, got.Text, err)
		}
	}
}

func TestScraperIsBounded(t *testing.T) {
	tool, url := scraper(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/large":
			fmt.Fprint(w, "<title>t</title><p>start", strings.Repeat(" word", 1<<19))
		case "/private":
			http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
		default:
			w.WriteHeader(http.StatusTeapot)
		}
	})
	got, err := scrapeOne(t, tool, url+"/large", "")
	if err != nil || got.Title != "t" || !strings.HasPrefix(got.Text, "start word") || !strings.HasSuffix(got.Text, "the rest of it was left out]") {
		t.Errorf("%d bytes, %v", len(got.Text), err)
	}
	_, err = scrapeOne(t, tool, url+"/private", "")
	wantToolError(t, err, runtime.ToolAuthorization, "web address 169.254.169.254 is private")
	_, err = scrapeOne(t, tool, "http://localhost/", "")
	wantToolError(t, err, runtime.ToolAuthorization, "is private")
	_, err = scrapeOne(t, tool, url+"/teapot", "")
	wantToolError(t, err, runtime.ToolExecution, "the page responded with 418")
	_, err = scrapeOne(t, tool, "not an address", "")
	wantToolError(t, err, runtime.ToolValidation)
	_, err = NewScraper(ScraperConfig{AllowHosts: []string{"http://x"}})
	wantMisconfigured(t, err, `web_scraper: allowHosts: "http://x"`)
}
