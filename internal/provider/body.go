package provider

import (
	"encoding/json"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// A Request is the part of a request that an agent determines: everything but
// the conversation. Its schemas are lowered, and its tools have the names of
// the target.
type Request struct {
	Model       string
	Instruction string
	Temperature json.Number // "" leaves it to the provider
	MaxTokens   int64       // 0 leaves it to the provider
	Tools       []Tool
	Answer      json.RawMessage // JSON Schema of the final response; empty means text
	AnswerName  string          // name of that schema; "" means "answer"
	AnswerLoose bool            // the model is not held to that schema
}

// A Tool is a tool as a target takes it.
type Tool struct {
	Name, Description string
	Input             json.RawMessage
	Output            json.RawMessage // only MCP takes it; empty means anything
	Strict            bool            // only OpenAI and Anthropic take it
}

// Body returns the JSON that the API of the target takes, without the messages
// of a user: the body of a request for messages (Anthropic) or for
// generateContent (Gemini), or the result of tools/list (MCP). The other
// targets take chat completions, which package chat writes.
func (r *Request) Body(t Target) json.RawMessage {
	var body any
	switch t {
	case Anthropic:
		body = r.anthropicBody()
	case Gemini:
		body = r.geminiBody()
	case MCP:
		body = r.mcpBody()
	default:
		panic("provider: no body for " + string(t))
	}
	text, err := plainjson.Marshal(body)
	if err != nil {
		panic("provider: " + err.Error()) // strings, and schemas that are JSON
	}
	return text
}

func (r *Request) anthropicBody() any {
	type tool struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Input       json.RawMessage `json:"input_schema"`
		Strict      bool            `json:"strict,omitempty"`
	}
	type format struct {
		Type   string          `json:"type"`
		Schema json.RawMessage `json:"schema"`
	}
	type output struct {
		Format *format `json:"format,omitempty"`
	}
	body := struct {
		Model       string      `json:"model"`
		System      string      `json:"system"`
		Tools       []tool      `json:"tools,omitempty"`
		Temperature json.Number `json:"temperature,omitempty"`
		MaxTokens   int64       `json:"max_tokens,omitempty"`
		Output      output      `json:"output_config,omitzero"`
	}{Model: r.Model, System: r.Instruction, Temperature: r.Temperature, MaxTokens: r.MaxTokens}
	for _, t := range r.Tools {
		body.Tools = append(body.Tools, tool{t.Name, t.Description, t.Input, t.Strict})
	}
	if len(r.Answer) > 0 {
		body.Output.Format = &format{"json_schema", r.Answer}
	}
	return body
}

func (r *Request) geminiBody() any {
	type part struct {
		Text string `json:"text"`
	}
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	type functions struct {
		Declarations []function `json:"functionDeclarations"`
	}
	type config struct {
		Temperature json.Number     `json:"temperature,omitempty"`
		MaxTokens   int64           `json:"maxOutputTokens,omitempty"`
		MIMEType    string          `json:"responseMimeType,omitempty"`
		Schema      json.RawMessage `json:"responseSchema,omitempty"`
	}
	var body struct {
		System struct {
			Parts []part `json:"parts"`
		} `json:"systemInstruction"`
		Tools  []functions `json:"tools,omitempty"`
		Config config      `json:"generationConfig,omitzero"`
	}
	body.System.Parts = []part{{r.Instruction}}
	var list []function
	for _, t := range r.Tools {
		list = append(list, function{t.Name, t.Description, t.Input})
	}
	if list != nil {
		body.Tools = []functions{{list}}
	}
	body.Config.Temperature, body.Config.MaxTokens = r.Temperature, r.MaxTokens
	if len(r.Answer) > 0 {
		body.Config.MIMEType, body.Config.Schema = "application/json", r.Answer
	}
	return body
}

func (r *Request) mcpBody() any {
	type tool struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Input       json.RawMessage `json:"inputSchema"`
		Output      json.RawMessage `json:"outputSchema,omitempty"`
	}
	list := make([]tool, len(r.Tools))
	for i, t := range r.Tools {
		list[i] = tool{t.Name, t.Description, t.Input, t.Output}
	}
	return struct {
		Tools []tool `json:"tools"`
	}{list}
}
