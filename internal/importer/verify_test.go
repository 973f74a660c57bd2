package importer

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/source"
)

// differences returns what is reported of a schema that comes back as another.
func differences(t *testing.T, want, have string) []string {
	t.Helper()
	im := &importer{notePositions: notePositions{source.NewFile("schema", want)}}
	schema, err := jsonschema.Read(want, nil)
	if err != nil {
		t.Fatal(err)
	}
	newSchemaReader(im.notes("x"), schema).verifySchema(schema, json.RawMessage(have), nil, nil)
	var messages []string
	for _, d := range im.diags {
		messages = append(messages, d.Message)
	}
	return messages
}

// TestNothingIsLostInSilence compares schemas with what a faulty import would
// make of them: whatever differs is reported, what says the same is not.
func TestNothingIsLostInSilence(t *testing.T) {
	for _, tt := range []struct{ want, have, pointer string }{
		{`{"type":"object"}`, `{"type":"object","properties":{},"required":[]}`, ""},
		{`{"type":"object"}`, `{"type":"object","properties":{"a":{}}}`, "/properties/a"},
		{`{"type":"object"}`, `{"type":"object","required":["a"]}`, "/required"},
		{`{"required":[]}`, `{}`, ""},
		{`{"required":["a","b"]}`, `{"required":["b","a"]}`, ""},
		{`{"required":["a","b"]}`, `{"required":["a","c"]}`, "/required"},
		{`{"required":["a","b"]}`, `{"required":["a"]}`, "/required"},
		{`{"type":["string","null"]}`, `{"type":["null","string"]}`, ""},
		{`{"type":["string","null"]}`, `{"type":["string","integer"]}`, "/type"},
		{`{"type":"array"}`, `{"type":"array","items":{}}`, ""},
		{`{"type":"array"}`, `{"type":"array","items":{"type":"string"}}`, "/items"},
		{`{"properties":{"a":{"type":"object"}}}`, `{"properties":{"a":{"type":"object","properties":{}}}}`, ""},
		{`{"properties":{"a":{}}}`, `{"properties":{}}`, "/properties/a"},
		{`{"properties":{"a":{"minimum":1}}}`, `{"properties":{"a":{"minimum":2}}}`, "/properties/a/minimum"},
		{`{}`, `{"minLength":1}`, "/minLength"},
		{`{"anyOf":[{"type":"string"}]}`, `{"anyOf":[{"type":"string","maxLength":1}]}`, "/anyOf/0/maxLength"},
		{`{"anyOf":[{"type":"string"}]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, "/anyOf"},
		{`{"$ref":"#/definitions/A"}`, `{"$ref":"#/$defs/A"}`, ""},
		{`{"$ref":"#/definitions/A"}`, `{"$ref":"#/$defs/B"}`, "/$ref"},
	} {
		got := differences(t, tt.want, tt.have)
		switch {
		case tt.pointer == "" && len(got) > 0:
			t.Errorf("%s is %s: %q", tt.want, tt.have, got)
		case tt.pointer != "" && (len(got) != 1 || !strings.HasSuffix(got[0], " at "+tt.pointer)):
			t.Errorf("%s is not %s, want one report at %s: %q", tt.want, tt.have, tt.pointer, got)
		}
	}
}
