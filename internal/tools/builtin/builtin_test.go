package builtin_test

import (
	"encoding/json"
	"testing"

	"github.com/gram-lang/gramc/internal/tools/builtin"
	"github.com/gram-lang/gramc/runtime"
)

func TestSayHelloGreets(t *testing.T) {
	schema := func(property string) json.RawMessage {
		return json.RawMessage(`{"type":"object","properties":{"personName":{` + property + `}},"required":[]}`)
	}
	tests := []struct {
		name   string
		schema json.RawMessage
		args   string
		want   string
	}{
		{"a name", schema(`"type":"string","default":"world"`), `{"personName":"Bob"}`, `"Hello, Bob! Nice to meet you."`},
		{"the default of the agent", schema(`"type":"string","default":"you"`), `{}`, `"Hello, you! Nice to meet you."`},
		{"the world", schema(`"type":"string"`), `{}`, `"Hello, world! Nice to meet you."`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			contract := runtime.Contract{Name: "sayHello", Description: "Greets", Input: tt.schema}
			tools, err := builtin.Library().Bind([]runtime.Contract{contract}, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := tools[0].Invoke(t.Context(), json.RawMessage(tt.args), 0)
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

func TestSayHelloRefusesWhatItCannotKeep(t *testing.T) {
	for _, tt := range []struct {
		input, output string
		fits          bool
	}{
		{`{"type":"object","properties":{},"required":[]}`, `{"type":"string"}`, true},
		{`{"type":"object","properties":{"who":{"type":"string"}},"required":["who"]}`, ``, true},
		{`{"type":"object","properties":{"who":{"type":"integer"}},"required":["who"]}`, `{"type":"string"}`, false},
		{`{"type":"object","properties":{"who":{"type":"string"}},"required":["who"]}`, `{"type":"boolean"}`, false},
	} {
		c := runtime.Contract{Name: "sayHello", Description: "Greets", Input: json.RawMessage(tt.input), Output: json.RawMessage(tt.output)}
		tools, err := builtin.Library().Bind([]runtime.Contract{c}, nil)
		if (err == nil) != tt.fits {
			t.Errorf("%s to %s: %v", tt.input, tt.output, err)
		}
		if err != nil || len(tt.output) > 0 {
			continue
		}
		got, err := tools[0].Invoke(t.Context(), json.RawMessage(`{"who":"Ada"}`), 0)
		if err != nil || string(got) != `"Hello, Ada! Nice to meet you."` {
			t.Errorf("got %s, %v", got, err)
		}
	}
}
