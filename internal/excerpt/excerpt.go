// Package excerpt shortens foreign text for messages, never inside a character.
package excerpt

import "unicode/utf8"

// Bytes returns the start of text, at most so many bytes of it.
func Bytes[T string | []byte](text T, most int) T {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// Runes returns the start of text, at most so many characters of it.
func Runes(text string, most int) string {
	n := 0
	for i := range text {
		if n++; n > most {
			return text[:i]
		}
	}
	return text
}

// Short returns text unchanged, or its first characters followed by "…" if it has
// more than that many.
func Short(text string, most int) string {
	start := Runes(text, most)
	if len(start) < len(text) {
		start += "…"
	}
	return start
}
