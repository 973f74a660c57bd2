package runtime

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// EqualSchema reports whether two JSON Schemas say the same. The order of keys,
// of required fields and of enum values is free; a number may be written in
// several ways; an absent "required" or "properties" equals an empty one, and
// an absent "items" or "additionalProperties" equals one that allows
// everything; $schema, $id, title and description do not count.
func EqualSchema(a, b json.RawMessage) bool {
	return bytes.Equal(a, b) || len(DiffSchema(a, b)) == 0
}

// DiffSchema returns what [EqualSchema] finds different, one line for each
// place, such as `/properties/age/type: want "integer", have "string"`.
func DiffSchema(want, have json.RawMessage) []string {
	w, errWant := readSchema(want)
	h, errHave := readSchema(have)
	if errWant != nil || errHave != nil {
		return []string{fmt.Sprintf("not JSON: want %s, have %s", shorten(string(want)), shorten(string(have)))}
	}
	var lines []string
	for _, d := range jsonschema.Diff(w, h) {
		lines = append(lines, d.String())
	}
	return lines
}

// readSchema reads a schema; an empty text is none.
func readSchema(raw json.RawMessage) (*jsonschema.Node, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	return jsonschema.Read(raw, &jsonschema.ReadOptions{Accept: jsonschema.AcceptAll})
}
