package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/runtime"
)

// A gramText is the arguments of the tools that read a gram file.
type gramText struct {
	Text  string            `json:"text" jsonschema_description:"The text of the gram file"`
	Files map[string]string `json:"files,omitempty" jsonschema_description:"The files that it imports: their texts by path, such as ./types.gram"`
}

// commandTools returns the commands that take text and return text as tools for
// coding agents. They start, fetch and write nothing, and read no file.
func commandTools() ([]runtime.Tool, error) {
	return errorsOrTools(
		textTool("check_gram", "Checks a gram file, and returns a JSON report of the errors and warnings with their places and fixes",
			func(in gramText) (string, error) { return runOnText(in, exitProblems, "check", "--json", stdinName) }),
		textTool("fix_gram", "Makes the safe fixes of a gram file, and returns its text",
			func(in gramText) (string, error) { return runOnText(in, exitProblems, "check", "--fix", stdinName) }),
		textTool("format_gram", "Formats a gram file, and returns its text",
			func(in gramText) (string, error) { return runOnText(in, exitFine, "fmt", stdinName) }),
		textTool("schema_of_gram", "Returns the JSON Schema of the arguments of each tool in a gram file, as a provider gets it",
			func(in schemaQuestion) (string, error) {
				args := []string{"schema", stdinName}
				if in.Target != "" {
					args = append(args, "--target="+in.Target)
				}
				return runOnText(in.gramText, exitFine, args...)
			}),
		textTool("explain_diagnostic", "Explains a diagnostic code of gramc, with a wrong and a right example",
			func(in struct {
				Code string `json:"code" jsonschema_description:"Such as unknown-type"`
			}) (string, error) {
				return runOnText(gramText{}, exitFine, "explain", "--", in.Code)
			}),
		textTool("import_tools", "Converts tool definitions of a chat API, the tools of an MCP server, or an OpenAPI document to gram",
			func(in struct {
				Text string   `json:"text" jsonschema_description:"The definitions, as JSON or YAML"`
				Only []string `json:"only,omitempty" jsonschema_description:"Convert only the tools with these names; * stands for any part of a name"`
			}) (string, error) {
				args := []string{"import", stdinName}
				for _, name := range in.Only {
					args = append(args, "--only="+name)
				}
				return runOnText(gramText{Text: in.Text}, exitProblems, args...)
			}),
		textTool("gram_guide", "Returns the gram language and the workflow on one page. Read it before writing gram",
			func(struct{}) (string, error) { return guide(), nil }),
	)
}

type schemaQuestion struct {
	gramText
	Target string `json:"target,omitempty" jsonschema_description:"The provider, such as openai-strict or gemini; a plain JSON Schema without it"`
}

// A textToolResult is a tool, or why there is none.
type textToolResult struct {
	tool runtime.Tool
	err  error
}

func textTool[In any](name, description string, do func(In) (string, error)) textToolResult {
	t, err := runtime.Func(name, description, func(_ context.Context, in In) (string, error) { return do(in) })
	return textToolResult{t, err}
}

func errorsOrTools(list ...textToolResult) (tools []runtime.Tool, err error) {
	for _, r := range list {
		tools, err = append(tools, r.tool), errors.Join(err, r.err)
	}
	return tools, err
}

// runOnText runs a command whose standard input is the text, and returns its
// output. What the command reports is an error if its exit code is above worst,
// or if there is no output.
func runOnText(in gramText, worst int, args ...string) (string, error) {
	var out, problems bytes.Buffer
	c := newCLI(&stdio{
		in: strings.NewReader(in.Text), out: &out, err: &problems, lookup: func(string) (string, bool) { return "", false },
	})
	c.workspace = workspace.Open(newTextFiles(in.Files))
	code := c.execute(args)
	if code > worst || out.Len() == 0 {
		return "", fmt.Errorf("%s", strings.TrimSpace(problems.String()))
	}
	return out.String(), nil
}

// textFiles are the only files of a workspace, by absolute path.
type textFiles map[string]string

func newTextFiles(files map[string]string) textFiles {
	known := textFiles{}
	for name, text := range files {
		known[workspace.Resolve(name)] = text
	}
	return known
}

// Root returns the working directory, to which all paths are relative.
func (f textFiles) Root(string) string { return workspace.Resolve(".") }

// Parse parses a file. One that is not there is [fs.ErrNotExist].
func (f textFiles) Parse(name string) (*ast.File, diag.List, error) {
	text, ok := f[workspace.Resolve(name)]
	if !ok {
		return nil, nil, fs.ErrNotExist
	}
	file, problems := grammar.Parse(name, text)
	return file, problems, nil
}

// Defining yields nothing: the texts that import a file name it.
func (f textFiles) Defining(_, _ string) iter.Seq[string] { return func(func(string) bool) {} }

// Files returns the paths of all files.
func (f textFiles) Files(string) []string { return slices.Sorted(maps.Keys(f)) }
