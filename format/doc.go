// Package format lays out gram text in one style, and changes nothing but
// whitespace:
//
//	file, _ := grammar.Parse("agent.gram", text)
//	text = format.File(file, nil)
//
// # The style
//
// Lines have at most 100 columns where that is possible, and two spaces of
// indent for each level. What fits on its line stays on it:
//
//	[sayHello:Tool {description: "Greets"} | (name::Text {default: "world"})==>(::String)]
//
// What does not fit, or holds a line break of its own, has each part on a line,
// with the commas at the line ends, "|" at the end of the head, and the closing
// bracket on a line of its own:
//
//	[sayHello:Tool {
//	  description: "Greets",
//	  timeout: 5s
//	} |
//	  (name::Text {default: "world"})
//	    ==>(greeting::Text)
//	    ==>(::String)
//	]
//
// A line break of the author after an opening bracket, after "|", before the first
// arrow of a path or after the first annotation keeps that list, path or run of
// annotations broken, even if it would fit. Other line breaks are removed. A
// single arrow stays after a node whose record is broken: })==>(::String).
// Between patterns, elements, properties and comments one blank line is kept.
//
// The ":" of a property is followed by a space. So is "::", except before a word
// or a map: name::Text, age::{type: Int}, but tags:: type`[Text]`.
//
// # What never changes
//
// The tree that the text parses to; every name, value, arrow and separator as
// it is spelled, and their order; fences to the last byte; the comments, their
// order and the nodes to which they belong. Formatting a second time changes
// nothing. Line breaks are those of the first line of the file; inside of fences
// they stay as they are. A byte order mark stays.
//
// A part of the file that did not parse keeps its bytes, and so does the whole
// top-level pattern around it.
package format

// How it works
//
// The printer (format.go, pattern.go, value.go, comment.go) walks a top-level
// pattern and turns it into a stream of ops: tokens, places where a line may
// end, groups of such places. As it goes it compares the tokens with the source.
// If one is missing or extra, which means that the parser repaired or skipped
// something, the pattern is copied instead. So no text can be lost or invented.
//
// The layout (layout.go) decides for each group whether it stays on its line, as
// soon as the group begins: it looks ahead over what fits on one line.
