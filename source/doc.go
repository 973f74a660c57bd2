// Package source holds files, spans of bytes in them, and the positions that
// people and editors see.
//
//	f := source.NewFile("hello.gram", "[hello:Agent]")
//	f.Span(1, 6).String() // "hello.gram:1:2"
//
// It knows nothing about gram and imports nothing of this module.
package source
