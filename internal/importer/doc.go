// Package importer imports tool definitions as gram text: the tools of chat APIs
// and MCP servers, and the operations of OpenAPI documents.
//
//	result, problems := importer.Import("tools.json", json, importer.Options{})
//
// A schema is read as a typ, which is written as a use: a type expression or a
// node. Keywords for which gram has no word are kept as they are. What contradicts
// itself is reported at its place in the JSON text, and in a comment before the
// tool; nothing is lost silently. Each tool is compiled before it is written, and
// the schema that comes back is compared with the one that went in.
//
// The package does not run tools, and does not keep gram text in step with its
// source: import once, then own the text.
package importer
