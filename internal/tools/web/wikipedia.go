package web

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// A WikipediaConfig describes a wikipedia tool.
type WikipediaConfig struct {
	Name     string // empty means wikipedia
	Language string // as in the host, such as "de"; empty means "en"
	URL      string // in place of https://LANGUAGE.wikipedia.org; its host is open wherever it is
}

const (
	wikipediaInput = `{
  "type": "object",
  "properties": {
    "query": { "type": "string" }
  },
  "required": ["query"]
}`
	wikipediaOutput = `{
  "type": "object",
  "properties": {
    "summary": { "type": "string" },
    "url": { "type": "string" }
  }
}`
)

var language = regexp.MustCompile(`^[a-z]{2,8}(-[a-z]{2,8}){0,3}$`)

// NewWikipedia returns the tool that looks up an article and returns its first
// paragraph. A config that does not work is a *[runtime.Error] of
// [runtime.KindConfiguration].
func NewWikipedia(c WikipediaConfig) (runtime.Tool, error) {
	name := cmp.Or(c.Name, "wikipedia")
	c.Language = cmp.Or(c.Language, "en")
	if !language.MatchString(c.Language) {
		return runtime.Tool{}, misconfigured(name, `the language %q is not one; write it as in the host of a Wikipedia, such as "en"`, c.Language)
	}
	base, hosts, err := baseURL(c.URL, "https://"+c.Language+".wikipedia.org")
	if err != nil {
		return runtime.Tool{}, misconfigured(name, "%w", err)
	}
	client, err := newClient(hosts...)
	if err != nil {
		return runtime.Tool{}, misconfigured(name, "%w", err)
	}
	return newBuiltin(runtime.ToolConfig{
		Name:        name,
		Description: "Searches Wikipedia and returns summary",
		Input:       json.RawMessage(wikipediaInput),
		Output:      json.RawMessage(wikipediaOutput),
		Execute: func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			return wikipedia{client, base}.lookUp(ctx, args)
		},
	})
}

// A wikipedia is one edition.
type wikipedia struct {
	client *http.Client
	base   string
}

func (w wikipedia) lookUp(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
	var in struct{ Query string }
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	if err := checkQuery(in.Query); err != nil {
		return nil, err
	}
	title, err := w.byTitle(ctx, in.Query)
	if err == nil && title == "" {
		title, err = w.byText(ctx, in.Query)
	}
	if err != nil {
		return nil, err
	}
	if title == "" {
		return nil, fmt.Errorf("Wikipedia has no article for %q; try other words", excerpt.Short(in.Query, 100))
	}
	return w.summary(ctx, title)
}

func (w wikipedia) api(ctx context.Context, query url.Values, answer any) error {
	query.Set("format", "json")
	return getJSON(ctx, w.client, "Wikipedia", w.base+"/w/api.php?"+query.Encode(), nil, answer)
}

// byTitle returns the article whose title starts like the words, or "".
func (w wikipedia) byTitle(ctx context.Context, words string) (string, error) {
	var answer []json.RawMessage
	err := w.api(ctx, url.Values{
		"action": {"opensearch"}, "search": {words}, "limit": {"1"}, "namespace": {"0"}, "redirects": {"resolve"},
	}, &answer)
	if err != nil || len(answer) < 2 {
		return "", err
	}
	var titles []string
	if err := json.Unmarshal(answer[1], &titles); err != nil || len(titles) == 0 {
		return "", err
	}
	return titles[0], nil
}

// byText returns the article that a search for the words finds first, or "".
func (w wikipedia) byText(ctx context.Context, words string) (string, error) {
	var answer struct {
		Query struct {
			Search []struct {
				Title string `json:"title"`
			} `json:"search"`
		} `json:"query"`
	}
	err := w.api(ctx, url.Values{
		"action": {"query"}, "list": {"search"}, "srsearch": {words}, "srlimit": {"1"}, "srnamespace": {"0"},
	}, &answer)
	if err != nil || len(answer.Query.Search) == 0 {
		return "", err
	}
	return answer.Query.Search[0].Title, nil
}

func (w wikipedia) summary(ctx context.Context, title string) (json.RawMessage, error) {
	var answer struct {
		Extract string `json:"extract"`
		URLs    struct {
			Desktop struct {
				Page string `json:"page"`
			} `json:"desktop"`
		} `json:"content_urls"`
	}
	path := "/api/rest_v1/page/summary/" + url.PathEscape(title)
	if err := getJSON(ctx, w.client, "Wikipedia", w.base+path, nil, &answer); err != nil {
		return nil, err
	}
	page := cmp.Or(answer.URLs.Desktop.Page, w.base+"/wiki/"+url.PathEscape(title))
	return plainjson.Marshal(struct {
		Summary string `json:"summary"`
		URL     string `json:"url"`
	}{answer.Extract, page})
}
