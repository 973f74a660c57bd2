package runtime

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gram-lang/gramc/internal/plainjson"
)

// A recording is lines of JSON. The first says that it is one; each other line is
// a part, which is a text or an object that requests refer to, or an exchange
// with a model, or a call of a tool, or which calls of a tool need approval. A part is written once, before its first
// use: the messages of a conversation come back in each of its requests.

// recordingVersion is what this package writes and reads.
const recordingVersion = 1

// A recordedLine is one line of a recording; one of its fields is set.
type recordedLine struct {
	Version  int               `json:"gramc_recording,omitempty"`
	Part     *recordedPart     `json:"part,omitempty"`
	Exchange *recordedExchange `json:"model,omitempty"`
	Call     *recordedCall     `json:"tool,omitempty"`
	Approval *recordedApproval `json:"approval,omitempty"`
}

type recordedPart struct {
	ID    string          `json:"id"` // the hash of the value
	Value json.RawMessage `json:"value"`
}

// A recordedExchange is a request, and the response or the error.
type recordedExchange struct {
	Request  recordedRequest   `json:"request"`
	Response *recordedResponse `json:"response,omitempty"`
	Error    *recordedError    `json:"error,omitempty"`
	Pieces   []recordedPiece   `json:"pieces,omitempty"` // of a stream
	Millis   int64             `json:"ms"`               // how long it took
}

// A recordedRequest is what decides the response. Most fields are ids of parts.
type recordedRequest struct {
	Model       string   `json:"model"`
	Instruction string   `json:"instruction"`
	Tools       []string `json:"tools,omitempty"`
	Messages    []string `json:"messages"`
	Output      string   `json:"output,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	MaxTokens   int      `json:"max_tokens,omitempty"`
}

type recordedTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Input       json.RawMessage `json:"input,omitempty"`
	Strict      bool            `json:"strict,omitempty"`
}

// A recordedMessage is a message without what differs from run to run: ids, and
// the data of the provider.
type recordedMessage struct {
	Role     Role                 `json:"role"`
	Content  string               `json:"content"`
	Calls    []recordedInvoked    `json:"calls,omitempty"`
	ToolName string               `json:"tool_name,omitempty"`
	Failed   bool                 `json:"failed,omitempty"`
	Attached []recordedAttachment `json:"attachments,omitempty"`
}

type recordedInvoked struct {
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

type recordedAttachment struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	SHA256    string `json:"sha256"`
}

type recordedResponse struct {
	Content   string                 `json:"content,omitempty"`
	Calls     []recordedResponseCall `json:"calls,omitempty"`
	Refusal   string                 `json:"refusal,omitempty"`
	Finish    string                 `json:"finish,omitempty"`
	Usage     Usage                  `json:"usage"`
	Reasoning string                 `json:"reasoning,omitempty"`
	Extra     json.RawMessage        `json:"extra,omitempty"`
	Attempts  *recordedAttempts      `json:"attempts,omitempty"`
}

type recordedResponseCall struct {
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Args  json.RawMessage `json:"args,omitempty"`
	Text  string          `json:"text,omitempty"` // in place of Args that are not JSON
	Extra json.RawMessage `json:"extra,omitempty"`
}

// A recordedError is an error of a model or of a tool. Older recordings have its kind
// and message alone.
type recordedError struct {
	Kind     string            `json:"kind"`
	Message  string            `json:"message"`
	Refused  bool              `json:"refused,omitempty"`
	Wait     int64             `json:"wait_ms,omitempty"`
	Attempts *recordedAttempts `json:"attempts,omitempty"`
}

// recordedAttempts are those of a request, nil where they are not known.
type recordedAttempts struct {
	Sent int `json:"sent"`
	Lost int `json:"lost,omitempty"`
}

func recordAttempts(a Attempts) *recordedAttempts {
	if a == (Attempts{}) {
		return nil
	}
	return &recordedAttempts{a.Sent, a.Lost}
}

func (a *recordedAttempts) attempts() Attempts {
	if a == nil {
		return Attempts{}
	}
	return Attempts{Sent: max(a.Sent, 0), Lost: max(a.Lost, 0)}
}

func recordError(err error) *recordedError {
	r := &recordedError{Kind: string(KindLLMAPI), Message: err.Error()}
	var known *Error
	if errors.As(err, &known) {
		r.Kind, r.Refused, r.Wait, r.Attempts = string(known.Kind), known.Refused, known.Wait.Milliseconds(), recordAttempts(known.Attempts)
	}
	return r
}

func (r *recordedError) err() *Error {
	return &Error{
		Kind: ErrorKind(r.Kind), Message: r.Message, Refused: r.Refused,
		Wait: time.Duration(r.Wait) * time.Millisecond, Attempts: r.Attempts.attempts(),
	}
}

type recordedPiece struct {
	Millis int64     `json:"ms"` // since the request
	Kind   DeltaKind `json:"kind"`
	Text   string    `json:"text,omitempty"`
	Call   int       `json:"call,omitempty"`
	Name   string    `json:"name,omitempty"`
}

type recordedCall struct {
	Name   string          `json:"name"`
	Args   json.RawMessage `json:"args"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *recordedError  `json:"error,omitempty"`
	Millis int64           `json:"ms"`
}

