package mcp

import (
	"encoding/json"
	"fmt"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// An offer is a definition with the JSON that it was read from, which may have
// more members than we know.
type offer struct {
	definition
	json *jsonschema.Node
}

// UnmarshalJSON reads the definition and keeps the JSON.
func (o *offer) UnmarshalJSON(text []byte) (err error) {
	if o.json, err = jsonschema.Read(string(text), &jsonschema.ReadOptions{Accept: jsonschema.AcceptAll}); err != nil {
		return err
	}
	return json.Unmarshal(text, &o.definition)
}

// renamed returns the offer as the server sent it, but with the name,
// description and input schema that the tool has here.
func (o *offer) renamed(name, description string) (*jsonschema.Node, error) {
	input, err := jsonschema.Read(inputSchema(o.definition), &jsonschema.ReadOptions{Accept: jsonschema.AcceptAll})
	if err != nil {
		return nil, fmt.Errorf("the input schema of %s: %w", o.Name, err)
	}
	out := o.json.Edit()
	out.Set("name", jsonschema.String(name))
	out.Set("description", jsonschema.String(description))
	out.Set("inputSchema", input)
	return out.Node(o.json), nil
}
