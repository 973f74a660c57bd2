package runtime_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

type forecastQuery struct {
	City string `json:"city"`
	Days int    `json:"days"`
	Unit string `json:"unit" jsonschema:"enum=celsius,enum=fahrenheit,default=celsius"`
}

type forecast struct {
	City  string    `json:"city"`
	Highs []float64 `json:"highs"`
}

func tellForecast(_ context.Context, q forecastQuery) (forecast, error) {
	return forecast{City: q.City, Highs: make([]float64, q.Days)}, nil
}

var forecastArgs = json.RawMessage(`{"city":"Paris","days":7}`)

// One call of a tool: fill in, validate, decode, run with a time limit, encode.
func BenchmarkInvokeFunc(b *testing.B) {
	t, err := runtime.Func("forecast", "Tells the weather", tellForecast)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := t.Invoke(b.Context(), forecastArgs, time.Minute); err != nil {
			b.Fatal(err)
		}
	}
}

// The same with a handler of JSON, whose result is validated, too.
func BenchmarkInvokeHandler(b *testing.B) {
	typed, err := runtime.Func("forecast", "Tells the weather", tellForecast)
	if err != nil {
		b.Fatal(err)
	}
	t, err := runtime.NewTool(runtime.ToolConfig{
		Name: "forecast", Description: "Tells the weather", Input: typed.Input(), Output: typed.Output(),
		Execute: callForecast,
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := t.Invoke(b.Context(), forecastArgs, time.Minute); err != nil {
			b.Fatal(err)
		}
	}
}

// The same without us.
func BenchmarkCallWithEncodingJSON(b *testing.B) {
	for b.Loop() {
		if _, err := callForecast(b.Context(), forecastArgs); err != nil {
			b.Fatal(err)
		}
	}
}

func callForecast(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
	var q forecastQuery
	if err := json.Unmarshal(args, &q); err != nil {
		return nil, err
	}
	f, err := tellForecast(ctx, q)
	if err != nil {
		return nil, err
	}
	return json.Marshal(f)
}

// A typed result of 1 MB: what it takes to validate it, and what encoding/json takes to
// decode it. The bytes per operation of the first are its size once: the copy that is read.
func BenchmarkResultOf1MB(b *testing.B) {
	record := `{"id": 123456, "name": "Ada \"L\" Lovelace", "price": 12.50, "tags": ["a", "b"], "state": "open", "parent": null}`
	for _, c := range []struct{ name, schema, item string }{
		{"records", `{"type": "array", "items": {"type": "object", "required": ["id", "name"], "additionalProperties": false, "properties": {
			"id": {"type": "integer", "minimum": 0}, "name": {"type": "string"}, "price": {"type": "number", "exclusiveMinimum": 0},
			"tags": {"type": "array", "items": {"type": "string"}}, "state": {"enum": ["open", "closed"]},
			"parent": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}}`, record},
		{"numbers", `{"type": "array", "items": {"type": "integer", "maximum": 100}}`, `17`},
	} {
		text := json.RawMessage("[" + strings.Repeat(c.item+",", 1<<20/(len(c.item)+1)) + c.item + "]")
		schema, err := runtime.CompileSchema(json.RawMessage(c.schema))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name+"/validate", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := schema.Validate(text); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/decode", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				var value any
				if err := json.Unmarshal(text, &value); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