// A recordedApproval is the [Approval] of a tool.
type recordedApproval struct {
	Name    string         `json:"name"`
	Rules   []recordedRule `json:"rules,omitempty"`
	Default Decision       `json:"default,omitempty"`
}

type recordedRule struct {
	Args map[string]string `json:"args,omitempty"`
	Then Decision          `json:"then"`
}

func recordApproval(name string, a Approval) *recordedApproval {
	r := &recordedApproval{Name: name, Default: a.Default}
	for _, rule := range a.Rules {
		r.Rules = append(r.Rules, recordedRule(rule))
	}
	return r
}

func (r *recordedApproval) approval() Approval {
	a := Approval{Default: r.Default}
	for _, rule := range r.Rules {
		a.Rules = append(a.Rules, ApprovalRule(rule))
	}
	return a
}

// A Recording writes exchanges with models and calls of tools, for a [Replayer].
// It is safe for use by several goroutines. The caller decides who may read what
// it writes, which holds the conversation.
type Recording struct {
	redact func(string) string

	mu      sync.Mutex
	to      io.Writer
	written map[string]bool // ids of parts
	room    int             // bytes that may still be written
	err     error
}

// NewRecording returns a Recording that writes to w, until the recording would be larger
// than what [ReadRecording] reads. Redact takes secrets out of
// each text before it is written; nil leaves all as it is.
func NewRecording(w io.Writer, redact func(string) string) *Recording {
	r := &Recording{redact: redact, to: w, written: map[string]bool{}, room: maxRecording}
	r.write(recordedLine{Version: recordingVersion})
	return r
}

// Err returns why something was not written; nil if all is. Nothing is written after it.
func (r *Recording) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *Recording) write(lines ...recordedLine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return
	}
	var text bytes.Buffer
	for _, line := range lines {
		if p := line.Part; p != nil {
			if r.written[p.ID] {
				continue
			}
			r.written[p.ID] = true
		}
		before := text.Len()
		text.Write(recordJSON(line))
		text.WriteByte('\n')
		if text.Len()-before > maxRecordingLine {
			r.err = fmt.Errorf("the recording ends early: a line of it has at most %d MiB", maxRecordingLine>>20)
			return
		}
	}
	switch {
	case text.Len() > r.room:
		r.err = fmt.Errorf("the recording ends early: it has at most %d MiB", maxRecording>>20)
	case len(r.written) > maxRecordedParts:
		r.err = fmt.Errorf("the recording ends early: it has at most %d parts", maxRecordedParts)
	default:
		r.room -= text.Len()
		_, r.err = r.to.Write(text.Bytes())
	}
}

// recordRequest returns the parts of a request and what refers to them. Equal
// requests have equal results.
func recordRequest(q *Request, redact func(string) string) (recordedRequest, []recordedLine) {
	var parts []recordedLine
	part := func(value any) string {
		text := redactJSON(recordJSON(value), redact)
		id := recordHash(text)[:24]
		parts = append(parts, recordedLine{Part: &recordedPart{id, text}})
		return id
	}
	r := recordedRequest{Model: q.Model, Instruction: part(q.Instruction), Temperature: q.Temperature, MaxTokens: q.MaxTokens}
	for i := range q.Tools {
		t := &q.Tools[i]
		r.Tools = append(r.Tools, part(recordedTool{t.Name, t.Description, compactJSON(t.Input), t.Strict}))
	}
	for i := range q.Messages {
		r.Messages = append(r.Messages, part(recordMessage(&q.Messages[i])))
	}
	if !q.Output.IsText() {
		r.Output = part(compactJSON(q.Output.Schema))
	}
	return r, parts
}

