package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

// fakeEngines answers as the three services do; the path says which.
func fakeEngines(t *testing.T) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		var authorized bool
		var answer string
		switch r.URL.Path {
		case "/serp":
			authorized = q.Get("api_key") == "the-key" && q.Get("engine") == "google" && q.Get("num") != ""
			answer = `{"organic_results":[{"title":"One","snippet":"first","link":"https://one.test/"},{"title":"Two","link":"https://two.test/"},{"title":"Three"}]}`
			if q.Get("q") == "nothing" {
				answer = `{"error":"Google hasn't returned any results for this query."}`
			}
			if q.Get("q") == "broken" {
				answer = `{"error":"Your account has run out of searches."}`
			}
		case "/google":
			authorized = q.Get("key") == "the-key" && q.Get("cx") == "the-id" && q.Get("num") != ""
			answer = `{"items":[{"title":"One","snippet":"first","link":"https://one.test/"},{"title":"Two","link":"https://two.test/"},{"title":"Three"}]}`
			if q.Get("q") == "nothing" {
				answer = `{"searchInformation":{}}`
			}
			if q.Get("q") == "broken" {
				answer = `{"items":3}`
			}
		case "/bing":
			authorized = r.Header.Get("Ocp-Apim-Subscription-Key") == "the-key" && q.Get("count") != ""
			answer = `{"webPages":{"value":[{"name":"One","snippet":"first","url":"https://one.test/"},{"name":"Two","url":"https://two.test/"},{"name":"Three"}]}}`
			if q.Get("q") == "nothing" {
				answer = `{}`
			}
			if q.Get("q") == "broken" {
				answer = `<html>`
			}
		}
		if !authorized {
			w.WriteHeader(http.StatusUnauthorized)
			answer = `{"error": "bad\u0007 key", "at": ` + "\x1b" + `}`
		}
		w.Write([]byte(answer))
	}
}

var engineConfigs = []SearchConfig{
	{Engine: "SerpAPI", Key: "the-key", URL: "/serp"},
	{Engine: "GoogleCustomSearch", Key: "the-key", ID: "the-id", URL: "/google"},
	{Engine: "Bing", Key: "the-key", URL: "/bing"},
}

func TestSearchTellsWhatEachEngineFinds(t *testing.T) {
	base, _ := serve(t, fakeEngines(t))
	for _, c := range engineConfigs {
		c.URL = base + c.URL
		tool, err := NewSearch(c)
		made(t, tool, err)
		got, err := call(t, tool, `{"query":"a & b?"}`)
		want := `{"results":[{"title":"One","snippet":"first","url":"https://one.test/"},{"title":"Two","snippet":"","url":"https://two.test/"},{"title":"Three","snippet":"","url":""}]}`
		if err != nil || got != want {
			t.Errorf("%s: %s, %v", c.Engine, got, err)
		}
		got, err = call(t, tool, `{"query":"x","num_results":1}`)
		if err != nil || strings.Count(got, "title") != 1 {
			t.Errorf("%s, one result: %s, %v", c.Engine, got, err)
		}
		if got, err = call(t, tool, `{"query":"nothing"}`); err != nil || got != `{"results":[]}` {
			t.Errorf("%s, no result: %s, %v", c.Engine, got, err)
		}
		_, err = call(t, tool, `{"query":"broken"}`)
		wantToolError(t, err, runtime.ToolExecution, c.Engine)
		c.Key = "another"
		tool, err = NewSearch(c)
		_, err = call(t, made(t, tool, err), `{"query":"x"}`)
		wantToolError(t, err, runtime.ToolExecution, c.Engine+" responded with 401 Unauthorized: {", "bad")
		if strings.Contains(err.Error(), "\x1b") || strings.Contains(err.Error(), "another") {
			t.Errorf("%q", err)
		}
	}
}

func TestSearchAsksForNoMoreThanMaxResults(t *testing.T) {
	var asked string
	base, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Query().Get("num")
		w.Write([]byte(`{"organic_results":[{},{},{},{},{},{},{},{},{},{}]}`))
	})
	for _, tt := range []struct {
		most       int
		args, want string
	}{{0, ``, "5"}, {0, `,"num_results":9`, "5"}, {0, `,"num_results":2`, "2"}, {8, `,"num_results":20`, "8"}, {3, ``, "3"}} {
		tool, err := NewSearch(SearchConfig{Engine: "SerpAPI", Key: "k", MaxResults: tt.most, URL: base})
		got, err := call(t, made(t, tool, err), `{"query":"x"`+tt.args+`}`)
		var result struct{ Results []json.RawMessage }
		if err != nil || json.Unmarshal([]byte(got), &result) != nil || asked != tt.want || len(result.Results) != int(tt.want[0]-'0') {
			t.Errorf("%+v: asked for %s, got %s, %v", tt, asked, got, err)
		}
	}
	tool, err := NewSearch(SearchConfig{Engine: "SerpAPI", Key: "k", URL: base})
	made(t, tool, err)
	for _, args := range []string{`{"query":"x","num_results":0}`, `{"query":" "}`, `{"query":"` + strings.Repeat("x", 2000) + `"}`, `{}`} {
		_, err := call(t, tool, args)
		wantToolError(t, err, runtime.ToolValidation)
	}
}

func TestSearchNeedsItsConfiguration(t *testing.T) {
	for _, tt := range []struct {
		config SearchConfig
		words  []string
	}{
		{SearchConfig{}, []string{`web_search: the engine ""`, "SerpAPI, GoogleCustomSearch or Bing"}},
		{SearchConfig{Engine: "Altavista", Key: "k"}, []string{`"Altavista"`}},
		{SearchConfig{Name: "find", Engine: "SerpAPI"}, []string{"find: the key for SerpAPI is missing", "${SERPAPI_KEY}"}},
		{SearchConfig{Engine: "Bing"}, []string{"the key for Bing is missing"}},
		{SearchConfig{Engine: "Bing", Key: "secret\r\nX: y"}, []string{"whitespace"}},
		{SearchConfig{Engine: "GoogleCustomSearch", Key: "k"}, []string{"cx"}},
		{SearchConfig{Engine: "GoogleCustomSearch", Key: "k", ID: "i", MaxResults: 11}, []string{"1 to 10"}},
		{SearchConfig{Engine: "SerpAPI", Key: "k", MaxResults: -1}, []string{"1 to 100"}},
		{SearchConfig{Engine: "SerpAPI", Key: "k", URL: "ftp://x"}, []string{"http://"}},
		{SearchConfig{Engine: "SerpAPI", Key: "k", URL: "https://u:secret@x"}, []string{"user name"}},
		{SearchConfig{Engine: "SerpAPI", Key: "k", URL: "https://x:y"}, []string{"url: "}},
	} {
		_, err := NewSearch(tt.config)
		wantMisconfigured(t, err, tt.words...)
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%v holds the secret", err)
		}
	}
}
