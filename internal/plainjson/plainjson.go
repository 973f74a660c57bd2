// Package plainjson writes JSON for models and people rather than for
// browsers: <, > and & stay as they are, where encoding/json escapes them. It
// reads numbers exactly, where encoding/json takes the nearest float64.
package plainjson

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Marshal is [json.Marshal] without those escapes.
func Marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// String returns text as a JSON string. Bytes that are not UTF-8 become
// U+FFFD. A large text is written piece by piece, since encoding/json would need
// several times its size.
func String(text string) json.RawMessage {
	const piece = 32 << 10
	out := append(make([]byte, 0, len(text)+len(text)/16+len(`""`)), '"')
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for first := true; first || text != ""; first = false {
		n := min(len(text), piece)
		for n < len(text) && n > piece-utf8.UTFMax && !utf8.RuneStart(text[n]) {
			n--
		}
		b.Reset()
		if err := e.Encode(text[:n]); err != nil {
			panic("plainjson: " + err.Error()) // a string always has a JSON form
		}
		out = append(out, b.Bytes()[len(`"`):b.Len()-len("\"\n")]...)
		text = text[n:]
	}
	return append(out, '"')
}
