package web

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/runtime"
)

// A SearchConfig describes a web_search.
type SearchConfig struct {
	Name       string // empty means web_search
	Engine     string // SerpAPI, GoogleCustomSearch or Bing
	Key        string // for the engine
	ID         string // of the search engine that Google calls cx
	MaxResults int    // of one search; 0 means 5
	URL        string // instead of the engine's; its host is open wherever it is
}

const (
	searchInput = `{
  "type": "object",
  "properties": {
    "query": { "type": "string" },
    "num_results": { "type": "integer", "default": 5 }
  },
  "required": ["query"]
}`
	searchOutput = `{
  "type": "object",
  "properties": {
    "results": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "title": { "type": "string" },
          "snippet": { "type": "string" },
          "url": { "type": "string" }
        }
      }
    }
  }
}`
	defaultResults = 5
	maxQuery       = 1000 // bytes; the URL must hold it
)

// A found page is one result of a search.
type found struct {
	Title   string `json:"title"`
	Snippet string `json:"snippet"`
	URL     string `json:"url"`
}

// NewSearch returns the tool that searches the web. A config without what the
// engine needs is a *[runtime.Error] of [runtime.KindConfiguration].
func NewSearch(c SearchConfig) (runtime.Tool, error) {
	b := builtin{
		name:        cmp.Or(c.Name, "web_search"),
		description: "Performs web search using configured search API",
		input:       searchInput,
		output:      searchOutput,
	}
	e, err := engineOf(c)
	if err != nil {
		return b.refuse(err)
	}
	s, err := newSite(e.name, cmp.Or(c.URL, e.url), c.URL != "")
	if err != nil {
		return b.refuse(err)
	}
	c.MaxResults = cmp.Or(c.MaxResults, defaultResults)
	type arguments struct {
		Query string `json:"query"`
		Num   *int   `json:"num_results"`
	}
	return b.tool(builtinHandler(func(ctx context.Context, in arguments) (any, error) {
		n := c.MaxResults
		if in.Num != nil {
			n = min(n, *in.Num)
		}
		if n < 1 {
			return nil, invalidRequest("num_results is %d; it must be at least 1", n)
		}
		return search(ctx, s, &e, &c, in.Query, n)
	}))
}

func search(ctx context.Context, s *site, e *engine, c *SearchConfig, words string, n int) (any, error) {
	if err := checkSearchQuery(words); err != nil {
		return nil, err
	}
	query, header := e.request(c, words, n)
	var r engineResponse
	if err := s.json(ctx, "?"+query, header, &r); err != nil {
		return nil, err
	}
	results, err := r.pages()
	if err != nil {
		return nil, fmt.Errorf("%s reports: %w", e.name, err)
	}
	return struct {
		Results []found `json:"results"`
	}{results[:min(n, len(results))]}, nil
}

func checkSearchQuery(query string) error {
	switch {
	case strings.TrimSpace(query) == "":
		return invalidRequest("the query is empty")
	case len(query) > maxQuery:
		return invalidRequest("the query has %d bytes; at most %d are allowed", len(query), maxQuery)
	}
	return nil
}
