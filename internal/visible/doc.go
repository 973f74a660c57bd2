// Package visible makes foreign text safe and honest to show on a terminal.
package visible
