package plainjson

import "encoding/json"

// Text returns the text of a JSON string, "" for null, and the JSON of any other
// value.
func Text(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}
