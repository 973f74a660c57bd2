package host

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/guard"
	"github.com/gram-lang/gramc/internal/process"
	"github.com/gram-lang/gramc/internal/template"
	"github.com/gram-lang/gramc/internal/tools/builtin"
	"github.com/gram-lang/gramc/internal/tools/command"
	"github.com/gram-lang/gramc/internal/tools/web"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/mcp"
)

// entry prepares an entry: it takes the values of variables, and returns what
// opens it.
func (op *opener) entry(l *library.Library, e *library.Entry) func(context.Context) (opened, error) {
	base := filepath.Dir(l.Place.File)
	switch e.Kind {
	case library.EntryCommand:
		return op.commandEntry(e, base)
	case library.EntryHTTP:
		return op.serviceEntry(e)
	case library.EntryMCP:
		return op.serverEntry(l, e)
	case library.EntryBuiltin:
		return op.builtinEntry(e, base)
	}
	panic("host: an entry of the kind " + string(e.Kind))
}

// toolEntry returns what opens an entry that is one tool, made of a config.
func toolEntry[C any](c C, make func(C) (runtime.Tool, error)) func(context.Context) (opened, error) {
	return func(context.Context) (opened, error) {
		t, err := make(c)
		return opened{tools: []runtime.ToolConfig{t.Config()}}, err
	}
}

func (op *opener) commandEntry(e *library.Entry, base string) func(context.Context) (opened, error) {
	running := process.NewSet()
	c := command.Config{
		Name: e.Name, Description: e.Description, Input: e.Schema(), Output: e.OutputSchema(),
		Shell: e.Command.Shell, Base: base, Dir: op.secrets.plain(e.Command.Dir),
		Env: op.entryVariables(e.Command.Env), Format: command.Format(e.Command.Output), Running: running,
	}
	for i, t := range e.Command.Run {
		if i == 0 {
			c.Program = op.secrets.plain(t)
			continue
		}
		c.Arguments = append(c.Arguments, op.secrets.template(t))
	}
	return func(ctx context.Context) (opened, error) {
		got, err := toolEntry(c, command.New)(ctx)
		got.close = running.Close
		return got, err
	}
}

func (op *opener) entryVariables(list []library.Variable) []string {
	env := make([]string, len(list))
	for i, v := range list {
		env[i] = v.Name + "=" + op.secrets.plain(v.Value)
	}
	return env
}

func (op *opener) entryHeaders(list []library.Variable) map[string]string {
	headers := make(map[string]string, len(list))
	for _, v := range list {
		headers[v.Name] = op.secrets.plain(v.Value)
	}
	return headers
}

func (op *opener) serviceHeaders(list []library.Variable) map[string]template.Template {
	headers := make(map[string]template.Template, len(list))
	for _, v := range list {
		headers[v.Name] = op.secrets.template(v.Value)
	}
	return headers
}

func (op *opener) serviceEntry(e *library.Entry) func(context.Context) (opened, error) {
	return toolEntry(web.ServiceConfig{
		Name: e.Name, Description: e.Description, Input: e.Schema(), Output: e.OutputSchema(),
		URL: op.secrets.address(e.HTTP.URL), Method: e.HTTP.Method, Headers: op.serviceHeaders(e.HTTP.Headers),
		Body: e.HTTP.Body, Query: e.HTTP.Query, Content: e.HTTP.Content, Slashes: e.HTTP.Slashes, Commas: e.HTTP.Commas, Result: e.HTTP.Result, AllowHosts: e.HTTP.AllowHosts,
	}, web.NewService)
}

func (op *opener) serverEntry(l *library.Library, e *library.Entry) func(context.Context) (opened, error) {
	c := op.serverConfig(l, e)
	return func(ctx context.Context) (opened, error) {
		s, err := connectEntryServer(ctx, c, e)
		if err != nil {
			return opened{}, err
		}
		got := opened{close: s.Close}
		tools, refused, err := s.Tools()
		got.refused = refused
		for _, t := range tools {
			config := t.Config()
			config.Concurrent = entryHintIsTrue(t.Annotations.ReadOnly)
			if e.MCP.Allow == nil || entryHintIsTrue(t.Annotations.Destructive) {
				config.Approval.Default = runtime.Ask
			}
			if entryHintIsTrue(t.Annotations.OpenWorld) {
				got.openWorld = append(got.openWorld, t.Name())
			}
			got.tools = append(got.tools, config)
		}
		return got, err
	}
}

