package web

import (
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
	results  func(answer json.RawMessage) ([]found, error)
}

var engines = []engine{
	{
		name: "SerpAPI", url: "https://serpapi.com/search.json", variable: "SERPAPI_KEY", most: 100,
		request: func(c *SearchConfig, query url.Values, _ http.Header, n int) {
			query.Set("engine", "google")
			query.Set("num", strconv.Itoa(n))
			query.Set("api_key", c.Key)
		},
		results: serpResults,
	},
	{
		name: "GoogleCustomSearch", url: "https://www.googleapis.com/customsearch/v1", variable: "GOOGLE_SEARCH_KEY", most: 10,
		request: func(c *SearchConfig, query url.Values, _ http.Header, n int) {
			query.Set("key", c.Key)
			query.Set("cx", c.ID)
			query.Set("num", strconv.Itoa(n))
		},
		results: googleResults,
	},
	{
		name: "Bing", url: "https://api.bing.microsoft.com/v7.0/search", variable: "BING_SEARCH_KEY", most: 50,
		request: func(c *SearchConfig, query url.Values, header http.Header, n int) {
			query.Set("count", strconv.Itoa(n))
			header.Set("Ocp-Apim-Subscription-Key", c.Key)
		},
		results: bingResults,
	},
}

func serpResults(answer json.RawMessage) ([]found, error) {
	var a struct {
		Error   string `json:"error"`
		Organic []struct {
			Title   string `json:"title"`
			Snippet string `json:"snippet"`
			Link    string `json:"link"`
		} `json:"organic_results"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, err
	}
	if a.Error != "" && !strings.Contains(a.Error, "any results") { // it says so when there are none
		return nil, errors.New(excerpt.Printable(a.Error, 500))
	}
	var list []found
	for _, r := range a.Organic {
		list = append(list, found{Title: r.Title, Snippet: r.Snippet, URL: r.Link})
	}
	return list, nil
}

func googleResults(answer json.RawMessage) ([]found, error) {
	var a struct {
		Items []struct {
			Title   string `json:"title"`
			Snippet string `json:"snippet"`
			Link    string `json:"link"`
		} `json:"items"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, err
	}
	var list []found
	for _, r := range a.Items {
		list = append(list, found{Title: r.Title, Snippet: r.Snippet, URL: r.Link})
	}
	return list, nil
}

func bingResults(answer json.RawMessage) ([]found, error) {
	var a struct {
		Pages struct {
			Value []struct {
				Name    string `json:"name"`
				Snippet string `json:"snippet"`
				URL     string `json:"url"`
			} `json:"value"`
		} `json:"webPages"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, err
	}
	var list []found
	for _, r := range a.Pages.Value {
		list = append(list, found{Title: r.Name, Snippet: r.Snippet, URL: r.URL})
	}
	return list, nil
}
