package runtime

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// Limits of a recording that is read.
const (
	maxRecording     = 256 << 20 // bytes
	maxRecordingLine = 16 << 20
	maxRecordedParts = 1_000_000
)

// A Replayer is a [Streamer] that gives the responses of a recording and asks nobody.
// A request that was not recorded is a [KindReplay] error, which says how it departs
// from the nearest one that was. Equal requests get their responses in the order in
// which they were recorded. It may be shared.
type Replayer struct {
	redact func(string) string
	parts  map[string]json.RawMessage

	mu        sync.Mutex
	exchanges []*replayExchange
	byKey     map[string][]*replayExchange // those left, oldest first
	calls     map[string][]*recordedCall   // those left, by tool and arguments
	recorded  []*recordedCall
	approvals map[string]Approval // by tool
	missed    *Error              // of a tool; the next request fails with it
}

type replayExchange struct {
	recordedExchange
	used bool
}

// ReadRecording reads what a [Recording] wrote, which was to redact the same secrets.
// The error says which line is wrong.
func ReadRecording(from io.Reader, redact func(string) string) (*Replayer, error) {
	r := &Replayer{
		redact: redact, parts: map[string]json.RawMessage{},
		byKey: map[string][]*replayExchange{}, calls: map[string][]*recordedCall{}, approvals: map[string]Approval{},
	}
	limited := &io.LimitedReader{R: from, N: maxRecording + 1}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxRecordingLine)
	number := 0
	for lines.Scan() {
		number++
		if err := r.readLine(lines.Bytes(), number); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	err := lines.Err()
	switch {
	case limited.N <= 0:
		return nil, fmt.Errorf("a recording has at most %d MiB", maxRecording>>20)
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d: a line of a recording has at most %d MiB", number+1, maxRecordingLine>>20)
	case err == nil && number == 0:
		return nil, errors.New("the recording is empty")
	}
	return r, err
}

var errNoRecording = errors.New("this is no recording of gramc, which begins with " + `{"gramc_recording":1}`)

func (r *Replayer) readLine(text []byte, number int) error {
	var line recordedLine
	if err := json.Unmarshal(text, &line); err != nil {
		if number == 1 {
			return errNoRecording
		}
		return fmt.Errorf("not a line of a recording: %w", err)
	}
	switch {
	case number == 1 && line.Version == 0:
		return errNoRecording
	case number == 1 && line.Version != recordingVersion:
		return fmt.Errorf("the recording is of version %d; this gramc reads version %d", line.Version, recordingVersion)
	case line.Part != nil:
		if len(r.parts) >= maxRecordedParts {
			return fmt.Errorf("a recording has at most %d parts", maxRecordedParts)
		}
		r.parts[line.Part.ID] = bytes.Clone(line.Part.Value)
	case line.Exchange != nil:
		return r.addExchange(line.Exchange)
	case line.Approval != nil:
		r.approvals[line.Approval.Name] = line.Approval.approval()
	case line.Call != nil:
		c := line.Call
		if c.Name == "" || (c.Error == nil) == (len(c.Result) == 0) {
			return errors.New("a call of a tool needs a name, and either a result or an error")
		}
		r.calls[callKey(c.Name, c.Args)] = append(r.calls[callKey(c.Name, c.Args)], c)
		r.recorded = append(r.recorded, c)
	}
	return nil
}

func (r *Replayer) addExchange(e *recordedExchange) error {
	if (e.Error == nil) == (e.Response == nil) {
		return errors.New("an exchange needs either a response or an error")
	}
	ids := slices.Concat([]string{e.Request.Instruction}, e.Request.Tools, e.Request.Messages)
	if e.Request.Output != "" {
		ids = append(ids, e.Request.Output)
	}
	for _, id := range ids {
		if _, known := r.parts[id]; !known {
			return fmt.Errorf("the part %q stands in no line before", excerpt.Short(id, 40))
		}
	}
	x := &replayExchange{recordedExchange: *e}
	r.exchanges = append(r.exchanges, x)
	key := r.key(&e.Request, r.parts)
	r.byKey[key] = append(r.byKey[key], x)
	return nil
}

