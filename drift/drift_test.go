package drift

import (
	"encoding/json"
	"strings"
	"testing"
)

// lines returns changes as the tests write them: class, path, message.
func told(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		b.WriteString(string(c.Class) + " " + c.Path + ": " + c.Message + "\n")
	}
	return b.String()
}

func TestX(t *testing.T) {
	for _, tt := range [][2]string{
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":[]}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["b"]}`},
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":[]}`, `{"type":"object","properties":{"a":{"type":["string","null"],"description":"x"},"b":{"type":"integer"}},"required":[]}`},
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`, `{"type":"object","properties":{"b":{"type":"integer"}},"required":[]}`},
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{"type":"object","properties":{"b":{"type":"integer"}},"required":[],"additionalProperties":false}`},
		{`{"type":"object","properties":{"a":{"enum":["a","b"]}}}`, `{"type":"object","properties":{"a":{"type":"string","enum":["b","c"]}}}`},
		{`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, `{"type":"object","properties":{"a":{"type":["string","null"]}}}`},
		{`{"type":"object","properties":{"a":{"type":["string","null"]}}}`, `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`},
		{`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`},
		{`{"type":"object","properties":{"a":{"type":"integer","minimum":1,"maximum":10}}}`, `{"type":"object","properties":{"a":{"type":"number","exclusiveMinimum":0,"maximum":7.5,"default":2}}}`},
		{`{"properties":{"s":{"oneOf":[{"$ref":"#/$defs/C"},{"$ref":"#/$defs/S"}]}},"$defs":{"C":{"type":"object","properties":{"kind":{"const":"c"},"r":{"type":"number"}},"required":["kind"]},"S":{"type":"object","properties":{"kind":{"const":"s"},"x":{"type":"number"}},"required":["kind"]}}}`,
			`{"properties":{"s":{"oneOf":[{"$ref":"#/$defs/C"},{"$ref":"#/$defs/S"},{"type":"object","properties":{"kind":{"const":"t"}},"required":["kind"]}]}},"$defs":{"C":{"type":"object","properties":{"kind":{"const":"c"},"r":{"type":"integer"}},"required":["kind"]},"S":{"type":"object","properties":{"kind":{"const":"s"},"x":{"type":"number"}},"required":["kind"]}}}`},
		{`{"$ref":"#/$defs/T","$defs":{"T":{"type":"object","properties":{"v":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/T"}}},"required":["v"]}}}`,
			`{"$ref":"#/$defs/T","$defs":{"T":{"type":"object","properties":{"v":{"type":"number"},"kids":{"type":"array","maxItems":3,"items":{"$ref":"#/$defs/T"}}},"required":["v"]}}}`},
		{`{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","additionalProperties":{"type":"string","pattern":"^a"}}`},
		{`{"properties":{"a":{"not":{"type":"string"}}}}`, `{"properties":{"a":{"not":{"type":"integer"}}}}`},
	} {
		for _, r := range []role{inputRole, outputRole} {
			t.Logf("%s\n→ %s\n%s", tt[0], tt[1], told(compareSchemas(json.RawMessage(tt[0]), json.RawMessage(tt[1]), r)))
		}
	}
}
