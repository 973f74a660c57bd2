package modelfake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
)

// Gemini is the Gemini API. The bodies are those of
// https://ai.google.dev/api/generate-content and
// https://ai.google.dev/gemini-api/docs/function-calling, the errors those of
// https://ai.google.dev/gemini-api/docs/troubleshooting.
func Gemini() *Dialect {
	return &Dialect{
		Name: "Gemini API", Provider: "Google", Model: "gemini-3-flash-preview",
		Whole:  func(reply Reply) string { return geminiBody(geminiParts(reply), geminiFinish(reply), reply.Usage) },
		Events: geminiEvents, Error: geminiError, Refusals: geminiRefusals,
		EventError: `{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}`,
		Nothings:   []string{`{"candidates":[]}`, `{"candidates":null}`, `{"usageMetadata":{"promptTokenCount":4}}`, `{}`},
	}
}

const geminiUsage = `{"promptTokenCount":42,"cachedContentTokenCount":5,"candidatesTokenCount":12,"thoughtsTokenCount":3,"totalTokenCount":57}`

func geminiFinish(reply Reply) string {
	switch {
	case reply.Finish == Filtered || reply.Refusal != "":
		return "SAFETY"
	case reply.Finish == Length:
		return "MAX_TOKENS"
	}
	return cmp.Or(string(reply.Finish), "STOP")
}

func geminiParts(reply Reply) []any {
	parts := []any{}
	if reply.Reasoning != "" {
		parts = append(parts, fields{"text": reply.Reasoning, "thought": true})
	}
	for _, piece := range pieces(reply.Text + reply.Refusal) {
		parts = append(parts, fields{"text": piece})
	}
	for i, c := range reply.Calls {
		call := fields{"name": c.Name}
		if c.ID != "" {
			call["id"] = c.ID
		}
		switch args := json.RawMessage(c.Args); {
		case json.Valid(args):
			call["args"] = args
		case c.Args != "":
			call["args"] = c.Args
		}
		part := fields{"functionCall": call}
		if i == 0 { // https://ai.google.dev/gemini-api/docs/thought-signatures
			part["thoughtSignature"] = "CpcBAdHtim9yQ4Zb"
		}
		parts = append(parts, part)
	}
	return parts
}

func geminiBody(parts []any, finish, usage string) string {
	candidate := fields{"content": fields{"parts": parts, "role": "model"}, "index": 0}
	if finish != "" {
		candidate["finishReason"] = finish
	}
	return object(fields{
		"candidates": []any{candidate}, "usageMetadata": json.RawMessage(cmp.Or(usage, geminiUsage)),
		"modelVersion": "gemini-3-flash-preview", "responseId": "w1DraLrvMJKuqtsPq7C8wAc",
	})
}

func geminiEvents(reply Reply) (list []string) {
	for _, part := range geminiParts(reply) {
		list = append(list, geminiBody([]any{part}, "", reply.Usage))
	}
	return append(list, geminiBody([]any{fields{"text": ""}}, geminiFinish(reply), reply.Usage))
}

func geminiError(kind ErrorKind, message string) (int, string) {
	type form struct {
		status  int
		kind    string
		details []any
	}
	f := map[ErrorKind]form{
		BadRequest: {400, "INVALID_ARGUMENT", nil},
		BadKey: {400, "INVALID_ARGUMENT", []any{fields{
			"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com",
		}}},
		NoPermission: {403, "PERMISSION_DENIED", nil}, NoModel: {404, "NOT_FOUND", nil}, NoMoney: {400, "FAILED_PRECONDITION", nil},
		TooLong: {400, "INVALID_ARGUMENT", nil}, FilteredRequest: {400, "INVALID_ARGUMENT", nil},
		RateLimited: {429, "RESOURCE_EXHAUSTED", nil}, Overloaded: {503, "UNAVAILABLE", nil}, Internal: {500, "INTERNAL", nil},
	}[kind]
	e := fields{"code": f.status, "message": message, "status": f.kind}
	if f.details != nil {
		e["details"] = f.details
	}
	return f.status, object(fields{"error": e})
}