func recordMessage(m *Message) recordedMessage {
	r := recordedMessage{Role: m.Role, Content: m.Content, ToolName: m.ToolName, Failed: m.Failed}
	for i := range m.Calls {
		r.Calls = append(r.Calls, recordedInvoked{m.Calls[i].Name, compactJSON(m.Calls[i].Args)})
	}
	for i := range m.Attachments {
		a := &m.Attachments[i]
		r.Attached = append(r.Attached, recordedAttachment{a.Name, a.MediaType, recordHash(a.Data)})
	}
	return r
}

func recordResponse(m *Response) *recordedResponse {
	r := &recordedResponse{Content: m.Content, Refusal: m.Refusal, Finish: m.Finish, Usage: m.Usage, Reasoning: m.Reasoning, Extra: compactJSON(m.Extra), Attempts: recordAttempts(m.Attempts)}
	for i := range m.Calls {
		c := &m.Calls[i]
		call := recordedResponseCall{ID: c.ID, Name: c.Name, Extra: compactJSON(c.Extra)}
		if json.Valid(c.Args) {
			call.Args = c.Args
		} else {
			call.Text = string(c.Args)
		}
		r.Calls = append(r.Calls, call)
	}
	return r
}

func (r *recordedResponse) response() *Response {
	m := &Response{Content: r.Content, Refusal: r.Refusal, Finish: r.Finish, Usage: r.Usage.Add(Usage{}), Reasoning: r.Reasoning, Extra: r.Extra, Attempts: r.Attempts.attempts()}
	for _, c := range r.Calls {
		args := c.Args
		if args == nil {
			args = json.RawMessage(c.Text)
		}
		m.Calls = append(m.Calls, Call{ID: c.ID, Name: c.Name, Args: args, Extra: c.Extra})
	}
	return m
}

// redactJSON redacts each text in valid JSON, and each key but those that are words of
// lower-case letters, such as ours.
func redactJSON(value json.RawMessage, redact func(string) string) json.RawMessage {
	if redact == nil {
		return value
	}
	out := make([]byte, 0, len(value))
	for i := 0; i < len(value); {
		if value[i] != '"' {
			out = append(out, value[i])
			i++
			continue
		}
		end := i + 1
		for value[end] != '"' {
			if value[end] == '\\' {
				end++
			}
			end++
		}
		quoted := value[i : end+1]
		var text string
		if err := json.Unmarshal(quoted, &text); err != nil {
			panic("runtime: a text of valid JSON is none: " + err.Error())
		}
		i = end + 1
		isWord := strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_") == ""
		if hidden := redact(text); hidden != text && !(isWord && bytes.HasPrefix(bytes.TrimLeft(value[i:], " \t\r\n"), []byte(":"))) {
			quoted = plainjson.String(hidden)
		}
		out = append(out, quoted...)
	}
	return out
}

// redactedRecording returns a value as it may be written.
func redactedRecording[T any](value T, redact func(string) string) T {
	if redact == nil {
		return value
	}
	var safe T
	if err := json.Unmarshal(redactJSON(recordJSON(value), redact), &safe); err != nil {
		panic("runtime: what was redacted cannot be read: " + err.Error())
	}
	return safe
}

// compactJSON returns JSON without whitespace, and text that is not JSON as a
// JSON string.
func compactJSON(value json.RawMessage) json.RawMessage {
	if len(value) == 0 {
		return nil
	}
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return plainjson.String(string(value))
	}
	return b.Bytes()
}

func recordHash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func recordJSON(value any) json.RawMessage {
	text, err := plainjson.Marshal(value)
	if err != nil {
		panic("runtime: a recording has no JSON form: " + err.Error())
	}
	return text
}

// recordSameJSON returns JSON in one form, whatever the order of its members.
func recordSameJSON(value json.RawMessage) string {
	d := json.NewDecoder(strings.NewReader(string(value)))
	d.UseNumber()
	var decoded any
	if d.Decode(&decoded) != nil {
		return string(value)
	}
	return string(recordJSON(decoded))
}