// serverConfig returns how to reach the server of an entry.
func (op *opener) serverConfig(l *library.Library, e *library.Entry) mcp.Server {
	c := mcp.Server{
		Name: e.Name, Base: filepath.Dir(l.Place.File), Dir: op.secrets.plain(e.MCP.Dir), Env: op.entryVariables(e.MCP.Env),
		URL: op.secrets.plain(e.MCP.URL), Headers: op.entryHeaders(e.MCP.Headers), Allow: e.MCP.Allow, Prefix: e.MCP.Prefix,
		ConnectTimeout: max(mcp.DefaultConnectTimeout, Origin{l, e}.timeout()),
		Restarted:      func(cause error) { op.warn(fmt.Sprintf("Mcp %q was started again: %v", e.Name, cause)) },
	}
	for _, t := range e.MCP.Command {
		c.Command = append(c.Command, op.secrets.plain(t))
	}
	return c
}

func connectEntryServer(ctx context.Context, c mcp.Server, e *library.Entry) (_ *mcp.Session, err error) {
	if c.URL != "" {
		if c.HTTPClient, err = guard.Client(guard.Options{AllowHosts: e.MCP.AllowHosts, MaxBytes: -1}); err != nil {
			return nil, err
		}
	}
	return mcp.Connect(ctx, c)
}

// ListEntryServer connects to the server of an Mcp entry and returns its tools as
// the server sends them, {"tools": [...]}, under the names that they have here, and
// those that an agent could not have.
func ListEntryServer(ctx context.Context, l *library.Library, e *library.Entry, o *Options) (json.RawMessage, []Refusal, error) {
	op := newOpener(o)
	from := Origin{l, e}
	c := op.serverConfig(l, e)
	if err := op.checkVariables(e); err != nil {
		return nil, nil, newEntryError(from, err.Error())
	}
	op.redact = op.secrets.redactor()
	var list json.RawMessage
	var refused []mcp.Refusal
	s, err := connectEntryServer(ctx, c, e)
	if err == nil {
		defer s.Close()
		list, refused, err = s.ListTools()
	}
	if err != nil {
		return nil, nil, newEntryError(from, op.redact.text(err.Error()))
	}
	refusals := make([]Refusal, len(refused))
	for i, r := range refused {
		refusals[i] = Refusal{from, op.redact.text(r.Tool), op.redact.text(r.Reason)}
	}
	return op.redact.json(list), refusals, nil
}

// entryHintIsTrue reports whether a hint is given and true.
func entryHintIsTrue(hint *bool) bool { return hint != nil && *hint }

func (op *opener) builtinEntry(e *library.Entry, base string) func(context.Context) (opened, error) {
	b := e.Builtin
	url, key, id := op.secrets.plain(b.URL), op.secrets.plain(b.Key), op.secrets.plain(b.ID)
	switch b.Builtin {
	case "web_search":
		return toolEntry(web.SearchConfig{
			Name: e.Name, Engine: b.Engine, Key: key, ID: id, MaxResults: int(b.MaxResults), URL: url,
		}, web.NewSearch)
	case "wikipedia":
		return toolEntry(web.WikipediaConfig{Name: e.Name, Language: b.Language, URL: url}, web.NewWikipedia)
	case "web_scraper":
		return toolEntry(web.ScraperConfig{Name: e.Name, AllowHosts: b.AllowHosts}, web.NewScraper)
	}
	o := builtin.Options{Name: e.Name, Root: op.secrets.plain(b.Root), Hidden: b.Hidden, Private: op.private}
	if o.Root != "" && !filepath.IsAbs(o.Root) {
		o.Root = filepath.Join(base, o.Root)
	}
	return toolEntry(o, func(o builtin.Options) (runtime.Tool, error) { return builtin.New(b.Builtin, o) })
}
