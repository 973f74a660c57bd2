package importer_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc"
	"github.com/gram-lang/gramc/internal/importer"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

const notesAPI = `openapi: 3.0.3
info: {title: The Notes API, version: "1"}
servers: [{url: "SERVER/{v}", variables: {v: {default: v2}}}]
security: [{token: []}]
paths:
  /notes/{note-id}:
    parameters:
      - {name: note-id, in: path, required: true, schema: {type: integer}}
    patch:
      operationId: notes/update
      tags: [notes]
      summary: Changes a note
      parameters:
        - {name: notify, in: query, schema: {type: boolean}}
        - {name: X-Version, in: header, required: true, schema: {type: string}}
        - {name: X-Trace, in: header, schema: {type: string}}
      requestBody:
        content: {application/json: {schema: {type: object, properties: {text: {type: string}, tags: {type: array, items: {type: string}}}}}}
      responses: {"200": {content: {application/json: {schema: {type: object, required: [ok], properties: {ok: {type: boolean}}}}}}}
    delete:
      tags: [admin]
      summary: Deletes notes
      requestBody: {content: {application/json: {schema: {type: array, items: {type: integer}}}}}
      responses: {"204": {description: gone}}
  /files/{path}:
    get:
      operationId: readFile
      summary: Reads a file
      security: [{key: []}]
      parameters:
        - {name: path, in: path, required: true, x-multi-segment: true, schema: {type: string}}
        - {name: ref, in: query, schema: {type: string}}
      responses: {"200": {content: {text/plain: {schema: {type: string}}}}}
  /form:
    post:
      operationId: send
      summary: Sends a form
      requestBody:
        content: {application/x-www-form-urlencoded: {schema: {type: object, properties: {name: {type: string}}}}}
      responses: {"200": {description: done}}
  "/pages/{ids}#several":
    get:
      operationId: pages
      summary: Reads pages
      security: [{cookie: []}]
      parameters:
        - {name: ids, in: path, required: true, schema: {type: array, items: {type: string}}}
        - {name: fields, in: query, explode: false, schema: {type: array, items: {type: string}}}
        - {name: sort, in: query, schema: {type: array, items: {type: string}}}
        - {name: theme, in: cookie, schema: {type: string}}
        - {name: size, in: cookie, schema: {type: integer}}
      responses: {"200": {description: done}}
components:
  securitySchemes:
    cookie: {type: apiKey, in: cookie, name: sid}
    token: {type: http, scheme: bearer}
    key: {type: apiKey, in: query, name: api_key}
`

