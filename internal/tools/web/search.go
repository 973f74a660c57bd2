package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// A SearchConfig describes a web_search.
type SearchConfig struct {
	Name       string // empty means web_search
	Engine     string // SerpAPI, GoogleCustomSearch or Bing
	Key        string // for the engine
	ID         string // of the search engine that Google calls cx
	MaxResults int    // of one search; 0 means 5
	URL        string // in place of the engine's; its host is open wherever it is
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
	c.Name = cmp.Or(c.Name, "web_search")
	e, err := engineOf(c)
	if err != nil {
		return runtime.Tool{}, misconfigured(c.Name, "%w", err)
	}
	base, hosts, err := baseURL(c.URL, e.url)
	if err != nil {
		return runtime.Tool{}, misconfigured(c.Name, "%w", err)
	}
	client, err := newClient(hosts...)
	if err != nil {
		return runtime.Tool{}, misconfigured(c.Name, "%w", err)
	}
	if c.MaxResults == 0 {
		c.MaxResults = defaultResults
	}
	return newBuiltin(runtime.ToolConfig{
		Name:        c.Name,
		Description: "Performs web search using configured search API",
		Input:       json.RawMessage(searchInput),
		Output:      json.RawMessage(searchOutput),
		Execute: func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			return search(ctx, client, &c, e, base, args)
		},
	})
}

func engineOf(c SearchConfig) (engine, error) {
	for _, e := range engines {
		switch {
		case e.name != c.Engine:
			continue
		case c.Key == "":
			return engine{}, fmt.Errorf(`the key for %s is missing; the library can take it from the environment, as key: "${%s}"`, e.name, e.variable)
		case strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
			return engine{}, fmt.Errorf("the key for %s has whitespace or other characters that no key has", e.name)
		case e.name == "GoogleCustomSearch" && c.ID == "":
			return engine{}, errors.New("the id of the search engine is missing, which Google calls cx; give it as id")
		case c.MaxResults < 0 || c.MaxResults > e.most:
			return engine{}, fmt.Errorf("maxResults is %d; %s gives 1 to %d", c.MaxResults, e.name, e.most)
		}
		return e, nil
	}
	return engine{}, fmt.Errorf("the engine %q is not known; use SerpAPI, GoogleCustomSearch or Bing", c.Engine)
}

// baseURL returns the address of a service, and which hosts are to be opened:
// that of an address that was configured, wherever it is.
func baseURL(configured, otherwise string) (string, []string, error) {
	if configured == "" {
		return otherwise, nil, nil
	}
	u, err := url.Parse(configured)
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("url: %w", unwrapped(err))
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return "", nil, errors.New("url: it must start with https:// or http:// and a host")
	case u.User != nil, u.RawQuery != "", u.Fragment != "":
		return "", nil, errors.New("url: it may hold no user name, query or fragment")
	}
	return strings.TrimSuffix(configured, "/"), []string{u.Host}, nil
}

func search(ctx context.Context, client *http.Client, c *SearchConfig, e engine, base string, args json.RawMessage) (json.RawMessage, error) {
	in := struct {
		Query string `json:"query"`
		Num   *int   `json:"num_results"`
	}{}
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	n := c.MaxResults
	if in.Num != nil {
		n = min(n, *in.Num)
	}
	if err := checkQuery(in.Query); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, invalid("num_results is %d; it must be at least 1", n)
	}
	query, header := url.Values{"q": {in.Query}}, http.Header{}
	e.request(c, query, header, n)
	var answer json.RawMessage
	if err := getJSON(ctx, client, e.name, base+"?"+query.Encode(), header, &answer); err != nil {
		return nil, err
	}
	results, err := e.pages(answer)
	if err != nil {
		return nil, fmt.Errorf("%s answered something else than expected: %w", e.name, err)
	}
	results = results[:min(n, len(results))]
	if results == nil {
		results = []found{}
	}
	return plainjson.Marshal(struct {
		Results []found `json:"results"`
	}{results})
}

func checkQuery(query string) error {
	switch {
	case strings.TrimSpace(query) == "":
		return invalid("the query is empty")
	case len(query) > maxQuery:
		return invalid("the query has %d bytes; at most %d are allowed", len(query), maxQuery)
	}
	return nil
}

func invalid(format string, args ...any) error {
	return &runtime.ToolError{Kind: runtime.ToolValidation, Message: fmt.Sprintf(format, args...)}
}
