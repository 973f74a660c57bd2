package importer_test

import (
	"slices"
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

// TestOnlyEntriesWhoseRequestsAreRightAreWritten imports parameters and bodies that an
// Http entry cannot write: a warning says so, and there is no entry where one of
// them is required.
func TestOnlyEntriesWhoseRequestsAreRightAreWritten(t *testing.T) {
	list := "schema: {type: array, items: {type: string}}"
	object := "schema: {type: object, properties: {a: {type: string}}}"
	form := func(field, encoding string) string {
		return `{/a: {post: {operationId: a, summary: s, requestBody: {required: true, content: {application/x-www-form-urlencoded: {schema: {type: object, required: [f], properties: {f: ` + field + `, g: ` + field + `}}, encoding: {` + encoding + `}}}}}}}`
	}
	get := func(path, parameter string) string {
		return `{'` + path + `': {get: {operationId: a, summary: s, parameters: [{` + parameter + `}]}}}`
	}
	for _, tt := range []struct {
		paths, message string
		entry          bool
	}{
		{get("/a", "name: q, in: query, required: true, "+list), "", true},
		{get("/a", "name: q, in: query, required: true, style: deepObject, schema: {type: string}"), "", true},
		{get("/a", "name: q, in: query, required: true, style: deepObject, "+object), `an object of the style "deepObject"`, false},
		{get("/a", "name: q, in: query, style: deepObject, "+object), `the query parameter "q" is not an argument, and is not sent`, true},
		{get("/a", "name: q, in: query, required: true, schema: {anyOf: [{type: integer}, {type: object}]}"), "it is an object", false},
		{get("/a", "name: q, in: query, required: true, content: {application/json: {"+object+"}}"), "", true},
		{get("/a", "name: q, in: query, required: true, content: {application/json: {"+list+"}}"), "it is an array in JSON", false},
		{get("/a", "name: q, in: query, required: true, explode: false, "+list), "", true},
		{get("/a", "name: q, in: query, required: true, explode: false, schema: {type: array, items: {type: object}}"), "it is an array of arrays or objects", false},
		{get("/a", "name: q, in: query, required: true, style: pipeDelimited, "+list), `an array of the style "pipeDelimited"`, false},
		{get("/a/{q}", "name: q, in: path, schema: {type: string}"), "", true},
		{get("/a/{q}", "name: q, in: path, style: label, schema: {type: string}"), `it has the style "label"`, false},
		{get("/a/{q}", "name: q, in: path, style: matrix, schema: {type: string}"), `it has the style "matrix"`, false},
		{get("/a/{q}", "name: q, in: path, "+list), "", true},
		{get("/a/{q}", "name: q, in: path, "+object), "it is an object", false},
		{get("/a/{q}", "name: q, in: path, schema: {type: array, items: {type: array}}"), "it is an array of arrays or objects", false},
		{get("/a/{undeclared}", "name: q, in: query, schema: {type: string}"), "its path has {undeclared}, which is no parameter", false},
		{get("/a", "name: q, in: path, schema: {type: string}"), "its path has no {q}, which is a parameter", false},
		{get("/a/${q}", "name: q, in: path, schema: {type: string}"), "its path has ${", false},
		{get("/a/{q r}", "name: q r, in: path, schema: {type: string}"), `the name "q r" cannot stand between braces`, false},
		{form("{type: string}", ""), "", true},
		{form("{type: array, items: {type: string}}", ""), "", true},
		{form("{type: array, items: {type: string}}", "f: {explode: false}"), "", true},
		{form("{type: array, items: {type: string}}", "g: {style: deepObject, explode: true}"), `the field "g" of the form is not an argument`, true},
		{form("{type: array, items: {type: object}}", ""), "it is an array of arrays or objects", false},
		{form("{type: object}", ""), "it is an object", false},
		{form("{type: object}", "f: {contentType: application/json}, g: {contentType: application/json}"), "", true},
		{`{/a: {post: {operationId: a, summary: s, requestBody: {content: {application/x-www-form-urlencoded: {schema: {type: object}}}}}}}`, "its form is not an object of fields", false},
		{`{/a: {options: {operationId: a, summary: s}}}`, "such an entry has no method OPTIONS", false},
		{get("/a", "name: X-A, in: header, schema: {type: string}"), "", true},
		{get("/a", "name: X-A, in: header, required: true, schema: {type: integer}"), "", true},
		{get("/a", "name: X-A, in: header, "+list), "", true},
		{get("/a", "name: X-A, in: header, required: true, "+list), "", true},
		{get("/a", "name: X-A, in: header, "+object), `the header parameter "X-A" is not an argument, and is not sent: an Http entry cannot write it, because it is an object`, true},
		{get("/a", "name: X-A, in: header, required: true, "+object), "it needs the header parameter", false},
		{get("/a", "name: Idempotency-Key, in: header, required: true, schema: {type: string}"), "", true},
		{get("/a", "name: X-Api-Key, in: header, schema: {type: string}"), `the header "X-Api-Key" is not an argument, and is not sent`, true},
		{get("/a", "name: c, in: cookie, schema: {type: string}"), "", true},
		{get("/a", "name: c, in: cookie, explode: false, "+list), "", true},
		{get("/a", "name: c, in: cookie, required: true, "+list), "it is an array with explode", false},
		{get("/a", "name: my session, in: cookie, required: true, schema: {type: string}"), `"my session" is no name of a cookie`, false},
		{get("/a", "name: session, in: cookie, schema: {type: string}"), `the cookie "session" is not an argument, and is not sent`, true},
		{get("/a", "name: session, in: cookie, required: true, schema: {type: string}"), `the cookie "session" is not an argument: each call sends the environment variable ${API_SESSION}`, true},
		{get("/a", "name: X-Auth-Token, in: header, required: true, schema: {type: string}"), `the header "X-Auth-Token" is not an argument: each call sends the environment variable ${API_X_AUTH_TOKEN}`, true},
		{get("/a", "name: Host, in: header, required: true, schema: {type: string}"), "", true},
	} {
		result, names, messages := importOperations(t, "openapi: 3.0.3\npaths: "+tt.paths+"\n")
		lines := slices.DeleteFunc(strings.Split(messages, "\n"), func(line string) bool { return !strings.HasPrefix(line, "warning: ") })
		messages = strings.Join(lines, "\n")
		if names != "a" || (result.Library != "") != tt.entry || tt.message == "" && messages != "" || !strings.Contains(messages, tt.message) {
			t.Errorf("%s: %s\n%s\n%s%s", tt.paths, names, messages, result.Tools, result.Library)
		}
		if result.Library == "" {
			continue
		}
		library, _ := grammar.Parse("library.gram", result.Library)
		if _, wrong := compile.Libraries(library, nil); wrong.HasErrors() {
			t.Errorf("%s: %v\n%s", tt.paths, wrong, result.Library)
		}
	}
}

// TestFieldsOfOneDirectionAreNotRequiredInTheOther imports a body and a result with
// fields that are readOnly and writeOnly.
func TestFieldsOfOneDirectionAreNotRequiredInTheOther(t *testing.T) {
	result, _, messages := importOperations(t, `openapi: 3.0.3
paths:
  /a:
    post:
      operationId: a
      summary: s
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}
      responses: {"200": {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
components:
  schemas:
    A: {type: object, required: [id, secret, name], properties: {id: {type: string, readOnly: true}, secret: {type: string, writeOnly: true}, name: {type: string}}}
`)
	file, _ := grammar.Parse("x.gram", result.Tools)
	tools, _ := compile.Tools(file, nil)
	in, out := string(tools[0].Schema()), string(tools[0].OutputSchema())
	if !strings.Contains(in, `"required":["secret","name"]`) || !strings.Contains(out, `"required":["name"]`) || !strings.Contains(messages, `the field "id" is readOnly, and so it is not required in a request`) {
		t.Errorf("%s\n%s\n%s", in, out, messages)
	}
}
