// Package markdown renders Markdown for a terminal while it arrives.
//
//	s := markdown.NewStream(&markdown.Options{Width: 80, Styles: markdown.Colors})
//	lines := s.Write("# Tools\n\nThere are *two*:") // the heading: it is finished
//	below := s.Pending()                            // the paragraph, as it is so far
//	lines = s.Close()                               // the paragraph
//
// The text is untrusted: control characters are removed, whether they are
// written or encoded, so the only escape sequences in the lines are those of the
// styles. What one block costs is bounded.
//
// It is not for documents that refer back and forth: a link can use only a
// definition of its own block.
package markdown
