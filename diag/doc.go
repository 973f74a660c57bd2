// Package diag holds the one type in which every phase tells the author of a
// gram file what is wrong with it, and prints it for a terminal.
//
//	var l diag.List
//	l.Errorf(span, diag.CodeUnknownType, "unknown type %q", "Txt")
//	diag.Fprint(os.Stderr, l, nil)
//
// Mistakes in a file are diagnostics. Trouble with the world (files, network,
// models) is an ordinary error, and a bug of ours is a panic: neither is a
// Diagnostic.
package diag
