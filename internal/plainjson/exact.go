package plainjson

import (
	"encoding/base64"
	"encoding/json"
	"unicode/utf8"
)

// An Exact text keeps its bytes in JSON: it is a string, or an object with base64 if it is
// not UTF-8. JSON inside of it is not compacted, and need not be valid.
type Exact string

// MarshalJSON writes the text.
func (e Exact) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(e)) {
		return String(string(e)), nil
	}
	return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString([]byte(e))})
}

// UnmarshalJSON reads what MarshalJSON has written.
func (e *Exact) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '{' {
		return json.Unmarshal(data, (*string)(e))
	}
	var coded struct{ Base64 []byte }
	if err := json.Unmarshal(data, &coded); err != nil {
		return err
	}
	*e = Exact(coded.Base64)
	return nil
}

// ExactOf returns bytes as an Exact text, which is nil if they are.
func ExactOf(b []byte) *Exact {
	if b == nil {
		return nil
	}
	e := Exact(b)
	return &e
}

// Bytes returns the bytes of the text, nil if it is.
func (e *Exact) Bytes() []byte {
	if e == nil {
		return nil
	}
	return []byte(*e)
}
