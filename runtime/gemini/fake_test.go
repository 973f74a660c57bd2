package gemini

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/internal/plainjson"
)

const testKey = "AIzaTest-0123456789"

// A fake is the Gemini API on loopback: it checks requests as the documentation says
// that the API does, and answers with its steps in order, the last one again and again.
type fake struct {
	*httptest.Server
	t *testing.T

	mu       sync.Mutex
	steps    []step
	requests []string        // their bodies
	waits    []time.Duration // what the model would have slept
}

// A step answers one request.
type step func(w http.ResponseWriter, r *http.Request)

func newFake(t *testing.T, steps ...step) *fake {
	t.Helper()
	f := &fake{t: t, steps: steps}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	return f
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	f.mu.Lock()
	step := f.steps[min(len(f.requests), len(f.steps)-1)]
	f.requests = append(f.requests, string(body))
	f.mu.Unlock()
	if problem := refusal(r, body); problem != "" {
		f.t.Errorf("request %d: %s\n%s", len(f.requests), problem, body)
		fails(400, "INVALID_ARGUMENT", problem)(w, r)
		return
	}
	step(w, r)
}

func (f *fake) sent() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.requests...)
}

// model returns a Model that asks f and never really sleeps.
func (f *fake) model(o Options) *Model {
	f.t.Helper()
	o.BaseURL, o.APIKey = f.URL, testKey
	m, err := New(o)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { m.Close() })
	m.client.Sleep = func(ctx context.Context, d time.Duration) error {
		f.mu.Lock()
		f.waits = append(f.waits, d)
		f.mu.Unlock()
		return ctx.Err()
	}
	return m
}

// isStream reports whether a request is one for server-sent events.
func isStream(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, ":streamGenerateContent") }

// chunks answers with chunks of a response: one by one, or as the one response that they
// make up together.
func chunks(texts ...string) step {
	return func(w http.ResponseWriter, r *http.Request) {
		if isStream(r) {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, text := range texts {
				fmt.Fprintf(w, "data: %s\r\n\r\n", text)
				w.(http.Flusher).Flush()
			}
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		io.WriteString(w, whole(texts))
	}
}

// whole joins the chunks of a response. Texts that are not JSON stay as they are.
func whole(texts []string) string {
	type candidate struct {
		Content struct {
			Parts []json.RawMessage `json:"parts"`
		} `json:"content"`
		Finish json.RawMessage `json:"finishReason,omitempty"`
		Index  int             `json:"index"`
	}
	if len(texts) == 1 {
		return texts[0]
	}
	all, joined := map[string]json.RawMessage{}, candidate{}
	for _, text := range texts {
		next := struct{ Candidates []candidate }{}
		if json.Unmarshal([]byte(text), &all) != nil || json.Unmarshal([]byte(text), &next) != nil {
			return text
		}
		for _, c := range next.Candidates {
			joined.Content.Parts = append(joined.Content.Parts, c.Content.Parts...)
			joined.Finish = c.Finish
		}
	}
	all["candidates"], _ = plainjson.Marshal([]candidate{joined})
	text, _ := plainjson.Marshal(all)
	return string(text)
}

const usage = `"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":40,"candidatesTokenCount":20,"thoughtsTokenCount":30,"totalTokenCount":150}`

// parts answers with a chunk for each part, the last of which has the finish reason
// and the counts, as the API does.
func parts(finish string, list ...string) step {
	texts := make([]string, len(list))
	for i, p := range list {
		end := `"index":0`
		if i == len(list)-1 {
			end += `,"finishReason":"` + finish + `"`
		}
		texts[i] = fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[%s]},%s}],%s,"modelVersion":"m","responseId":"r"}`, p, end, usage)
	}
	return chunks(texts...)
}

// says is a good answer in two pieces.
func says(text string) step {
	half := len(text) / 2
	return parts("STOP", fmt.Sprintf(`{"text":%q}`, text[:half]), fmt.Sprintf(`{"text":%q}`, text[half:]))
}

// fails is an error as the API reports it; details are JSON.
func fails(code int, status, message string, details ...string) step {
	return raw(code, "application/json", fmt.Sprintf(`{"error":{"code":%d,"message":%q,"status":%q,"details":[%s]}}`, code, message, status, strings.Join(details, ",")))
}

// raw answers with that status and that body.
func raw(code int, contentType, body string, headers ...string) step {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(code)
		io.WriteString(w, body)
	}
}

// cutOff sends the beginning of a response and breaks the connection.
func cutOff(text string) step {
	return func(w http.ResponseWriter, r *http.Request) {
		if isStream(r) {
			w.Header().Set("Content-Type", "text/event-stream")
			text = "data: " + text + "\r\n\r\n"
		}
		io.WriteString(w, text)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

// The types of a request, as strictly as the API reads it.
type (
	sentRequest struct {
		System *sentContent `json:"systemInstruction"`
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
		Contents []sentContent `json:"contents"`
	}
	sentContent struct {
		Role  string     `json:"role"`
		Parts []sentPart `json:"parts"`
	}
	sentPart struct {
		Text      *string `json:"text"`
		Thought   bool    `json:"thought"`
		Signature string  `json:"thoughtSignature"`
		Data      *blob   `json:"inlineData"`
		Call      *struct {
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

// refusal returns why the API refuses a request, "" if it does not.
func refusal(r *http.Request, body []byte) string {
	method := regexp.MustCompile(`^/v1beta/models/([^/:]+):(generateContent|streamGenerateContent)$`).FindStringSubmatch(r.URL.Path)
	stream := method != nil && method[2] == "streamGenerateContent"
	switch {
	case method == nil:
		return "no such method: " + r.URL.Path
	case stream && r.URL.RawQuery != "alt=sse" || !stream && r.URL.RawQuery != "":
		return "query " + r.URL.RawQuery
	case r.Method != "POST", r.Header.Get("Content-Type") != "application/json":
		return r.Method + " of " + r.Header.Get("Content-Type")
	case r.Header.Get("x-goog-api-key") != testKey, strings.Contains(r.URL.String(), testKey), bytes.Contains(body, []byte(testKey)):
		return "the key is missing, or where it does not belong"
	}
	var in sentRequest
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
	return refusedContents(model, in.Contents)
}

// refusedContents returns why the API refuses a conversation.
func refusedContents(model string, contents []sentContent) string {
	if len(contents) == 0 || contents[0].Role != "user" {
		return "Please ensure that the conversation begins with a user turn"
	}
	turn := 0 // the last message of the user that has no results
	for i, c := range contents {
		if len(c.Parts) == 0 || c.Role != "user" && c.Role != "model" {
			return "contents.parts must not be empty, and roles are user and model"
		}
		for _, p := range c.Parts {
			if n := count1(p.Text != nil) + count1(p.Data != nil) + count1(p.Call != nil) + count1(p.Result != nil); n != 1 {
				return "a part has one field of data"
			}
			if c.Role == "user" && p.Result == nil {
				turn = i
			}
		}
	}
	for i, c := range contents {
		var calls, results []sentPart
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

func count1(b bool) int {
	if b {
		return 1
	}
	return 0
}
