package mcp

import (
	"bytes"
	"encoding/json"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// An offer is a definition with the text that it was read from, in which more
// may stand than we know.
type offer struct {
	definition
	raw json.RawMessage
}

// UnmarshalJSON reads the definition and keeps the text.
func (o *offer) UnmarshalJSON(text []byte) error {
	o.raw = bytes.Clone(text)
	return json.Unmarshal(text, &o.definition)
}

// A member is a key of an object with its value.
type member struct {
	key   string
	value json.RawMessage
}

// rewrite returns an object with other values for some keys, and with those
// keys at its end that it did not have.
func rewrite(object json.RawMessage, changes []member) (json.RawMessage, error) {
	var members []member
	if string(object) != "null" {
		var err error
		if members, err = membersOf(object); err != nil {
			return nil, err
		}
	}
next:
	for _, change := range changes {
		for i := range members {
			if members[i].key == change.key {
				members[i].value = change.value
				continue next
			}
		}
		members = append(members, change)
	}
	out := []byte("{")
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, plainjson.String(m.key)...), ':'), m.value...)
	}
	return append(out, '}'), nil
}

// membersOf returns the members of an object, in their order.
func membersOf(object json.RawMessage) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil { // the brace
		return nil, err
	}
	var members []member
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{key: key.(string)}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	return members, nil
}
