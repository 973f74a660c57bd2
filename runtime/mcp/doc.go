// Package mcp is an MCP client, which makes tools of the tools of a server, and an
// MCP server, which offers tools.
//
//	session, err := mcp.Connect(ctx, mcp.Server{Name: "files", Command: []string{"files-server", "."}, Base: folder})
//	…
//	defer session.Close()
//	tools, refused, err := session.Tools()
//
// Servers are not trusted. The process of a server gets a small environment and is
// killed with everything that it started; its messages are limited in size, depth
// and number; it can neither ask the user, nor read files, nor use the model; and
// its list of tools is fixed when the session starts.
package mcp
