package gemini

import (
	"encoding/json"

	"github.com/gram-lang/gramc/internal/lowered"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/provider"
)

// tools are the tools of a run as the API takes them: as text.
type tools = lowered.Tools[json.RawMessage]

// newToolbox returns what lowers tools. Their schemas are those of "parameters", a part of
// OpenAPI that every model and every way to reach it take, and that gramc check knows the
// limits of; "parametersJsonSchema" takes more, at some of them.
func newToolbox() *lowered.Toolbox[json.RawMessage] {
	return lowered.NewToolbox(provider.Gemini, "", func(list []provider.Tool) (json.RawMessage, error) {
		if len(list) == 0 {
			return nil, nil
		}
		return encodedTools(list)
	})
}

// encodedTools returns the tools of a request.
func encodedTools(list []provider.Tool) (json.RawMessage, error) {
	functions := make([]declaration, len(list))
	for i, t := range list {
		functions[i] = declaration{t.Name, t.Description, t.Input}
	}
	return plainjson.Marshal([]functionTool{{functions}})
}
