package gemini

import (
	"bytes"
	"encoding/json"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// A part is one part of a message that is sent. It has one of data, a call and a
// result; texts are written by [textPart].
type part struct {
	Data      *blob           `json:"inlineData,omitempty"`
	Call      *functionCall   `json:"functionCall,omitempty"`
	Result    *functionResult `json:"functionResponse,omitempty"`
	Signature string          `json:"thoughtSignature,omitempty"`
}

// A receivedPart is one part of a message of the model: what is read of it, and all
// of it.
type receivedPart struct {
	Text      string        `json:"text"`
	Thought   bool          `json:"thought"`
	Call      *functionCall `json:"functionCall"`
	Signature string        `json:"thoughtSignature"`

	raw json.RawMessage
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *receivedPart) UnmarshalJSON(data []byte) error {
	type plain receivedPart
	err := json.Unmarshal(data, (*plain)(p))
	p.raw = bytes.Clone(data)
	return err
}

// MarshalJSON writes the part as it was received.
func (p receivedPart) MarshalJSON() ([]byte, error) { return p.raw, nil }

func textPart(text string) json.RawMessage {
	return json.RawMessage(`{"text":` + string(plainjson.String(text)) + `}`)
}

func encodedPart(p *part) json.RawMessage {
	text, err := plainjson.Marshal(p)
	if err != nil {
		panic("gemini: " + err.Error()) // strings, bytes, and arguments that are JSON
	}
	return text
}
