package gemini

import (
	"encoding/json"
	"math"
)

// The types of the API, as far as they are used:
// https://ai.google.dev/api/generate-content and https://ai.google.dev/api/caching
// ("Content", "Part", "FunctionCall", "Tool"), as of November 2026.

// A generateRequest is the body of a request.
type generateRequest struct {
	System     *content          `json:"systemInstruction,omitempty"`
	Tools      json.RawMessage   `json:"tools,omitempty"`
	ToolConfig *toolConfig       `json:"toolConfig,omitempty"`
	Config     *generationConfig `json:"generationConfig,omitempty"`
	Contents   []content         `json:"contents"`
}

type content struct {
	Role  string            `json:"role,omitempty"`
	Parts []json.RawMessage `json:"parts"`
}

type toolConfig struct {
	Calling struct {
		Mode string `json:"mode"`
	} `json:"functionCallingConfig"`
}

type generationConfig struct {
	Temperature json.Number     `json:"temperature,omitempty"`
	MaxTokens   int             `json:"maxOutputTokens,omitempty"`
	MIMEType    string          `json:"responseMimeType,omitempty"`
	Schema      json.RawMessage `json:"responseSchema,omitempty"`
	Thinking    *thinkingConfig `json:"thinkingConfig,omitempty"`
}

type thinkingConfig struct {
	Include bool `json:"includeThoughts"`
}

// A functionTool is a list of functions; a request has one.
type functionTool struct {
	Declarations []declaration `json:"functionDeclarations"`
}

type declaration struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

type blob struct {
	MIMEType string `json:"mimeType"`
	Data     []byte `json:"data"` // base64 in JSON
}

type functionCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
}

// A functionResult is the result of a call. The API takes an object, and calls its
// member "output" the result, or "error" the failure.
type functionResult struct {
	ID       string `json:"id,omitempty"`
	Name     string `json:"name"`
	Response struct {
		Output string `json:"output,omitempty"`
		Error  string `json:"error,omitempty"`
	} `json:"response"`
}

// A generateResponse is a response, or a chunk of one that is streamed.
type generateResponse struct {
	Candidates []struct {
		Content struct {
			Parts []receivedPart `json:"parts"`
		} `json:"content"`
		Finish  string `json:"finishReason"`
		Message string `json:"finishMessage"`
	} `json:"candidates"`
	Feedback struct {
		Reason  string `json:"blockReason"`
		Message string `json:"blockReasonMessage"`
	} `json:"promptFeedback"`
	Usage usageMetadata   `json:"usageMetadata"`
	Error json.RawMessage `json:"error"`
}

type usageMetadata struct {
	Prompt     count `json:"promptTokenCount"` // with those of the cache
	ToolPrompt count `json:"toolUsePromptTokenCount"`
	Cached     count `json:"cachedContentTokenCount"`
	Answer     count `json:"candidatesTokenCount"`
	Thoughts   count `json:"thoughtsTokenCount"`
	Total      count `json:"totalTokenCount"`
}

// UnmarshalJSON implements json.Unmarshaler. What is no object has no counts.
func (u *usageMetadata) UnmarshalJSON(data []byte) error {
	type plain usageMetadata
	_ = json.Unmarshal(data, (*plain)(u))
	return nil
}

// A count is a number of tokens, decoded from any JSON number or a string with
// one. Anything else is 0, which means unknown: no count makes a response unusable.
type count int64

// UnmarshalJSON implements json.Unmarshaler.
func (c *count) UnmarshalJSON(data []byte) error {
	var n json.Number
	if json.Unmarshal(data, &n) != nil { // also takes "12"
		return nil
	}
	f, _ := n.Float64() // 1e400 becomes infinite
	switch i, err := n.Int64(); {
	case err == nil:
		*c = count(max(i, 0))
	case f >= math.MaxInt64:
		*c = math.MaxInt64
	case f > 0:
		*c = count(f)
	}
	return nil
}
