// Package mcp makes tools of MCP servers, and an MCP server of tools.
//
//	session, err := mcp.Connect(ctx, mcp.Server{Name: "files", Command: []string{"files-server", "."}, Base: folder})
//	…
//	defer session.Close()
//	tools, refused, err := session.Tools()
//
// A server is a stranger. Its process gets a small environment and ends with
// everything that it started; what it sends is limited in size, depth and
// number; it can neither ask the user, nor see files, nor use the model; and
// what it says of its tools is fixed when the session starts.
package mcp
