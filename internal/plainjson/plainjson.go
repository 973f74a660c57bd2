// Package plainjson writes JSON for models and people rather than for
// browsers: <, > and & stay as they are, where encoding/json escapes them. It
// reads numbers exactly, where encoding/json takes the nearest float64.
package plainjson

import (
	"bytes"
	"encoding/json"
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
// U+FFFD.
func String(text string) json.RawMessage {
	quoted, err := Marshal(text)
	if err != nil {
		panic("plainjson: " + err.Error()) // a string always has a JSON form
	}
	return quoted
}
