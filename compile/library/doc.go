// Package library lowers the libraries of a gram file to plain data: the tools,
// and the command, HTTP service, MCP server or built-in that implements each. It
// opens, runs and looks up nothing.
package library