// TestAnOpenAPIDocumentBecomesToolsThatRun imports a document, and an agent calls
// each of its operations with the library that was written.
func TestAnOpenAPIDocumentBecomesToolsThatRun(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = append(asked, strings.Join([]string{r.Method, r.RequestURI, r.Header.Get("Authorization"), r.Header.Get("X-Version"), r.Header.Get("Cookie") + string(body)}, " "))
		if r.Method == "PATCH" {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"ok":true}`)
		}
	}))
	defer server.Close()
	result, problems := importer.Import("notes.yaml", strings.Replace(notesAPI, "SERVER", server.URL, 1), importer.Options{Library: true})
	if problems.HasErrors() || result.Library == "" {
		t.Fatalf("%v\n%s", problems, result.Library)
	}
	t.Setenv("NOTES_TOKEN", "secret-token")
	t.Setenv("NOTES_KEY", "secret-key")
	folder := t.TempDir()
	names := []string{"notes/update", "delete_notes_note-id", "readFile", "send", "pages"}
	agent := `{import: ["./tools.gram"]} [clerk:Agent {instruction: "Work.", model: "OpenAI/m"} | ` + "`" + strings.Join(names, "`, `") + "`]"
	for name, text := range map[string]string{"tools.gram": result.Tools, "library.gram": result.Library, "agent.gram": agent} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{`{"note-id":7,"notify":true,"X-Version":"2026","text":"a","tags":["x"]}`, `{"note-id":7,"body":[1,2]}`, `{"path":"a/b c","ref":"main"}`, `{"name":"a b"}`, `{"ids":["a","b/c"],"fields":["x","y"],"sort":["p","q"],"theme":"dark; a"}`}
	var script []runtime.Response
	for i, name := range names {
		script = append(script, runtime.Response{Calls: []runtime.Call{{ID: name, Name: name, Args: []byte(args[i])}}})
	}
	loaded, err := gramc.Load(t.Context(), filepath.Join(folder, "agent.gram"), &gramc.Options{
		Libraries: []string{filepath.Join(folder, "library.gram")},
		Model:     runtime.NewScript(append(script, runtime.Response{Content: "done"})...),
		Run:       &interp.Options{Approve: func(context.Context, *interp.ApprovalRequest) (bool, error) { return true, nil }},
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, result.Library)
	}
	defer loaded.Close()
	response, err := loaded.Run(t.Context(), "work", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`PATCH /v2/notes/7?notify=true Bearer secret-token 2026 {"tags":["x"],"text":"a"}`,
		`DELETE /v2/notes/7 Bearer secret-token  [1,2]`,
		`GET /v2/files/a/b%20c?api_key=secret-key&ref=main   `,
		`POST /v2/form Bearer secret-token  name=a+b`,
		`GET /v2/pages/a,b%2Fc?fields=x%2Cy&sort=p&sort=q   theme=dark%3B%20a; sid=secret-key`,
	}
	if !slices.Equal(asked, want) {
		t.Errorf("asked\n%s\nwant\n%s\n%s%+v", strings.Join(asked, "\n"), strings.Join(want, "\n"), result.Library, response.ToolsUsed)
	}
}

// TestOperationsThatCannotBeCalledGetNoEntry imports operations that an Http entry
// cannot call, and one with two schemes for one header.
func TestOperationsThatCannotBeCalledGetNoEntry(t *testing.T) {
	result, problems := importer.Import("x.yaml", `openapi: 3.0.3
paths:
  /a/{list}: {get: {operationId: a, summary: s, parameters: [{name: list, in: path, schema: {type: array, items: {type: object}}}]}}
  /b: {post: {operationId: b, summary: s, requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {f: {type: string}}}}}}}}
  /c: {get: {operationId: c, summary: s, security: [{basic: [], token: []}]}}
components: {securitySchemes: {basic: {type: http, scheme: basic}, token: {type: http, scheme: bearer}}}
`, importer.Options{Library: true})
	want := "// The value of API_PASSWORD is user:password in base64.\n[api:Library | [c:Http {url:\"${API_URL}/c\", headers:{Authorization:\"Basic ${API_PASSWORD}\"}}]]\n"
	if result.Library != want || len(problems) < 2 || problems.HasErrors() {
		t.Errorf("%s\nwant %s\n%v", result.Library, want, problems)
	}
}

func TestOperationsAreChosenByNameAndTag(t *testing.T) {
	for _, tt := range []struct {
		options importer.Options
		want    []string
	}{
		{importer.Options{}, []string{"notes/update", "delete_notes_note-id", "readFile", "send"}},
		{importer.Options{Only: []string{"notes/*", "send"}}, []string{"notes/update", "send"}},
		{importer.Options{Tags: []string{"admin"}}, []string{"delete_notes_note-id"}},
		{importer.Options{Tags: []string{"admin"}, Only: []string{"send"}}, nil},
		{importer.Options{Only: []string{"nope"}}, nil},
	} {
		result, problems := importer.Import("notes.yaml", notesAPI, tt.options)
		var got []string
		for _, name := range []string{"notes/update", "delete_notes_note-id", "readFile", "send"} {
			if strings.Contains(result.Tools, name+":Tool") || strings.Contains(result.Tools, "`"+name+"`:Tool") {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, tt.want) || problems.HasErrors() != (tt.want == nil) {
			t.Errorf("%+v: %v, %v", tt.options, got, problems)
		}
	}
}
