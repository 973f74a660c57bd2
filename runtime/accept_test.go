package runtime

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestAcceptInputTakesDescriptionsFromTheContractAlone(t *testing.T) {
	const own = `{"type":"object","properties":{"path":{"type":"string","description":"File path"}},"required":["path"]}`
	config := ToolConfig{
		Name: "read", Description: "Reads", Input: json.RawMessage(own), Adopt: true,
		Accept: AcceptInput(json.RawMessage(own)), Execute: returns(`"text"`),
	}
	made, err := NewTool(config)
	if err != nil {
		t.Fatal(err)
	}
	lib := library(t, made)
	for _, tt := range []struct {
		input string
		says  string // "" where the contract is accepted
	}{
		{own, ""},
		{`{"required":["path"],"type":"object","properties":{"path":{"type":"string","description":"Which one"}}}`, ""},
		{`{"type":"object","properties":{"path":{"type":"string"}}}`, "/required"},
		{`{"type":"object","properties":{"path":{"type":"integer"}},"required":["path"]}`, `/properties/path/type: want "integer", have "string"`},
		{`{"type":"object","properties":{"file":{"type":"string"}},"required":["file"]}`, "/properties/file"},
	} {
		tools, err := lib.Bind([]Contract{{Name: "read", Description: "Reads for me", Input: json.RawMessage(tt.input)}}, nil)
		if tt.says == "" {
			if err != nil || tools[0].Description() != "Reads for me" {
				t.Errorf("%s: %v", tt.input, err)
			}
			continue
		}
		if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.input, err, tt.says)
		}
	}
}

func TestAcceptIsAskedOfToolsWithSchemasToo(t *testing.T) {
	const own = `{"type":"object","properties":{}}`
	made, err := NewTool(ToolConfig{
		Name: "read", Description: "Reads", Input: json.RawMessage(own), Execute: returns(`"text"`),
		Accept: func(Contract) error { return errors.New("the program is not there") },
	})
	if err != nil {
		t.Fatal(err)
	}
	contract := Contract{Name: "read", Description: "Reads", Input: json.RawMessage(own)}
	if _, err := library(t, made).Bind([]Contract{contract}, nil); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "the program is not there") {
		t.Errorf("%v", err)
	}
	if _, err := library(t, made).Bind([]Contract{contract}, &BindOptions{NameOnly: true}); err != nil {
		t.Errorf("by name alone: %v", err)
	}
}
