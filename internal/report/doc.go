// Package report collects the diagnostics of one check of a gram file, and has
// what their messages share: quoted names, fixes, suggestions, and spans inside
// of texts.
package report
