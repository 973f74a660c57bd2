package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/importer"
	"github.com/gram-lang/gramc/runtime/host"
)

// An importSource is where the command import finds definitions, if not in a
// file: an MCP server.
type importSource struct {
	server    string
	libraries []string
}

func (c *cli) importCommand() *cobra.Command {
	var output string
	var from importSource
	cmd := &cobra.Command{
		Use:   "import [FILE]",
		Short: "Import tools from MCP, OpenAPI or chat APIs",
		Long: `import reads tool definitions in JSON and writes them as gram tools: the tools
of a chat API in any of its forms, the response of an MCP server to tools/list,
one definition or a list of them, also one per line, and OpenAPI documents of
version 3, also in YAML, with a tool for each operation.

With --mcp it asks an MCP server for its tools: one of a library, by the name of
its Mcp entry, one at a URL, or a program that import starts, with its arguments
after --.

Imported tools have the same JSON Schemas as their definitions. What gram cannot
express is reported with its position in the JSON text, and noted in a comment
before the tool; the gram text is written nevertheless, with exit code 1.`,
		Example: `  gramc import tools.json -o tools.gram
  gramc import openapi.json | gramc check -
  gramc import --library local.gram --mcp files -o files.gram
  gramc import --mcp npx -- -y @modelcontextprotocol/server-everything`,
		Args: func(cmd *cobra.Command, words []string) error {
			if cmd.Flag("mcp").Changed {
				return nil
			}
			return oneFile(cmd, words)
		},
		RunE: func(cmd *cobra.Command, words []string) error {
			if cmd.Flag("mcp").Changed {
				return c.importServer(&from, words, output)
			}
			if len(from.libraries) > 0 {
				return errors.New("--library needs --mcp: it defines the server")
			}
			in, err := c.inputInto(cmd, words, output)
			if err != nil {
				return err
			}
			return c.importFile(in.name, output)
		},
	}
	cmd.Flags().StringVar(&from.server, "mcp", "", "import what an MCP `SERVER` offers: a name of --library, a URL, or a program")
	addLibrary(cmd, &from.libraries, "find the server of --mcp in the library `FILE`; may be repeated")
	addOutput(cmd, &output)
	return cmd
}

// importServer writes what an MCP server defines as gram text.
func (c *cli) importServer(from *importSource, words []string, output string) error {
	l, e, err := c.serverOf(from, words)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	list, err := host.ListServer(ctx, l, e, c.toolOptions(nil))
	if err != nil {
		c.complain(entryErrors(err))
		return exitSilently(exitRun)
	}
	return c.importText(e.Name, string(list), output)
}

// serverOf returns the Mcp entry to import.
func (c *cli) serverOf(from *importSource, words []string) (*library.Library, *library.Entry, error) {
	if len(from.libraries) > 0 {
		if len(words) > 0 {
			return nil, nil, fmt.Errorf("%q is too much: the library defines how the server is started", words[0])
		}
		libraries, err := c.readLibraries(from.libraries)
		if err != nil {
			return nil, nil, err
		}
		return findServer(libraries, from.server)
	}
	e := &library.Entry{Name: from.server, Kind: library.EntryMCP, MCP: &library.MCP{}}
	l := &library.Library{Entries: []*library.Entry{e}}
	u, err := url.Parse(from.server)
	switch {
	case from.server == "":
		return nil, nil, errors.New("--mcp is empty; it is a URL, a program, or with --library the name of an Mcp entry")
	case err == nil && (u.Scheme == "http" || u.Scheme == "https"):
		if len(words) > 0 {
			return nil, nil, fmt.Errorf("%q is too much: a server at a URL takes no arguments", words[0])
		}
		e.MCP.URL, e.MCP.AllowHosts = library.PlainText(from.server), []string{u.Host}
	default:
		for _, word := range append([]string{from.server}, words...) {
			e.MCP.Command = append(e.MCP.Command, library.PlainText(word))
		}
	}
	return l, e, nil
}

// findServer returns the Mcp entry of that name, from the last library that has
// one.
func findServer(libraries []*library.Library, name string) (*library.Library, *library.Entry, error) {
	var names []string
	for _, l := range slices.Backward(libraries) {
		for _, e := range l.Entries {
			if e.Kind != library.EntryMCP {
				continue
			}
			if e.Name == name {
				return l, e, nil
			}
			names = append(names, e.Name)
		}
	}
	if len(names) == 0 {
		return nil, nil, errors.New("the libraries have no Mcp entry")
	}
	return nil, nil, fmt.Errorf("no Mcp entry is named %q; there is %s", name, strings.Join(names, ", "))
}

// importFile writes what a file defines as gram text.
func (c *cli) importFile(name, output string) error {
	text, err := c.read(name)
	if err == nil {
		return c.importText(name, text, output)
	}
	_, problems, err := unreadable(name, err)
	if err != nil {
		return err
	}
	if err := c.show(problems, diag.Warning); err != nil {
		return err
	}
	return exitSilently(exitProblems)
}

// importText writes what a text defines as gram text.
func (c *cli) importText(name, text, output string) error {
	text, problems := importer.Import(name, text)
	if err := c.show(problems, diag.Warning); err != nil {
		return err
	}
	if text == "" && problems.HasErrors() {
		return exitSilently(exitProblems)
	}
	if err := c.writeGram(output, text); err != nil {
		return err
	}
	if problems.HasErrors() {
		return exitSilently(exitProblems)
	}
	return nil
}
