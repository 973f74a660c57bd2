package web

import (
	"net/http"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

func fakeWikipedia(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	answer := ""
	switch {
	case q.Get("action") == "opensearch" && q.Get("search") == "Ada":
		answer = `["Ada",["Ada Lovelace"],[""],["https://en.wikipedia.org/wiki/Ada_Lovelace"]]`
	case q.Get("action") == "opensearch":
		answer = `["x",[],[],[]]`
	case q.Get("list") == "search" && q.Get("srsearch") == "slash":
		answer = `{"query":{"search":[{"title":"AC/DC?"}]}}`
	case q.Get("list") == "search" && q.Get("srsearch") == "lost":
		answer = `{"query":{"search":[{"title":"Lost"}]}}`
	case q.Get("list") == "search":
		answer = `{"query":{"search":[]}}`
	case r.URL.EscapedPath() == "/api/rest_v1/page/summary/Ada%20Lovelace":
		answer = `{"extract":"A mathematician <of> note.","content_urls":{"desktop":{"page":"https://en.wikipedia.org/wiki/Ada_Lovelace"}}}`
	case r.URL.EscapedPath() == "/api/rest_v1/page/summary/AC%2FDC%3F":
		answer = `{"extract":"A band."}`
	default:
		w.WriteHeader(http.StatusNotFound)
	}
	w.Write([]byte(answer))
}

func TestWikipedia(t *testing.T) {
	base, _ := serve(t, fakeWikipedia)
	tool, err := NewWikipedia(WikipediaConfig{URL: base + "/"})
	made(t, tool, err)
	for query, want := range map[string]string{
		"Ada":   `{"summary":"A mathematician <of> note.","url":"https://en.wikipedia.org/wiki/Ada_Lovelace"}`,
		"slash": `{"summary":"A band.","url":"` + base + `/wiki/AC%2FDC%3F"}`,
	} {
		if got, err := call(t, tool, `{"query":"`+query+`"}`); err != nil || got != want {
			t.Errorf("%s: %s, %v", query, got, err)
		}
	}
	_, err = call(t, tool, `{"query":"asdfgh"}`)
	wantToolError(t, err, runtime.ToolExecution, `no article for "asdfgh"`)
	_, err = call(t, tool, `{"query":"lost"}`)
	wantToolError(t, err, runtime.ToolExecution, "Wikipedia responded with 404 Not Found")
	_, err = call(t, tool, `{"query":""}`)
	wantToolError(t, err, runtime.ToolValidation, "empty")
}

func TestWikipediaLanguages(t *testing.T) {
	for _, language := range []string{"", "de", "simple", "zh-min-nan", "be-tarask"} {
		if _, err := NewWikipedia(WikipediaConfig{Language: language}); err != nil {
			t.Error(err)
		}
	}
	for _, language := range []string{"EN", "evil.test/", "en.", "e", "a-", "127.0.0.1:80/#"} {
		_, err := NewWikipedia(WikipediaConfig{Language: language})
		wantMisconfigured(t, err, "wikipedia: the language")
	}
	_, err := NewWikipedia(WikipediaConfig{URL: "wikipedia.test"})
	wantMisconfigured(t, err, "http")
}
