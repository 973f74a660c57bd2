package validator_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/internal/validator"
)

// The JSON Schema Test Suite is part of a module that the MCP SDK needs.
func TestTheSuiteOfJSONSchemaHolds(t *testing.T) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	dir := filepath.Join(strings.TrimSpace(string(module)), "jsonschema", "testdata")
	if err != nil || len(module) == 0 {
		t.Skipf("the module with the suite is not here: %v", err)
	}
	for _, version := range []string{"draft2020-12", "draft7"} {
		files, err := filepath.Glob(filepath.Join(dir, version, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no tests for %s: %v", dir, version, err)
		}
		for _, file := range files {
			name := version + "/" + strings.TrimSuffix(filepath.Base(file), ".json")
			t.Run(name, func(t *testing.T) { runSuite(t, name, file) })
		}
	}
}

func runSuite(t *testing.T, name, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var groups []struct {
		Description string
		Schema      json.RawMessage
		Tests       []struct {
			Description string
			Data        json.RawMessage
			Valid       bool
		}
	}
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		schema, err := compileText(schemaOf(name, g.Schema))
		if err != nil {
			// The only difference: the suite has schemas that have to be loaded.
			if !strings.Contains(err.Error(), "http://localhost:1234/") || !strings.Contains(err.Error(), "nothing is loaded from outside") {
				t.Errorf("%s: %v\n%s", g.Description, err, g.Schema)
			}
			continue
		}
		for _, test := range g.Tests {
			if valid := schema.Validate(string(test.Data)) == nil; valid != test.Valid {
				t.Errorf("%s: %s\nvalid is %t, want %t\n%s\n%s", g.Description, test.Description, valid, test.Valid, g.Schema, test.Data)
			}
		}
	}
}

// schemaOf names the draft of a schema of the suite that does not name it.
func schemaOf(name string, schema json.RawMessage) string {
	text := string(schema)
	if strings.HasPrefix(name, "draft7/") && strings.HasPrefix(text, "{") && !strings.Contains(text, `"$schema"`) {
		comma := ","
		if strings.TrimSpace(text[1:]) == "}" {
			comma = ""
		}
		return `{"$schema": "http://json-schema.org/draft-07/schema#"` + comma + text[1:]
	}
	return text
}

func compileText(text string) (*validator.Schema, error) {
	root, err := jsonschema.Read(text, nil)
	if err != nil {
		return nil, err
	}
	return validator.Compile(root)
}
