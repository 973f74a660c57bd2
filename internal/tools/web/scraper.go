package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/net/html"

	"github.com/gram-lang/gramc/internal/guard"
	"github.com/gram-lang/gramc/runtime"
)

// A ScraperConfig describes a web_scraper.
type ScraperConfig struct {
	Name       string   // empty means web_scraper
	AllowHosts []string // open also in the private network; see [guard.Options]
}

const (
	scraperInput = `{
  "type": "object",
  "properties": {
    "url": { "type": "string", "format": "uri" },
    "selector": { "type": "string", "description": "CSS selector (optional)" }
  },
  "required": ["url"]
}`
	scraperOutput = `{
  "type": "object",
  "properties": {
    "text": { "type": "string" },
    "title": { "type": "string" }
  }
}`
)

// NewScraper returns the tool that fetches a web page and returns its title and
// its text, or that of the elements that a CSS selector finds.
func NewScraper(c ScraperConfig) (runtime.Tool, error) {
	b := builtin{
		name:        cmp.Or(c.Name, "web_scraper"),
		description: "Fetches and extracts text from web pages",
		input:       scraperInput,
		output:      scraperOutput,
	}
	client, err := newRequestClient(c.AllowHosts...)
	if err != nil {
		return b.refuse(err)
	}
	return b.tool(builtinHandler(func(ctx context.Context, in struct{ URL, Selector string }) (any, error) {
		return scrape(ctx, client, in.URL, in.Selector)
	}))
}

type scraped struct {
	Text  string `json:"text"`
	Title string `json:"title"`
}

func scrape(ctx context.Context, client *http.Client, url, css string) (any, error) {
	var chosen *selector
	if strings.TrimSpace(css) != "" {
		var err error
		if chosen, err = parseSelector(css); err != nil {
			return nil, invalidRequest("selector: %w", err)
		}
	}
	response, err := getRequest(ctx, client, url, nil)
	var large *guard.TooLargeError
	if err != nil && !errors.As(err, &large) {
		return nil, err
	}
	if response.Status/100 != 2 {
		return nil, fmt.Errorf("the page responded with %s", requestStatusLine(response.Status))
	}
	page, err := readScrapedPage(response, chosen)
	if err != nil {
		return nil, err
	}
	if large != nil {
		page.Text += "\n[the page is larger than 1 MiB; the rest of it was left out]"
	}
	return page, nil
}

// readScrapedPage makes text of a response that is a page, or text already.
func readScrapedPage(r *guard.Response, chosen *selector) (scraped, error) {
	kind := mediaType(r)
	if kind == "" {
		kind, _, _ = strings.Cut(http.DetectContentType(r.Body), ";")
	}
	switch {
	case isHTMLMediaType(kind):
	case chosen != nil:
		return scraped{}, fmt.Errorf("the page is %s and not HTML; leave out the selector", kind)
	case strings.HasPrefix(kind, "text/"), isJSONMediaType(kind), kind == "application/xml", strings.HasSuffix(kind, "+xml"):
		return scraped{Text: decodeMediaType(r)}, nil
	default:
		return scraped{}, fmt.Errorf("the page is %s and has no text", kind)
	}
	root, err := html.Parse(strings.NewReader(decodeMediaType(r)))
	if err != nil {
		return scraped{}, fmt.Errorf("the page cannot be read: %w", err)
	}
	found := []*html.Node{root}
	if chosen != nil {
		if found, err = chosen.find(root); err != nil {
			return scraped{}, err
		}
		if len(found) == 0 {
			return scraped{}, errors.New("nothing on the page matches the selector; leave it out to get the whole text")
		}
	}
	text, err := textOf(found...)
	return scraped{text, titleOf(root)}, err
}
