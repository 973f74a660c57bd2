package importer_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/importer"
)

// TestGolden imports every file of testdata: the result is the .gram beside it,
// and the diagnostics are beside it too.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	more, other := filepath.Glob("testdata/*.json")
	files = append(files, more...)
	if err != nil || other != nil || len(files) < 10 {
		t.Fatalf("%d files: %v, %v", len(files), err, other)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			result, problems := importer.Import(filepath.Base(file), golden.Read(t, file), importer.Options{})
			gram := result.Tools
			var reported bytes.Buffer
			for _, p := range problems {
				fmt.Fprintf(&reported, "%s: %s: %s: %s\n", p.Span.Pos(), p.Severity, p.Code, p.Message)
			}
			base := strings.TrimSuffix(file, filepath.Ext(file)) + ".gram"
			golden.Compare(t, base, ".gram", []byte(gram))
			golden.Compare(t, base, ".diagnostics", reported.Bytes())
			parsed, syntax := grammar.Parse(base, gram)
			for _, p := range append(syntax, compile.Check(parsed, nil)...) {
				if p.Severity == diag.Error {
					t.Error(p)
				}
			}
		})
	}
}

// TestNoFileIsSilent imports what defines nothing: an error says so.
func TestNoFileIsSilent(t *testing.T) {
	for _, text := range []string{"", " ", "\ufeff", "{}", "[1]", "null", "true", `"x"`, "nope", "{\"name\": \"a\"", "[,]", `{"tools": 1}`, "\x00", `{"a":1}{"b":2}`} {
		result, problems := importer.Import("x.json", text, importer.Options{})
		gram := result.Tools
		if gram != "" || !problems.HasErrors() {
			t.Errorf("%q gives %q, %v", text, gram, problems)
		}
	}
}