// The types of a request, as strictly as the API reads it.
type (
	geminiRequest struct {
		System *geminiContent `json:"systemInstruction"`
		Tools  []struct {
			Declarations []struct {
				Name        string          `json:"name"`
				Description string          `json:"description"`
				Parameters  json.RawMessage `json:"parameters"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
		ToolConfig json.RawMessage `json:"toolConfig"`
		Config     struct {
			Temperature *float64        `json:"temperature"`
			MaxTokens   int             `json:"maxOutputTokens"`
			MIMEType    string          `json:"responseMimeType"`
			Schema      json.RawMessage `json:"responseSchema"`
			Thinking    *struct {
				Include bool `json:"includeThoughts"`
			} `json:"thinkingConfig"`
		} `json:"generationConfig"`
		Contents []geminiContent `json:"contents"`
	}
	geminiContent struct {
		Role  string       `json:"role"`
		Parts []geminiPart `json:"parts"`
	}
	geminiPart struct {
		Text      *string `json:"text"`
		Thought   bool    `json:"thought"`
		Signature string  `json:"thoughtSignature"`
		Data      *struct {
			MIMEType string `json:"mimeType"`
			Data     []byte `json:"data"`
		} `json:"inlineData"`
		Call *struct {
			ID   string         `json:"id"`
			Name string         `json:"name"`
			Args map[string]any `json:"args"`
		} `json:"functionCall"`
		Result *struct {
			ID       string         `json:"id"`
			Name     string         `json:"name"`
			Response map[string]any `json:"response"`
		} `json:"functionResponse"`
	}
)

func geminiRefusals(r *http.Request, key string, body []byte) []string {
	if why := geminiRefusal(r, key, body); why != "" {
		return []string{why}
	}
	return nil
}

// geminiRefusal returns why the API refuses a request, "" if it does not.
func geminiRefusal(r *http.Request, key string, body []byte) string {
	method := regexp.MustCompile(`^/v1beta/models/([^/:]+):(generateContent|streamGenerateContent)$`).FindStringSubmatch(r.URL.Path)
	stream := method != nil && method[2] == "streamGenerateContent"
	switch {
	case method == nil:
		return "no such method: " + r.URL.Path
	case stream && r.URL.RawQuery != "alt=sse" || !stream && r.URL.RawQuery != "":
		return "query " + r.URL.RawQuery
	case r.Method != "POST", r.Header.Get("Content-Type") != "application/json":
		return r.Method + " of " + r.Header.Get("Content-Type")
	case r.Header.Get("x-goog-api-key") != key, strings.Contains(r.URL.String(), key), bytes.Contains(body, []byte(key)):
		return "the key is missing, or where it does not belong"
	}
	var in geminiRequest
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return "Invalid JSON payload received. " + err.Error()
	}
	model := method[1]
	if len(in.Tools) > 0 && in.Config.MIMEType != "" && !strings.HasPrefix(model, "gemini-3") {
		return "Function calling with a response mime type: 'application/json' is unsupported"
	}
	if in.Config.Schema != nil && in.Config.MIMEType == "" {
		return "Response_schema with a response mime type 'text/plain' is unsupported"
	}
	if in.System != nil && strings.HasPrefix(model, "gemma-3") {
		return "Developer instruction is not enabled for models/" + model
	}
	names := map[string]bool{}
	for _, tool := range in.Tools {
		for _, f := range tool.Declarations {
			if names[f.Name] || !regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$`).MatchString(f.Name) {
				return "Invalid function name or duplicate declaration: " + f.Name
			}
			names[f.Name] = true
		}
	}
	return geminiRefusedContents(model, in.Contents)
}

// geminiRefusedContents returns why the API refuses a conversation.
func geminiRefusedContents(model string, contents []geminiContent) string {
	if len(contents) == 0 || contents[0].Role != "user" {
		return "Please ensure that the conversation begins with a user turn"
	}
	turn := 0 // the last message of the user that has no results
	for i, c := range contents {
		if len(c.Parts) == 0 || c.Role != "user" && c.Role != "model" {
			return "contents.parts must not be empty, and roles are user and model"
		}
		for _, p := range c.Parts {
			n := 0
			for _, there := range []bool{p.Text != nil, p.Data != nil, p.Call != nil, p.Result != nil} {
				if there {
					n++
				}
			}
			if n != 1 {
				return "a part has one field of data"
			}
			if c.Role == "user" && p.Result == nil {
				turn = i
			}
		}
	}
	for i, c := range contents {
		var calls, results []geminiPart
		for _, p := range c.Parts {
			if p.Call != nil {
				calls = append(calls, p)
			}
		}
		if len(calls) == 0 {
			continue
		}
		if c.Role != "model" || i+1 == len(contents) {
			return "a function call turn comes from the model and has a response"
		}
		for _, p := range contents[i+1].Parts {
			if p.Result != nil {
				results = append(results, p)
			}
		}
		if len(results) != len(calls) {
			return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn."
		}
		for k := range calls {
			if calls[k].Call.Name != results[k].Result.Name || calls[k].Call.ID != results[k].Result.ID || results[k].Result.Response == nil {
				return fmt.Sprintf("function response %d is not that of its call", k)
			}
		}
		if i > turn && strings.HasPrefix(model, "gemini-3") && calls[0].Signature == "" {
			return "Function call is missing a thought_signature in functionCall parts."
		}
	}
	return ""
}
