// Package visible makes foreign text safe and honest to show on a terminal, and writes
// amounts as people do.
package visible
