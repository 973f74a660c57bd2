package compile

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/golden"
)

// oldTools are the schemas of the tools in type-tools.gram, which are facts of
// the programs that had them: arguments and result.
var oldTools = map[string][2]string{
	"get_weather": {
		`{"type":"object","properties":{"city":{"type":"string","description":"City name"}},"required":["city"]}`,
		`{"type":"object","properties":{"temperature":{"type":"number"},"conditions":{"type":"string"}}}`,
	},
	"readFile": {
		`{"type":"object","properties":{"path":{"type":"string","description":"File path to read"}},"required":["path"]}`,
		`{"type":"object","properties":{"content":{"type":"string"},"size":{"type":"integer"}}}`,
	},
	"writeFile": {
		`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}`,
		`{"type":"object","properties":{"bytesWritten":{"type":"integer"}}}`,
	},
	"listDirectory": {
		`{"type":"object","properties":{"path":{"type":"string"},"recursive":{"type":"boolean","default":false}},"required":["path"]}`,
		`{"type":"object","properties":{"entries":{"type":"array","items":{"type":"object","properties":{
			"name":{"type":"string"},"type":{"enum":["file","directory"]},"size":{"type":"integer"}}}}}}`,
	},
	"webSearch": {
		`{"type":"object","properties":{"query":{"type":"string"},"num_results":{"type":"integer","default":5}},"required":["query"]}`,
		`{"type":"object","properties":{"results":{"type":"array","items":{"type":"object","properties":{
			"title":{"type":"string"},"snippet":{"type":"string"},"url":{"type":"string"}}}}}}`,
	},
	"calculator": {
		`{"type":"object","properties":{"expression":{"type":"string","description":"Math expression like '2 + 2'"}},"required":["expression"]}`,
		`{"type":"object","properties":{"result":{"type":"number"}}}`,
	},
	"wikipedia": {
		`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`,
		`{"type":"object","properties":{"summary":{"type":"string"},"url":{"type":"string"}}}`,
	},
	"webScraper": {
		`{"type":"object","properties":{"url":{"type":"string","format":"uri"},"selector":{"type":"string","description":"CSS selector (optional)"}},"required":["url"]}`,
		`{"type":"object","properties":{"text":{"type":"string"},"title":{"type":"string"}}}`,
	},
}

func TestOldToolsKeepTheirSchemas(t *testing.T) {
	text := golden.Read(t, filepath.Join(golden.Root(t), "testdata", "golden", "type-tools.gram"))
	program, problems := file(t, text, nil)
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	seen := map[string]bool{}
	for _, tool := range program.Agents[0].Tools {
		want := oldTools[tool.Name]
		seen[tool.Name] = true
		for i, got := range []json.RawMessage{tool.Schema(), tool.OutputSchema()} {
			if diff := cmp.Diff(normal(t, json.RawMessage(want[i])), normal(t, got)); diff != "" {
				t.Errorf("%s: %s", tool.Name, diff)
			}
		}
	}
	if len(seen) != len(oldTools) {
		t.Errorf("%d tools", len(seen))
	}
}

// TestOldToolsAreThoseOfTheDocument compares the table with the document that
// it was made from, where that is at hand.
func TestOldToolsAreThoseOfTheDocument(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(golden.Shared(t, "seeds"), "003_*.txt"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	text := golden.Read(t, files[0])
	schemas := regexp.MustCompile(`\*\*(Input|Output) Schema\*\*:\s+`+"```json\n"+`([^`+"`"+`]*)`+"```").FindAllStringSubmatch(text, -1)
	names := regexp.MustCompile(`(?m)^#### (\w+)Tool$`).FindAllStringSubmatchIndex(text, -1)
	if len(schemas) != 2*len(names) || len(names) != len(oldTools)-1 {
		t.Fatalf("%d schemas of %d tools", len(schemas), len(names))
	}
	for i, m := range schemas {
		at := names[i/2]
		name := text[at[2]:at[3]]
		which := strings.Index("InputOutput", m[1]) / len("Input")
		if diff := cmp.Diff(normal(t, json.RawMessage(m[2])), normal(t, json.RawMessage(oldTools[name][which]))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
