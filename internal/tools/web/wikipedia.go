package web

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"regexp"
	"sync"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/runtime"
)

// A WikipediaConfig describes a wikipedia tool.
type WikipediaConfig struct {
	Name     string // empty means wikipedia
	Language string // as in the host, such as "de"; empty means "en"
	URL      string // instead of https://LANGUAGE.wikipedia.org; its host is open wherever it is
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

var language = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z]{2,8}(-[a-z]{2,8}){0,3}$`) })

// NewWikipedia returns the tool that looks up an article and returns its first
// paragraph. A config that does not work is a *[runtime.Error] of
// [runtime.KindConfiguration].
func NewWikipedia(c WikipediaConfig) (runtime.Tool, error) {
	b := builtin{
		name:        cmp.Or(c.Name, "wikipedia"),
		description: "Searches Wikipedia and returns summary",
		input:       wikipediaInput,
		output:      wikipediaOutput,
	}
	c.Language = cmp.Or(c.Language, "en")
	if !language().MatchString(c.Language) {
		return b.refuse(fmt.Errorf(`the language %q is not one; write it as in the host of a Wikipedia, such as "en"`, c.Language))
	}
	s, err := newSite("Wikipedia", cmp.Or(c.URL, "https://"+c.Language+".wikipedia.org"), c.URL != "")
	if err != nil {
		return b.refuse(err)
	}
	return b.tool(builtinHandler(wikipedia{s}.lookUp))
}

// A wikipedia is one edition.
type wikipedia struct{ *site }

func (w wikipedia) lookUp(ctx context.Context, in struct{ Query string }) (any, error) {
	if err := checkSearchQuery(in.Query); err != nil {
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

func (w wikipedia) api(ctx context.Context, query url.Values, response any) error {
	query.Set("format", "json")
	return w.json(ctx, "/w/api.php?"+query.Encode(), nil, response)
}

// byTitle returns the article whose title starts like the words, or "".
func (w wikipedia) byTitle(ctx context.Context, words string) (string, error) {
	var titles []string
	response := [2]any{nil, &titles}
	err := w.api(ctx, url.Values{
		"action": {"opensearch"}, "search": {words}, "limit": {"1"}, "namespace": {"0"}, "redirects": {"resolve"},
	}, &response)
	if err != nil || len(titles) == 0 {
		return "", err
	}
	return titles[0], nil
}

// byText returns the article that a search for the words finds first, or "".
func (w wikipedia) byText(ctx context.Context, words string) (string, error) {
	var response struct {
		Query struct {
			Search []struct{ Title string }
		}
	}
	err := w.api(ctx, url.Values{
		"action": {"query"}, "list": {"search"}, "srsearch": {words}, "srlimit": {"1"}, "srnamespace": {"0"},
	}, &response)
	if err != nil || len(response.Query.Search) == 0 {
		return "", err
	}
	return response.Query.Search[0].Title, nil
}

func (w wikipedia) summary(ctx context.Context, title string) (any, error) {
	var response struct {
		Extract string
		URLs    struct {
			Desktop struct{ Page string }
		} `json:"content_urls"`
	}
	title = url.PathEscape(title)
	if err := w.json(ctx, "/api/rest_v1/page/summary/"+title, nil, &response); err != nil {
		return nil, err
	}
	return struct {
		Summary string `json:"summary"`
		URL     string `json:"url"`
	}{response.Extract, cmp.Or(response.URLs.Desktop.Page, w.base+"/wiki/"+title)}, nil
}
