package offline

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// A node is one JSON Schema, its keywords by name. A nil node allows
// everything.
type node map[string]json.RawMessage

// parseNode reads a schema. It is false for the schema false and for what is
// none.
func parseNode(raw json.RawMessage) (node, bool) {
	var all bool
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, true
	}
	if json.Unmarshal(raw, &all) == nil {
		return nil, all
	}
	var n node
	return n, json.Unmarshal(raw, &n) == nil
}

func (n node) text(keyword string) string {
	var s string
	json.Unmarshal(n[keyword], &s)
	return s
}

func (n node) list(keyword string) []json.RawMessage {
	var l []json.RawMessage
	json.Unmarshal(n[keyword], &l)
	return l
}

// count reads a keyword such as minItems; ok is false when it is not there.
func (n node) count(keyword string) (c int, ok bool) {
	var f float64
	if n[keyword] == nil || json.Unmarshal(n[keyword], &f) != nil || f < 0 || f > 1<<30 {
		return 0, false
	}
	return int(f), true
}

// types returns the types that n allows, most specific guess first when it
// does not say.
func (n node) types() []string {
	if one := n.text("type"); one != "" {
		return []string{one}
	}
	var many []string
	if json.Unmarshal(n["type"], &many) == nil && len(many) > 0 {
		return many
	}
	for _, guess := range []struct{ kind, keywords string }{
		{"object", "properties required additionalProperties minProperties"},
		{"array", "items prefixItems minItems"},
		{"number", "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"},
	} {
		for k := range strings.FieldsSeq(guess.keywords) {
			if n[k] != nil {
				return []string{guess.kind}
			}
		}
	}
	return []string{"string"}
}

// A member is one entry of a JSON object.
type member struct {
	key   string
	value json.RawMessage
}

// members returns the entries of an object in the order of the text.
func members(raw json.RawMessage) []member {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	var out []member
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		out = append(out, member{key.(string), value})
	}
	return out
}

// object writes members as JSON.
func object(all []member) json.RawMessage {
	out := []byte{'{'}
	for i, m := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, plainjson.String(m.key)...), ':'), m.value...)
	}
	return append(out, '}')
}

// list writes elements as JSON.
func list(all []json.RawMessage) json.RawMessage {
	out := []byte{'['}
	for i, e := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, e...)
	}
	return append(out, ']')
}

// resolve follows a reference inside the schema root.
func resolve(root json.RawMessage, ref string) (json.RawMessage, bool) {
	path, local := strings.CutPrefix(ref, "#")
	if !local {
		return nil, false
	}
	at := root
	for step := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if path == "" {
			break
		}
		step = jsonpointer.Key(step)
		var n node
		if json.Unmarshal(at, &n) != nil || n[step] == nil {
			return nil, false
		}
		at = n[step]
	}
	return at, true
}

func (n node) without(keywords ...string) node {
	out := maps.Clone(n)
	for _, k := range keywords {
		delete(out, k)
	}
	return out
}

// only returns the schema of a value that is no object and no array: the type
// and those of the keywords that n has.
func (n node) only(kind string, keywords string) json.RawMessage {
	out := node{"type": plainjson.String(kind)}
	for k := range strings.FieldsSeq(keywords) {
		if n[k] != nil {
			out[k] = n[k]
		}
	}
	return out.json()
}

func (n node) json() json.RawMessage {
	raw, err := json.Marshal(n)
	if err != nil {
		panic("offline: " + err.Error()) // its parts were parsed
	}
	return raw
}
