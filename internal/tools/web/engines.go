package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// An engine is what differs between the services that search.
type engine struct {
	name     string
	url      string
	variable string // where a key is often kept
	most     int    // results of one request
	request  func(c *SearchConfig, query url.Values, header http.Header, n int)
	list     []string // the keys of the results in an answer
}

var engines = []engine{
	{
		name: "SerpAPI", url: "https://serpapi.com/search.json", variable: "SERPAPI_KEY", most: 100,
		request: func(c *SearchConfig, query url.Values, _ http.Header, n int) {
			query.Set("engine", "google")
			query.Set("num", strconv.Itoa(n))
			query.Set("api_key", c.Key)
		},
		list: []string{"organic_results"},
	},
	{
		name: "GoogleCustomSearch", url: "https://www.googleapis.com/customsearch/v1", variable: "GOOGLE_SEARCH_KEY", most: 10,
		request: func(c *SearchConfig, query url.Values, _ http.Header, n int) {
			query.Set("key", c.Key)
			query.Set("cx", c.ID)
			query.Set("num", strconv.Itoa(n))
		},
		list: []string{"items"},
	},
	{
		name: "Bing", url: "https://api.bing.microsoft.com/v7.0/search", variable: "BING_SEARCH_KEY", most: 50,
		request: func(c *SearchConfig, query url.Values, header http.Header, n int) {
			query.Set("count", strconv.Itoa(n))
			header.Set("Ocp-Apim-Subscription-Key", c.Key)
		},
		list: []string{"webPages", "value"},
	},
}

// An entry is a result as the engines write it: they have different names for the same.
type entry struct{ Title, Name, Snippet, Link, URL string }

// pages returns the results of an answer, none where it has no list of them.
func (e *engine) pages(answer json.RawMessage) ([]found, error) {
	for _, key := range e.list {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(answer, &members); err != nil {
			return nil, err
		}
		var failure string
		_ = json.Unmarshal(members["error"], &failure)
		if failure != "" && !strings.Contains(failure, "any results") { // SerpAPI says so when there are none
			return nil, errors.New(excerpt.Printable(failure, 500))
		}
		if answer = members[key]; answer == nil {
			return nil, nil
		}
	}
	var pages []entry
	if err := json.Unmarshal(answer, &pages); err != nil {
		return nil, err
	}
	var list []found
	for _, p := range pages {
		list = append(list, found{Title: cmp.Or(p.Title, p.Name), Snippet: p.Snippet, URL: cmp.Or(p.Link, p.URL)})
	}
	return list, nil
}
