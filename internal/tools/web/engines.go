package web

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// An engine is a service that searches.
type engine struct {
	name     string
	url      string
	variable string // where a key is often kept
	most     int    // results of one request

	// The names of what a request needs: parameters of the query, and for the
	// key perhaps a header instead.
	count, key, keyHeader, id string

	fixed url.Values // the rest of the query
}

var engines = []engine{
	{
		name: "SerpAPI", url: "https://serpapi.com/search.json", variable: "SERPAPI_KEY", most: 100,
		count: "num", key: "api_key", fixed: url.Values{"engine": {"google"}},
	},
	{
		name: "GoogleCustomSearch", url: "https://www.googleapis.com/customsearch/v1", variable: "GOOGLE_SEARCH_KEY", most: 10,
		count: "num", key: "key", id: "cx",
	},
	{
		name: "Bing", url: "https://api.bing.microsoft.com/v7.0/search", variable: "BING_SEARCH_KEY", most: 50,
		count: "count", keyHeader: "Ocp-Apim-Subscription-Key",
	},
}

// engineOf returns the engine of a config, which must have what it needs.
func engineOf(c SearchConfig) (engine, error) {
	for _, e := range engines {
		switch {
		case e.name != c.Engine:
			continue
		case c.Key == "":
			return engine{}, fmt.Errorf(`the key for %s is missing; the library can take it from the environment, as key: "${%s}"`, e.name, e.variable)
		case strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
			return engine{}, fmt.Errorf("the key for %s has whitespace or other characters that no key has", e.name)
		case e.id != "" && c.ID == "":
			return engine{}, errors.New("the id of the search engine is missing, which Google calls cx; give it as id")
		case c.MaxResults < 0 || c.MaxResults > e.most:
			return engine{}, fmt.Errorf("maxResults is %d; %s gives 1 to %d", c.MaxResults, e.name, e.most)
		}
		return e, nil
	}
	return engine{}, fmt.Errorf("the engine %q is not known; use SerpAPI, GoogleCustomSearch or Bing", c.Engine)
}

// request returns the query and the headers of a request for n results.
func (e *engine) request(c *SearchConfig, words string, n int) (string, http.Header) {
	query := url.Values{"q": {words}, e.count: {strconv.Itoa(n)}, e.key: {c.Key}, e.id: {c.ID}}
	maps.Copy(query, e.fixed)
	query.Del("") // what the engine has no name for
	header := http.Header{}
	if e.keyHeader != "" {
		header.Set(e.keyHeader, c.Key)
	}
	return query.Encode(), header
}

// An engineResponse holds the results of each engine under its own names.
type engineResponse struct {
	Error    any
	SerpAPI  []engineEntry `json:"organic_results"`
	Google   []engineEntry `json:"items"`
	WebPages struct{ Value []engineEntry }
}

type engineEntry struct{ Title, Name, Snippet, Link, URL string }

// pages returns the results of a response, or the error that it reports.
func (r *engineResponse) pages() ([]found, error) {
	failure, _ := r.Error.(string)
	if failure != "" && !strings.Contains(failure, "any results") { // SerpAPI reports so when there are none
		return nil, errors.New(excerpt.Printable(failure, 500))
	}
	list := []found{}
	for _, p := range slices.Concat(r.SerpAPI, r.Google, r.WebPages.Value) {
		list = append(list, found{Title: cmp.Or(p.Title, p.Name), Snippet: p.Snippet, URL: cmp.Or(p.Link, p.URL)})
	}
	return list, nil
}
