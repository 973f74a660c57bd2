package importer_test

import (
	"strings"
	"testing"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/importer"
)

// importOperations imports a document with its library, and returns the names of the tools
// that gram reads in it and the messages.
func importOperations(t *testing.T, document string) (result importer.Result, names, messages string) {
	t.Helper()
	result, problems := importer.Import("x.yaml", document, importer.Options{Library: true})
	if problems.HasErrors() {
		t.Error(problems.Err())
	}
	file, _ := grammar.Parse("x.gram", result.Tools)
	tools, wrong := compile.Tools(file, nil)
	if wrong.HasErrors() {
		t.Error(wrong.Err())
	}
	var list, lines []string
	for _, tool := range tools {
		list = append(list, tool.Name)
	}
	for _, p := range problems {
		if p.Severity != diag.Hint {
			lines = append(lines, p.Severity.String()+": "+p.Message)
		}
	}
	return result, strings.Join(list, " "), strings.Join(lines, "\n")
}

// TestExamplesNeverDecide imports examples and a default that fit several
// alternatives of a oneOf: they are kept as they are, and the tool is there.
func TestExamplesNeverDecide(t *testing.T) {
	for _, user := range []string{
		`{example: 63716273-718, oneOf: [{type: string}, {type: string, format: uuid}]}`,
		`{default: 63716273-718, oneOf: [{type: string}, {type: string, format: uuid}]}`,
		`{type: array, example: [a], items: {oneOf: [{type: string}, {type: string, format: uuid}]}}`,
		`{type: object, example: {a: 1}, properties: {a: {oneOf: [{type: integer}, {type: number}]}}}`,
		`{example: a, oneOf: [{$ref: '#/components/schemas/T'}, {type: string, minLength: 1}]}`,
	} {
		result, names, messages := importOperations(t, `openapi: 3.0.3
paths: {/a: {get: {operationId: a, summary: s, responses: {"200": {content: {application/json: {schema: {type: object, properties: {user: `+user+`}}}}}}}}}
components: {schemas: {T: {type: string}}}
`)
		if names != "a" || !strings.Contains(messages, "kept as they are") && !strings.Contains(messages, "kept as it is") || !strings.Contains(result.Tools, "schema") {
			t.Errorf("%s: %s\n%s\n%s", user, names, messages, result.Tools)
		}
	}
}

// TestOperationsWithOneNameAreRenamed imports operations that share an
// operationId, and one whose made name is taken.
func TestOperationsWithOneNameAreRenamed(t *testing.T) {
	_, names, messages := importOperations(t, `openapi: 3.0.3
paths:
  /a: {get: {operationId: same, summary: s}, post: {operationId: same, summary: s}, put: {operationId: same, summary: other}}
  /b: {post: {operationId: same, summary: s}, get: {operationId: get_c, summary: s}}
  /c: {get: {summary: s}}
`)
	if want := "same same_post same_put same_post_2 get_c get_c_2"; names != want || strings.Count(messages, `has the operationId "same" already`) != 3 {
		t.Errorf("%s\nwant %s\n%s", names, want, messages)
	}
}
