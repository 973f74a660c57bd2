package compat

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// hostile are schemas that would take a careless comparison very long. Each is
// compared with itself, changed at the innermost place.
func hostile() map[string]func(leaf string) string {
	return map[string]func(leaf string) string{
		"nested arrays": func(leaf string) string {
			return strings.Repeat(`{"items":`, 3000) + leaf + strings.Repeat("}", 3000)
		},
		"arrays of nothing": func(leaf string) string { return strings.Repeat("[", 20_000) + leaf },
		"nested arrays that may be compared": func(leaf string) string {
			return strings.Repeat(`{"items":`, 400) + leaf + strings.Repeat("}", 400)
		},
		"nested alternatives": func(leaf string) string {
			return strings.Repeat(`{"anyOf":[{"type":"null"},`, 300) + leaf + strings.Repeat("]}", 300)
		},
		"nested alternatives, only one of which fits": func(leaf string) string {
			return strings.Repeat(`{"oneOf":[{"type":"object"},`, 300) + leaf + strings.Repeat("]}", 300)
		},
		"many choices at one place": func(leaf string) string {
			choice := `{"anyOf":[{"required":["a%d"]},{"required":["b%d"]}]},`
			var b strings.Builder
			for i := range 60 {
				fmt.Fprintf(&b, choice, i, i)
			}
			return `{"allOf":[` + b.String() + leaf + `]}`
		},
		"many alternatives": func(leaf string) string {
			var b strings.Builder
			for i := range 1000 {
				fmt.Fprintf(&b, `{"type":"object","properties":{"k":{"const":%d}},"required":["k"]},`, i)
			}
			return `{"oneOf":[` + b.String() + leaf + `]}`
		},
		"alternatives that are alike": func(leaf string) string {
			return `{"anyOf":[` + strings.Repeat(`{"type":"object","properties":{"k":{"type":"string"}}},`, 1000) + leaf + `]}`
		},
		"a long enum": func(leaf string) string {
			var b strings.Builder
			for i := range 20_000 {
				fmt.Fprintf(&b, `"%d",`, i)
			}
			return `{"enum":[` + b.String() + leaf + `]}`
		},
		"many fields": func(leaf string) string {
			var b strings.Builder
			for i := range 3000 {
				fmt.Fprintf(&b, `"f%d":{"type":"string"},`, i)
			}
			return `{"properties":{` + b.String() + `"x":` + leaf + `},"additionalProperties":false}`
		},
		"a chain of references": func(leaf string) string {
			var b strings.Builder
			for i := range 5000 {
				fmt.Fprintf(&b, `"d%d":{"$ref":"#/$defs/d%d"},`, i, i+1)
			}
			return `{"$ref":"#/$defs/d0","$defs":{` + b.String() + `"d5000":` + leaf + `}}`
		},
		"references into each other": func(leaf string) string {
			var b strings.Builder
			for i := range 200 {
				fmt.Fprintf(&b, `"d%d":{"properties":{"a":{"$ref":"#/$defs/d%d"},"b":{"$ref":"#/$defs/d%d"},"c":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}}},`,
					i, (i*7+1)%200, (i*13+5)%200, (i*3+2)%200, (i*11+3)%200)
			}
			return `{"$ref":"#/$defs/d0","$defs":{` + b.String() + `"x":{}},"properties":{"z":` + leaf + `}}`
		},
		"a reference to itself":            func(leaf string) string { return `{"$ref":"#","x":` + leaf + `}` },
		"an alternative that is the whole": func(leaf string) string { return `{"anyOf":[{"$ref":"#"},` + leaf + `]}` },
		"references to one deep place": func(leaf string) string {
			deep := strings.Repeat("/items", 400)
			return `{"allOf":[` + strings.Repeat(`{"$ref":"#/$defs/d`+deep+`"},`, 300) + leaf + `],"$defs":{"d":` + strings.Repeat(`{"items":`, 400) + leaf + strings.Repeat("}", 400) + `}}`
		},
		"two cycles": func(leaf string) string {
			var b strings.Builder
			length := 997
			if leaf == new1 {
				length = 1009
			}
			for i := range length {
				fmt.Fprintf(&b, `"d%d":{"items":{"$ref":"#/$defs/d%d"}},`, i, (i+1)%length)
			}
			return `{"$ref":"#/$defs/d0","$defs":{` + b.String() + `"x":{}}}`
		},
		"large numbers": func(leaf string) string {
			return `{"minimum":1e999999999,"maximum":` + strings.Repeat("9", 100_000) + `,"multipleOf":1e-999999999,"enum":[1e999999999,` + leaf + `]}`
		},
		"long names": func(leaf string) string {
			name := strings.Repeat("n", 100_000)
			return strings.Repeat(`{"properties":{"`+name+`":`, 20) + leaf + strings.Repeat("}}", 20)
		},
		"too large": func(leaf string) string {
			return `{"description":"` + strings.Repeat("x", jsonschema.MaxSchemaBytes) + `","x":` + leaf + `}`
		},
		"too many parts": func(leaf string) string { return `{"allOf":[` + strings.Repeat(`{},`, 20_000) + leaf + `]}` },
		"no schema": func(leaf string) string {
			return `{"type":7,"properties":[],"required":{"a":1},"anyOf":` + leaf + `,"$ref":9,"enum":2}`
		},
	}
}

const old1, new1 = `{"type":"string","minLength":2}`, `{"type":"string","minLength":1}`

// Every change is reported, and briefly.
func TestHostileSchemas(t *testing.T) {
	for name, schema := range hostile() {
		t.Run(name, func(t *testing.T) {
			old, new := json.RawMessage(schema(old1)), json.RawMessage(schema(new1))
			for _, r := range []role{inputRole, outputRole} {
				changes := reportSchemaChanges(old, new, r)
				if len(changes) == 0 {
					t.Errorf("nothing is reported")
				}
				for _, c := range changes {
					if len(c.Message) > 1000 || len(c.Path) > 5000 || strings.Contains(c.Message, "\n") {
						t.Errorf("a message of %d bytes, a path of %d: %.200q", len(c.Message), len(c.Path), c.Message)
					}
				}
				if changes := reportSchemaChanges(old, append(old, ' '), r); len(changes) > 0 && json.Valid(old) && !strings.Contains(changes[0].Message, "larger than") && !strings.Contains(changes[0].Message, "nested") && !strings.Contains(changes[0].Message, "parts") {
					t.Errorf("compared with itself: %.300s", changes[0].Message)
				}
			}
		})
	}
}
