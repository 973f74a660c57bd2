package terminal

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode"
	"unicode/utf16"
)

// This file shows JSON to people: without the escapes of letters, which some models
// write for all that is not English.

// compactJSON returns JSON without the space between its tokens, and other text
// as it is.
func compactJSON(value []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, value) == nil {
		return withLetters(b.Bytes())
	}
	return string(value)
}

// valueText returns JSON for people: the text of a string, and other values
// indented.
func valueText(value []byte) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	var b bytes.Buffer
	if json.Indent(&b, value, "", "  ") == nil {
		return withLetters(b.Bytes())
	}
	return string(value)
}

// withLetters returns JSON with letters and signs in the place of their escapes, but for
// those of ASCII, which may have a meaning in JSON.
func withLetters(text []byte) string {
	var b bytes.Buffer
	for len(text) > 0 {
		r, size := escaped(text)
		switch {
		case size > 0 && r > unicode.MaxASCII && unicode.IsPrint(r):
			b.WriteRune(r)
		case text[0] == '\\':
			size = min(2, len(text))
			b.Write(text[:size])
		default:
			size = 1
			b.WriteByte(text[0])
		}
		text = text[size:]
	}
	return b.String()
}

// escaped returns the character that text begins with if it is an escape such as \u00e9,
// and how many bytes that has; 0 if it is none.
func escaped(text []byte) (r rune, size int) {
	unit := func(at int) rune {
		if len(text) < at+6 || text[at] != '\\' || text[at+1] != 'u' {
			return -1
		}
		n, err := strconv.ParseUint(string(text[at+2:at+6]), 16, 16)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	switch first := unit(0); {
	case first < 0:
		return 0, 0
	case utf16.IsSurrogate(first):
		if r = utf16.DecodeRune(first, unit(6)); r == unicode.ReplacementChar {
			return 0, 0
		}
		return r, 12
	default:
		return first, 6
	}
}
