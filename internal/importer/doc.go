// Package importer imports tool definitions: the tools of chat APIs and of MCP
// servers, and the operations of OpenAPI documents.
//
//	text, problems := importer.Import("tools.json", json)
//
// What gram cannot express is reported at its place in the definition, and noted
// in a comment before the tool. Each tool is compiled before it is written, and
// its schema is compared with the original.
//
// The package neither runs tools nor keeps gram in step with its source: import
// once, then own the text.
package importer
