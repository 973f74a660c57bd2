package builtin_test

import (
	"encoding/json"
	"testing"

	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/builtin"
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
