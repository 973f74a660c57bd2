package library

import (
	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
)

func (r *entryReader) mcp() *MCP {
	m := &MCP{
		Command: r.commandProgram("command", commandExample, false), Dir: r.text("dir", false), Env: r.variables("env", envExample),
		URL: r.text("url", false), Headers: r.variables("headers", headersExample), AllowHosts: r.hosts(),
		Allow: r.names("allow", `{allow: ["read_file"]}`), Prefix: r.plain("prefix"),
	}
	switch {
	case r.property("command") != nil && r.property("url") != nil:
		r.both("command", "url")
	case r.has("command"):
		r.only("headers", "url")
		r.only("allowHosts", "url")
	case r.has("url"):
		r.only("dir", "command")
		r.only("env", "command")
		r.url("url", m.URL, m.Headers)
	default:
		r.missing("names no server; write "+commandExample+", or its url", commandExample)
	}
	if p := r.property("allow"); p != nil && len(m.Allow) == 0 {
		if list, ok := p.Value.(*ast.Array); ok && len(list.Elements) == 0 {
			r.Diags.Warnf(list.Span(), diag.CodeInvalidEntry, "%s allows no tool of the server; without allow it has all of them", r.what)
		}
	}
	if p := r.property("prefix"); p != nil && m.Prefix != "" {
		if problem := types.ToolNameProblem(m.Prefix); problem != "" {
			r.Diags.Errorf(p.Value.Span(), diag.CodeInvalidEntry, "%s", problem)
		}
	}
	return m
}
