package runtime

import (
	"bytes"
	"encoding/json"
)

// Marshal is [json.Marshal], but leaves <, > and & as they are: results and
// schemas are read by models and people, not by browsers.
func Marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
