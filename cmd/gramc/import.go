package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/importer"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/runtime/host"
)

// An importSource is where the command import finds definitions, if not in a
// file: an MCP server.
type importSource struct {
	server    string
	libraries []string
	options   importer.Options
}

func (c *cli) importCommand() *cobra.Command {
	var output string
	var from importSource
	files := func(cmd *cobra.Command, words []string) error {
		if cmd.Flag("mcp").Changed {
			return nil
		}
		return oneFile(cmd, words)
	}
	cmd := command("import {--mcp SERVER | FILE}", files, func(cmd *cobra.Command, words []string) error {
		if cmd.Flag("mcp").Changed {
			return c.importServer(&from, words, output)
		}
		if len(from.libraries) > 1 {
			return errors.New("without --mcp, --library names one file, which import writes")
		}
		in, err := c.input(cmd, words)
		if err != nil {
			return err
		}
		text, err := c.readInput(in.name)
		if err != nil {
			return err
		}
		return c.importText(&from, in.name, text, output)
	})
	cmd.Flags().StringVar(&from.server, "mcp", "", "import what an MCP `SERVER` offers: a name of --library, a URL, or a program")
	addLibraryFlag(cmd, &from.libraries, "write the Http entries of an OpenAPI document to the new library `FILE`; with --mcp, find the server in it")
	cmd.Flags().StringSliceVar(&from.options.Only, "only", nil, "import only the tools with these `NAMES`; * stands for any part of a name")
	cmd.Flags().StringSliceVar(&from.options.Tags, "tag", nil, "import only the operations of OpenAPI with one of these `TAGS`")
	addOutputFlag(cmd, &output, "standard output")
	return cmd
}

// importServer writes what an MCP server defines as gram text.
func (c *cli) importServer(from *importSource, words []string, output string) error {
	l, e, err := c.importServerOf(from, words)
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	list, refused, err := host.ListEntryServer(ctx, l, e, c.toolOptions(nil))
	if err != nil {
		c.complain(entryErrors(err))
		return exitSilently(exitRun)
	}
	for _, r := range refused {
		c.warnRefused(r)
	}
	from.libraries = nil
	return c.importText(from, e.Name, string(list), output)
}

// importServerOf returns the Mcp entry to import.
func (c *cli) importServerOf(from *importSource, words []string) (*library.Library, *library.Entry, error) {
	if len(from.libraries) > 0 {
		if len(words) > 0 {
			return nil, nil, fmt.Errorf("%q is too much: the library defines how the server is started", words[0])
		}
		libraries, err := c.readLibraries(from.libraries)
		if err != nil {
			return nil, nil, err
		}
		return findImportServer(libraries, from.server)
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

// findImportServer returns the Mcp entry of that name, from the last library that has
// one.
func findImportServer(libraries []*library.Library, name string) (*library.Library, *library.Entry, error) {
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

// importText writes what a text defines as gram text, also where something is
// wrong with it, and the library that calls it.
func (c *cli) importText(from *importSource, name, text, output string) error {
	from.options.Library = len(from.libraries) > 0
	if from.options.Library {
		if _, err := os.Lstat(from.libraries[0]); err == nil {
			return fmt.Errorf("%s is there already; import writes a new library", from.libraries[0])
		}
		if output != "" && workspace.Resolve(output) == workspace.Resolve(from.libraries[0]) {
			return errors.New("-o and --library name one file; the tools and the library need a file each")
		}
	}
	result, problems := importer.Import(name, text, from.options)
	wrong := c.report(problems, diag.Warning)
	if wrong != nil && result.Tools == "" {
		return wrong
	}
	if from.options.Library {
		if result.Library == "" {
			return errors.New("--library needs an OpenAPI document with operations that gramc can call")
		}
		if err := c.writeGram(from.libraries[0], result.Library); err != nil {
			return err
		}
	}
	return cmp.Or(c.writeGram(output, result.Tools), wrong)
}
