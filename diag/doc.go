// Package diag has the diagnostic, the one type with which every phase reports
// problems in a gram file. It prints diagnostics for a terminal, applies their
// fixes, and explains their codes.
//
//	var l diag.List
//	l.Errorf(span, diag.CodeUnknownType, "unknown type %q", "Txt")
//	diag.Fprint(os.Stderr, l, nil)
//
// Problems in a gram file are diagnostics. Failures of files, the network or
// models are ordinary errors, and a bug in gramc is a panic.
package diag
