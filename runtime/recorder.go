package runtime

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// A Recorder is a [Streamer] that records what another model does. It may be
// shared if that one may.
type Recorder struct {
	model Model
	to    *Recording
}

// Recorder returns a model that does what m does, and records it. An exchange that
// ctx ends is not recorded.
func (r *Recording) Recorder(m Model) *Recorder { return &Recorder{m, r} }

// Name returns the name of the recorded model.
func (r *Recorder) Name() string { return r.model.Name() }

// Generate is that of the recorded model.
func (r *Recorder) Generate(ctx context.Context, q *Request) (*Response, error) {
	start := time.Now()
	response, err := r.model.Generate(ctx, q)
	r.record(ctx, q, start, nil, response, err)
	return response, err
}

// Stream is that of the recorded model, which need not be a [Streamer].
func (r *Recorder) Stream(ctx context.Context, q *Request, yield func(Delta) error) (*Response, error) {
	start := time.Now()
	var pieces []recordedPiece
	refused := false
	response, err := Stream(ctx, r.model, q, func(d Delta) error {
		if d.Kind != DeltaWait {
			pieces = append(pieces, recordedPiece{time.Since(start).Milliseconds(), d.Kind, d.Text, d.Call, d.Name})
		}
		err := yield(d)
		refused = refused || err != nil
		return err
	})
	if !refused {
		r.record(ctx, q, start, pieces, response, err)
	}
	return response, err
}

func (r *Recorder) record(ctx context.Context, q *Request, start time.Time, pieces []recordedPiece, response *Response, err error) {
	if ctx.Err() != nil || response == nil && err == nil {
		return
	}
	redact := r.to.redact
	exchange := &recordedExchange{Millis: time.Since(start).Milliseconds(), Pieces: piecesWithoutSecrets(pieces, redact)}
	var lines []recordedLine
	exchange.Request, lines = recordRequest(q, redact)
	if err != nil {
		exchange.Error = redactedRecording(recordError(err), redact)
	} else {
		exchange.Response = redactedRecording(recordResponse(response), redact)
	}
	r.to.write(append(lines, recordedLine{Exchange: exchange})...)
}

// piecesWithoutSecrets returns the pieces of a stream, or none of them if what they
// make holds a secret, which may be spread over several.
func piecesWithoutSecrets(pieces []recordedPiece, redact func(string) string) []recordedPiece {
	if redact == nil {
		return pieces
	}
	type whole struct {
		kind DeltaKind
		call int
	}
	texts := map[whole]*strings.Builder{}
	for _, p := range pieces {
		of := whole{p.Kind, p.Call}
		if texts[of] == nil {
			texts[of] = &strings.Builder{}
		}
		texts[of].WriteString(p.Name + p.Text)
	}
	for _, text := range texts {
		if redact(text.String()) != text.String() {
			return nil
		}
	}
	return pieces
}

// Library returns the tools of a library, which record each call with its result. It
// records which calls of them need approval.
func (r *Recording) Library(l Library) Library {
	for _, name := range l.Names() {
		if a := l.tools[name].config.Approval; a.Default != "" || len(a.Rules) > 0 {
			r.write(recordedLine{Approval: redactedRecording(recordApproval(name, a), r.redact)})
		}
	}
	return l.Handled(func(name string, run Handler) Handler {
		return func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
			start := time.Now()
			call := &recordedCall{Name: name, Args: compactJSON(args)}
			result, err := run(ctx, args)
			call.Millis = time.Since(start).Milliseconds()
			if err != nil {
				failed := invokeErrorOf(err)
				call.Error = &recordedError{Kind: string(failed.Kind), Message: failed.Message}
			} else if call.Result = compactJSON(result); call.Result == nil {
				call.Result = json.RawMessage("null")
			}
			r.write(recordedLine{Call: redactedRecording(call, r.redact)})
			return result, err
		}
	})
}
