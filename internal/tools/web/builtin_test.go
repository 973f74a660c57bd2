package web

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/runtime"
)

func builtins(t *testing.T) map[string]runtime.Tool {
	search, err := NewSearch(SearchConfig{Engine: "SerpAPI", Key: "k"})
	tools := map[string]runtime.Tool{"webSearchTool": made(t, search, err)}
	wiki, err := NewWikipedia(WikipediaConfig{})
	tools["wikipediaTool"] = made(t, wiki, err)
	scraper, err := NewScraper(ScraperConfig{})
	tools["webScraperTool"] = made(t, scraper, err)
	return tools
}

// TestSchemasAreThoseOfTheContract reads the conformance material.
func TestSchemasAreThoseOfTheContract(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(golden.Shared(t, "seeds"), "003_*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for title, tool := range builtins(t) {
		_, section, ok := strings.Cut(string(text), "#### "+title+"\n")
		if !ok {
			t.Fatalf("there is no section %s", title)
		}
		for _, part := range []struct {
			name string
			have json.RawMessage
		}{{"Input", tool.Input()}, {"Output", tool.Output()}} {
			_, block, _ := strings.Cut(section, "**"+part.name+" Schema**:\n```json\n")
			block, _, _ = strings.Cut(block, "```")
			if strings.TrimSpace(block) != string(part.have) {
				t.Errorf("%s: the %s schema is\n%s\nwant\n%s", title, part.name, part.have, block)
			}
		}
		_, description, _ := strings.Cut(section, "**Description**: ")
		if !strings.HasPrefix(description, tool.Description()) {
			t.Errorf("%s says %q", title, tool.Description())
		}
	}
}

func TestAgentsDescribeBuiltinsButDoNotChangeTheirArguments(t *testing.T) {
	names := map[string]bool{}
	for _, tool := range builtins(t) {
		names[tool.Name()] = true
		bound, err := bind(t, tool, "")
		if err != nil || bound.Description() != "Of the agent" {
			t.Errorf("%s: %v, %q", tool.Name(), err, bound.Description())
		}
		_, err = bind(t, tool, `{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`)
		if err == nil || !strings.Contains(err.Error(), "/properties/q") {
			t.Errorf("%s: %v", tool.Name(), err)
		}
	}
	if !names["web_search"] || !names["wikipedia"] || !names["web_scraper"] {
		t.Errorf("the names are %v", names)
	}
}
