// Package lsp is the language server of gram: it tells an editor what package
// compile knows of the files that it shows.
//
//	code := lsp.Serve(ctx, stdio, &lsp.Options{Version: "1.0"})
//
// It is not for running agents: it never connects, never executes, and reads
// nothing but gram files, what these import, and ignore files, all of them below
// the folders that the editor has opened.
//
// # How it is made
//
// One goroutine reads messages. It applies notifications in their order, each to
// a new snapshot: the open documents and the files below the roots at one
// moment, which nobody changes. Each request runs in a goroutine of its own on
// the snapshot of its arrival. A document is parsed once, and checked again only
// when something that it depends on has changed.
//
// Names are found in two steps. The index of a document, made of its tree alone,
// has what it defines and what it speaks of; a finder joins the indexes of a
// snapshot for one request. A tool, its other definitions in the same words and
// the entries of libraries that do its work are one symbol, and so are their
// parameters and the fields of these; the shape of a value says which of its keys
// are fields. Which library an agent is run with no file says: an entry belongs
// to the tools of the files that share the deepest folder with it.
//
// To add a request, write its function into a file of its own,
//
//	func hover(ctx context.Context, s *snapshot, p *protocol.HoverParams) (*protocol.Hover, error)
//
// add a line to the table in features.go, which says what the server can do as
// well, and a file with markers to testdata. A function finds what it needs with
//
//	d := s.document(uri)          // nil when there is none: the answer is null then
//	d.ast()                       // its tree; d.nodesAt(position) are the nodes around a place
//	d.offset(p), d.rangeOf(span)  // positions to bytes and back; s.location for other files
//	s.examine(d)                  // what is wrong with it
//	s.optionsOf(d)                // compile.Options alone, which waits for no check
//	s.basisOf(d)                  // the same for what is refreshed when imports change
//	s.definitionAt(d, p)          // what the name at a place stands for
//	s.references(d), s.references(…)    // where else it stands, in one file or in all
//	s.documents(ctx)              // all documents
//
// and checks ctx where it may take long. It never changes anything.
package lsp
