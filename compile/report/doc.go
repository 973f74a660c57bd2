// Package report collects the diagnostics of one check of a gram file and says
// what is common to their messages: quoted names, fixes, suggestions, and places
// inside of texts.
package report
