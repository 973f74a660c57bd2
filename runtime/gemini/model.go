package gemini

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/gram-lang/gramc/internal/lowered"
	"github.com/gram-lang/gramc/internal/modelhttp"
	"github.com/gram-lang/gramc/runtime"
)

// google is what gram files call the provider of this API.
const google = "Google"

// Options configure a [Model]; they are those of the models of all protocols.
type Options = modelhttp.Options

// A Model sends requests to the Gemini API. It can be shared.
type Model struct {
	name    string // of the provider
	base    string
	client  *modelhttp.Client
	toolbox *lowered.Toolbox[json.RawMessage]
}

// New returns a Model. The error is a [*runtime.Error] of kind
// [runtime.KindConfiguration].
func New(o Options) (*Model, error) {
	p, err := o.Named(google)
	if err != nil {
		return nil, err
	}
	base := withVersion(cmp.Or(o.BaseURL, p.Address))
	client, err := modelhttp.New(p, base, &o)
	if err != nil {
		return nil, err
	}
	return &Model{name: p.Name, base: base, client: client, toolbox: newToolbox()}, nil
}

// withVersion returns a base URL with the version of the API and without a slash at
// its end.
func withVersion(base string) string {
	base = strings.TrimRight(base, "/")
	if u, err := url.Parse(base); err == nil && u.Host != "" && u.Path == "" && u.RawQuery == "" && u.Fragment == "" {
		return base + "/v1beta"
	}
	return base
}

// Name returns the name of the provider.
func (m *Model) Name() string { return m.name }

// Close closes the connections that are not in use, unless they are those of
// [Options.HTTPClient]. The model can still be used.
func (m *Model) Close() error { return m.client.Close() }

// Format writes the name and the base URL for every verb, so that logs never
// contain the key.
func (m *Model) Format(f fmt.State, _ rune) { io.WriteString(f, m.client.String()) }

// Generate sends r and returns the response. Its errors are [*runtime.Error] of
// kind [runtime.KindConfiguration] if the key is refused or a tool cannot be sent,
// [runtime.KindValidation] if an attachment cannot be sent,
// [runtime.KindContextOverflow] if the conversation is too long,
// [runtime.KindContentFilter] if the provider refuses its content,
// [runtime.KindRateLimit] or [runtime.KindOverloaded] if the provider is busy, and
// [runtime.KindLLMAPI] otherwise. They wrap the error of ctx if it is done.
func (m *Model) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	p, err := m.plan(r)
	if err != nil {
		return nil, err
	}
	return readableResponse(r, func() (*runtime.Response, error) {
		return m.client.Generate(ctx, r, func() (*runtime.Response, error) { return m.whole(ctx, p) })
	}, func() error { return nil })
}

// Stream is [Model.Generate] that calls yield with each piece of the response; see
// [runtime.Streamer].
func (m *Model) Stream(ctx context.Context, r *runtime.Request, yield func(runtime.Delta) error) (*runtime.Response, error) {
	p, err := m.plan(r)
	if err != nil {
		return nil, err
	}
	begun := false
	return readableResponse(r, func() (*runtime.Response, error) {
		return m.client.Stream(ctx, r, func(d runtime.Delta) error {
			begun = begun || d.Kind != runtime.DeltaWait
			return yield(d)
		}, func(ctx context.Context, yield modelhttp.Yield) (*runtime.Response, error) {
			return m.chunks(ctx, p, yield)
		})
	}, func() error {
		if !begun {
			return nil
		}
		return yield(runtime.Delta{Kind: runtime.DeltaRestart})
	})
}

// whole makes one attempt at a response in one piece.
func (m *Model) whole(ctx context.Context, p *plan) (*runtime.Response, error) {
	req, err := m.post(ctx, p, "generateContent")
	if err != nil {
		return nil, err
	}
	resp, body, err := m.client.Whole(req)
	if err != nil {
		return nil, err
	}
	return m.read(resp, body, &reading{plan: p})
}

// chunks makes one attempt at a response that is streamed.
func (m *Model) chunks(ctx context.Context, p *plan, yield modelhttp.Yield) (*runtime.Response, error) {
	req, err := m.post(ctx, p, "streamGenerateContent?alt=sse")
	if err != nil {
		return nil, err
	}
	resp, err := m.client.Open(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	events := modelhttp.NewEventReader(resp.Body)
	r := &reading{plan: p, yield: yield}
	if !events.IsStream() {
		return m.unstreamed(resp, events, r)
	}
	for {
		event, err := events.Next()
		switch {
		case err != nil && r.finish != "": // the response is complete, whatever ended the stream
			return r.response()
		case err == io.EOF && !r.begun:
			return nil, m.client.BodyFault(resp, nil, "")
		case err == io.EOF:
			return nil, modelhttp.EndFault()
		case err != nil:
			return nil, err
		}
		in, err := m.decode(resp, event.Data)
		if err == nil {
			err = r.add(in)
		} else if r.finish != "" {
			return r.response() // such as an end mark of a proxy
		}
		if err != nil {
			return nil, err
		}
	}
}

// unstreamed reads a response in one piece to a request for a stream: an error, a web
// page, or the response of a server that cannot stream.
func (m *Model) unstreamed(resp *http.Response, events *modelhttp.EventReader, r *reading) (*runtime.Response, error) {
	body, err := events.Whole()
	if err != nil {
		return nil, err
	}
	return m.read(resp, body, r)
}

// read reads a response in one piece.
func (m *Model) read(resp *http.Response, body []byte, r *reading) (*runtime.Response, error) {
	in, err := m.decode(resp, body)
	if err != nil {
		return nil, err
	}
	if err := r.add(in); err != nil {
		return nil, err
	}
	if !r.begun {
		return nil, m.client.BodyFault(resp, body, "has no candidates")
	}
	return r.response()
}

// decode reads a response or a chunk of one. The error is a [*modelhttp.Fault].
func (m *Model) decode(resp *http.Response, text []byte) (*generateResponse, error) {
	in := &generateResponse{}
	if err := json.Unmarshal(text, in); err != nil {
		return nil, m.client.BodyFault(resp, text, "is not one of the Gemini API")
	}
	if len(in.Error) > 0 && string(in.Error) != "null" {
		return nil, m.client.BodyFault(resp, text, "reports an error")
	}
	return in, nil
}

// post returns the request for a method. The key is in a header: URLs are logged by
// servers on the way.
func (m *Model) post(ctx context.Context, p *plan, method string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.address(p.model, method), bytes.NewReader(p.body))
	if err != nil {
		return nil, runtime.Errorf(runtime.KindConfiguration, "model %q cannot be used: %w", p.request.Model, err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Goog-Api-Key", m.client.Key())
	return req, nil
}