// key returns the text that equal requests have in common.
func (r *Replayer) key(q *recordedRequest, parts map[string]json.RawMessage) string {
	values := make([]json.RawMessage, 0, 2+len(q.Tools)+len(q.Messages))
	for _, id := range slices.Concat([]string{q.Instruction}, q.Tools, q.Messages, []string{q.Output}) {
		values = append(values, parts[id])
	}
	return recordHash(recordJSON([]any{q.Model, q.Temperature, q.MaxTokens, len(q.Tools), values}))
}

// HasTools reports whether calls of tools were recorded.
func (r *Replayer) HasTools() bool { return len(r.recorded) > 0 }

// Left returns how many of the recorded responses were not asked for.
func (r *Replayer) Left() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := 0
	for _, of := range r.byKey {
		left += len(of)
	}
	return left
}

// Name returns "recording".
func (r *Replayer) Name() string { return "recording" }

// Generate returns the recorded response to q.
func (r *Replayer) Generate(ctx context.Context, q *Request) (*Response, error) {
	return r.Stream(ctx, q, func(Delta) error { return nil })
}

// Stream returns the recorded response to q. It yields the recorded pieces, or else
// the content in one piece, and does not wait between them.
func (r *Replayer) Stream(ctx context.Context, q *Request, yield func(Delta) error) (*Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x, err := r.take(q)
	if err != nil {
		return nil, err
	}
	for _, p := range x.Pieces {
		if err := yield(Delta{Kind: p.Kind, Text: p.Text, Call: p.Call, Name: p.Name}); err != nil {
			return nil, err
		}
	}
	if x.Error != nil {
		return nil, x.Error.err()
	}
	response := x.Response.response()
	if len(x.Pieces) == 0 && response.Content != "" {
		if err := yield(Delta{Kind: DeltaText, Text: response.Content}); err != nil {
			return nil, err
		}
	}
	return response, nil
}

func (r *Replayer) take(q *Request) (*replayExchange, error) {
	request, lines := recordRequest(q, r.redact)
	parts := make(map[string]json.RawMessage, len(lines))
	for _, line := range lines {
		parts[line.Part.ID] = line.Part.Value
	}
	key := r.key(&request, parts)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.missed != nil {
		return nil, r.missed
	}
	if left := r.byKey[key]; len(left) > 0 {
		r.byKey[key] = left[1:]
		left[0].used = true
		return left[0], nil
	}
	return nil, r.miss(&request, parts, key)
}

// Tools returns tools for contracts, whose results are those of the recording, and whose
// calls need the same approval. A call
// that was not recorded ends the run at its next request. The error is a *[BindError].
func (r *Replayer) Tools(contracts []Contract) (Library, error) {
	var l Library
	for i := range contracts {
		name := contracts[i].Name
		t, err := NewTool(ToolConfig{Name: name, Adopt: true, Approval: r.approvals[name], Execute: func(_ context.Context, args json.RawMessage) (json.RawMessage, error) {
			return r.call(name, args)
		}})
		if err == nil {
			l, err = l.Add(name, t)
		}
		if err != nil {
			return l, err
		}
	}
	return l, nil
}

func (r *Replayer) call(name string, args json.RawMessage) (json.RawMessage, error) {
	args = redactJSON(compactJSON(args), r.redact)
	r.mu.Lock()
	defer r.mu.Unlock()
	key := callKey(name, args)
	left := r.calls[key]
	if len(left) == 0 {
		r.missed = Errorf(KindReplay, "%s", r.missedCall(name, args))
		return nil, r.missed
	}
	r.calls[key] = left[1:]
	if failed := left[0].Error; failed != nil {
		return nil, &ToolError{Kind: ToolErrorKind(failed.Kind), Message: failed.Message}
	}
	return left[0].Result, nil
}

func callKey(name string, args json.RawMessage) string { return name + "\x00" + recordSameJSON(args) }
