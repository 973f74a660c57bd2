// Package library lowers the libraries of a gram file to plain data: which tools
// there are, and which command, HTTP service, MCP server or built-in does the
// work of each. Nothing is opened, run or looked up.
package library
