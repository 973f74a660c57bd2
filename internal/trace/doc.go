// Package trace writes what happens in the runs of an agent as lines of JSON, reads such
// lines, and shows them as a tree of text and as a page. What it reads may be of an older
// version, cut off, or not of gramc at all.
package trace
