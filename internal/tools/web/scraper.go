package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"golang.org/x/net/html"

	"github.com/gram-lang/gramc/internal/guard"
	"github.com/gram-lang/gramc/internal/plainjson"
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
	name := cmp.Or(c.Name, "web_scraper")
	client, err := newClient(c.AllowHosts...)
	if err != nil {
		return runtime.Tool{}, misconfigured(name, "%w", err)
	}
	return newBuiltin(runtime.ToolConfig{
		Name:        name,
		Description: "Fetches and extracts text from web pages",
		Input:       json.RawMessage(scraperInput),
		Output:      json.RawMessage(scraperOutput),
		Execute: func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			return scrape(ctx, client, args)
		},
	})
}

type scraped struct {
	Text  string `json:"text"`
	Title string `json:"title"`
}

func scrape(ctx context.Context, client *http.Client, args json.RawMessage) (json.RawMessage, error) {
	var in struct{ URL, Selector string }
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	var chosen *selector
	if strings.TrimSpace(in.Selector) != "" {
		var err error
		if chosen, err = parseSelector(in.Selector); err != nil {
			return nil, &runtime.ToolError{Kind: runtime.ToolValidation, Message: "selector: " + err.Error(), Err: err}
		}
	}
	answer, err := get(ctx, client, in.URL, nil)
	var large *guard.TooLargeError
	if err != nil && !errors.As(err, &large) {
		return nil, err
	}
	if answer.Status/100 != 2 {
		return nil, fmt.Errorf("the page answered %s", statusLine(answer.Status))
	}
	page, err := readPage(answer, chosen)
	if err != nil {
		return nil, err
	}
	if large != nil {
		page.Text += "\n[the page is larger than 1 MiB; the rest of it was left out]"
	}
	return plainjson.Marshal(page)
}

// readPage makes text of an answer that is a page, or text already.
func readPage(a *guard.Response, chosen *selector) (scraped, error) {
	kind := mediaType(a)
	if kind == "" {
		kind, _, _ = strings.Cut(http.DetectContentType(a.Body), ";")
	}
	switch {
	case isHTML(kind):
	case chosen != nil:
		return scraped{}, fmt.Errorf("the page is %s and not HTML; leave out the selector", kind)
	case strings.HasPrefix(kind, "text/"), isJSON(kind), kind == "application/xml", strings.HasSuffix(kind, "+xml"):
		return scraped{Text: decoded(a)}, nil
	default:
		return scraped{}, fmt.Errorf("the page is %s and has no text", kind)
	}
	root, err := html.Parse(strings.NewReader(decoded(a)))
	if err != nil {
		return scraped{}, fmt.Errorf("the page cannot be read: %w", err)
	}
	page := scraped{Title: titleOf(root)}
	if chosen == nil {
		page.Text, err = textOf(root)
		return page, err
	}
	found, err := chosen.find(root)
	if err != nil {
		return scraped{}, err
	}
	if len(found) == 0 {
		return scraped{}, errors.New("nothing on the page matches the selector; leave it out to get the whole text")
	}
	page.Text, err = textOf(found...)
	return page, err
}
