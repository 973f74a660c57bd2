package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

// TestTheToolsForCodingAgents calls each tool. The working directory has a file
// that an imported path names, which they must not read.
func TestTheToolsForCodingAgents(t *testing.T) {
	t.Chdir(t.TempDir())
	const types = "[Unit:Enum {values: [\"km\", \"mi\"]}]\n"
	if err := os.WriteFile("types.gram", []byte(types), 0o600); err != nil {
		t.Fatal(err)
	}
	const importing = `{import: [\"./types.gram\"]}\n[t:Tool {description: \"d\"} | (x::Unit)==>(::Text)]\n`
	tools, err := commandTools()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]runtime.Tool{}
	for _, tool := range tools {
		byName[tool.Name()] = tool
	}
	if len(byName) != 7 {
		t.Errorf("%d tools", len(byName))
	}
	for _, test := range []struct {
		tool, args, want string
		fails            bool
	}{
		{"check_gram", `{"text": "[t:Tool {description: \"d\"} | (x::Txt)==>(::Text)]"}`, `"unknown-type"`, false},
		{"check_gram", `{"text": "` + importing + `"}`, `"import-not-found"`, false},
		{"check_gram", `{"text": "` + importing + `", "files": {"./types.gram": "[Unit:Type {format: email} | (::Text)]"}}`, `"diagnostics": []`, false},
		{"check_gram", `{"text": "` + importing + `", "files": {"./types.gram": "[Unit:Type {format: emil} | (::Text)]"}}`, `"path": "types.gram"`, false},
		{"fix_gram", `{"text": "[t:Tool {descripton: \"d\"} | (x::Text)==>(::Text)]"}`, `{description: "d"}`, false},
		{"fix_gram", `{"text": "[t"}`, `[t`, false},
		{"format_gram", `{"text": "[t:Tool{description:\"d\"}|(x::Text)==>(::Text)]"}`, `[t:Tool {description: "d"} | (x::Text)==>(::Text)]`, false},
		{"format_gram", `{"text": "[t"}`, `missing`, true},
		{"schema_of_gram", `{"text": "[t:Tool {description: \"d\"} | (x::Int)==>(::Text)]"}`, `"integer"`, false},
		{"schema_of_gram", `{"text": "[t:Tool {description: \"d\"} | (x::Map)==>(::Text)]", "target": "openai-strict"}`, "target-refuses", true},
		{"schema_of_gram", `{"text": "[a]", "target": "--help"}`, `--target`, true},
		{"explain_diagnostic", `{"code": "unknown-type"}`, "Right:", false},
		{"explain_diagnostic", `{"code": "--help"}`, `there is no code`, true},
		{"import_tools", `{"text": "[{\"name\": \"f\", \"description\": \"d\", \"input_schema\": {\"type\": \"object\"}}]"}`, "[f:Tool ", false},
		{"import_tools", `{"text": "nothing"}`, "error", true},
		{"gram_guide", `{}`, guideHeading, false},
	} {
		result, err := byName[test.tool].Invoke(t.Context(), json.RawMessage(test.args), time.Minute)
		got := string(result)
		if err != nil {
			got = err.Error()
		} else if json.Unmarshal(result, &got) != nil {
			t.Errorf("%s: %s is no text", test.tool, result)
		}
		if (err != nil) != test.fails || !strings.Contains(got, test.want) {
			t.Errorf("%s %s: %v\n%s", test.tool, test.args, err, got)
		}
	}
	files, _ := filepath.Glob("*")
	if text, err := os.ReadFile("types.gram"); err != nil || string(text) != types || len(files) != 1 {
		t.Errorf("the folder has changed: %v %v", files, err)
	}
}
