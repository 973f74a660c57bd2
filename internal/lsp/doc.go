// Package lsp is the language server of gram: it shows the results of package
// compile in an editor.
//
//	code := lsp.Serve(ctx, stdio, &lsp.Options{Version: "1.0"})
//
// It does not run agents: it opens no connections, starts no programs, and reads
// only gram files, their imports, and ignore files, all of them below the folders
// that the editor has opened.
//
// # Design
//
// One goroutine reads messages. It applies notifications in their order, each to
// a new, immutable snapshot: the open documents and the files below the roots at
// one moment. Each request runs in a goroutine of its own on the snapshot of its
// arrival. A document is parsed once, and checked again only when it or something
// that it depends on has changed. A workspace.Workspace, whose source is the
// snapshot, resolves imports, and a grammar.Scanner splits text into tokens.
//
// Names are resolved in two steps. The index of a document, made from its tree
// alone, holds its definitions and references; a finder joins the indexes of a
// snapshot for one request. A tool, its other definitions with the same text and
// the entries of libraries that implement it are one symbol, and so are their
// parameters and the fields of these; the structure of a value decides which of its
// keys are fields. No file declares which library an agent is run with: an entry
// belongs to the tools of the files that share the deepest folder with it, or as the
// settings say. The diagnostics of a library compare its entries with these.
//
// To add a request, write its function in a new file,
//
//	func hover(ctx context.Context, s *snapshot, d *document, p *protocol.HoverParams) (*protocol.Hover, error)
//
// add a line to the table in features.go, which also declares the capability, and
// add a file with markers to testdata. A function uses
//
//	d.ast()                       // the tree; d.nodesAt(position) are the nodes around a position
//	d.offset(p), d.rangeOf(span)  // positions to bytes and back; s.location for other files
//	d.contextAt(offset)           // the brackets and the token around an offset of any text
//	s.examine(d)                  // the diagnostics
//	s.examineOptionsOf(d)                // compile.Options alone, which waits for no check
//	s.refreshBasis(d)                  // the same for what is refreshed when imports change
//	s.definitionsAt(ctx, at, …)   // the definitions of the name at a position
//	f.symbolOccurrences(ctx, symbol) // all places of a symbol
//	s.documents()                 // all documents
//
// and checks ctx if it can take long. It never changes the snapshot.
package lsp