// TestLargeDefinitions imports what is as large as files may be: nothing takes
// more than a moment, and what is too large for gram is reported.
func TestLargeDefinitions(t *testing.T) {
	deep := func(n int, open, leaf, end string) string {
		return strings.Repeat(open, n) + leaf + strings.Repeat(end, n)
	}
	tool := func(schema string) string {
		return `{"name": "t", "description": "d", "parameters": {"type": "object", "properties": {"x": ` + schema + `}}}`
	}
	var wide, enum, many strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&wide, `"p%d": {"type": "string"},`, i)
		fmt.Fprintf(&enum, `"value %d",`, i)
	}
	for i := range 2000 {
		fmt.Fprintf(&many, `{"name": "t%d", "description": "d", "parameters": {"type": "object", "properties": {"o": {"type": "object", "properties": {"a": {"type": "string", "description": "d%d"}}}}}}`+"\n", i, i)
	}
	object := `{"type": "object", "properties": {"a": `
	for name, tt := range map[string]struct {
		text string
		lost bool
	}{
		"500 objects deep": {tool(deep(500, object, `{}`, `}}`)), false},
		"500 lists deep":   {tool(deep(500, `{"type": "array", "items": `, `{"type": "string"}`, `}`)), false},
		"90 unions deep":   {tool(deep(90, `{"oneOf": [{"type": "string"}, `, `{"type": "integer"}`, `]}`)), false},
		"JSON too deep":    {deep(20000, "[", "", "]"), true},
		"5000 fields":      {tool(`{"type": "object", "properties": {` + wide.String() + `"z": {}}}`), true},
		"5000 enum values": {tool(`{"type": "string", "enum": [` + enum.String() + `""]}`), false},
		"2000 tools":       {many.String(), false},
		"deep default":     {tool(`{"default": ` + deep(500, "[", "", "]") + `}`), true},
		"large number":     {tool(`{"type": "number", "default": 1` + strings.Repeat("0", 20000) + `}`), false},
	} {
		t.Run(name, func(t *testing.T) {
			result, problems := importer.Import("x.json", tt.text, importer.Options{})
			gram := result.Tools
			if problems.HasErrors() != tt.lost {
				t.Errorf("errors: %v", problems.Limit().Err())
			}
			file, syntax := grammar.Parse("x.gram", gram)
			if err := append(syntax, compile.Check(file, nil)...).Err(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSizeOfFiles refuses files that are too large.
func TestSizeOfFiles(t *testing.T) {
	if result, problems := importer.Import("x.json", strings.Repeat(" ", importer.MaxSize+1), importer.Options{}); result.Tools != "" || !problems.HasErrors() {
		t.Errorf("%q, %v", result.Tools, problems)
	}
}

// TestResultsThatAreTooLargeBecomeAny imports documents whose operations share
// types: of many, and of so few that only all schemas together are too large.
func TestResultsThatAreTooLargeBecomeAny(t *testing.T) {
	for _, models := range []int{40, 400} {
		const operations = 300
		var paths, schemas []string
		for i := range models {
			var fields []string
			for j := range 28 {
				fields = append(fields, fmt.Sprintf(`"f%d": {"anyOf": [{"$ref": "#/components/schemas/m%d"}, {"type": "string"}], "description": %q}`, j, (i*31+j*7)%models, strings.Repeat("what it is for ", 10)))
			}
			schemas = append(schemas, fmt.Sprintf(`"m%d": {"type": "object", "properties": {%s}}`, i, strings.Join(fields, ", ")))
		}
		for i := range operations {
			paths = append(paths, fmt.Sprintf(`"/p%d": {"get": {"summary": "s", "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/m%d"}}}}}}}`, i, i%models))
		}
		document := fmt.Sprintf(`{"openapi": "3.0.0", "paths": {%s}, "components": {"schemas": {%s}}}`, strings.Join(paths, ", "), strings.Join(schemas, ", "))
		result, problems := importer.Import("x.json", document, importer.Options{})
		if problems.HasErrors() {
			t.Fatal(problems.Limit().Err())
		}
		file, _ := grammar.Parse("x.gram", result.Tools)
		tools, wrong := compile.Tools(file, nil)
		if len(tools) != operations || wrong.HasErrors() || len(problems) == 0 {
			t.Errorf("%d models: %d tools, %v", models, len(tools), wrong.Limit().Err())
		}
	}
}

// TestErrorsOfYAMLAreAtTheirPlace reports what is wrong with a YAML text where it
// is.
func TestErrorsOfYAMLAreAtTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"openapi: 3.0.0\npaths:\n  ? [a]\n  : 1\n": "3:5: this is not YAML: a key that is not text; JSON has no such keys",
		"openapi: 3.0.0\npaths: &a\n  b: *a\n":     `3:6: this is not YAML: the alias "a" contains itself`,
		"openapi: 3.0.0\npaths: [\n":               "2:1: this is not YAML: did not find expected node content",
	} {
		_, problems := importer.Import("x.yaml", text, importer.Options{})
		if len(problems) != 1 || !strings.HasPrefix(fmt.Sprintf("%s: %s", problems[0].Span.Pos(), problems[0].Message), want) {
			t.Errorf("%q: %v", text, problems)
		}
	}
}

// TestHostileSchemasTakeNoTime imports schemas whose references, alternatives and
// values multiply.
func TestHostileSchemasTakeNoTime(t *testing.T) {
	chain := func(format string) string {
		var defs []string
		for i := range 60 {
			defs = append(defs, fmt.Sprintf(`"D%d": `+strings.ReplaceAll(format, "NEXT", fmt.Sprintf(`{"$ref": "#/$defs/D%d"}`, i+1)), i))
		}
		return strings.Join(append(defs, `"D60": {"type": "string"}`), ", ")
	}
	deep := strings.Repeat("[", 60) + strings.Repeat("]", 60)
	var words []string
	for i := range 50_000 {
		words = append(words, fmt.Sprintf(`"v%d"`, i))
	}
	for name, text := range map[string]string{
		"allOf":  `{"properties": {"a": {"$ref": "#/$defs/D0"}}, "$defs": {` + chain(`{"allOf": [NEXT, NEXT]}`) + `}}`,
		"not":    `{"properties": {"a": {"$ref": "#/$defs/D0"}}, "$defs": {` + chain(`{"not": {"anyOf": [NEXT, NEXT]}}`) + `}}`,
		"values": `{"properties": {"a": {"$ref": "#/$defs/D0", "default": ` + deep + `}}, "$defs": {` + chain(`{"anyOf": [{"type": "array", "items": NEXT}, {"type": "array", "minItems": 1, "items": NEXT}]}`) + `}}`,
		"enum":   `{"properties": {"a": {"enum": [` + strings.Join(words, ", ") + `], "examples": [` + strings.Join(words, ", ") + `]}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			_, problems := importer.Import("x.json", `{"name": "t", "description": "d", "parameters": `+text+`}`, importer.Options{})
			if problems.HasErrors() != (name != "enum") {
				t.Error(problems.Limit().Err())
			}
		})
	}
}
