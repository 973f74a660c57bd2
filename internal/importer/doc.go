// Package importer makes gram of tool definitions that exist elsewhere: the
// tools of chat APIs, of MCP servers, and the operations of an OpenAPI
// document.
//
//	text, problems := importer.Import("tools.json", json)
//
// What gram cannot say of a definition is told, at its place in the JSON text,
// and stands as a comment before the tool; it is never lost in silence. Each
// tool is compiled before it is written, and the schema that comes back is
// compared with the one that went in.
//
// The package is not for running tools, nor for gram that has to be kept in
// step with its source: import once, then own the text.
package importer
