package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/runtime"
)

// Options says whom to ask and how.
type Options struct {
	Provider string // one of [Providers]; "" means OpenAI
	BaseURL  string // "" means the provider's own
	APIKey   string `json:"-"` // required, also by a local server: any text will do there

	// HTTPClient makes the requests. It is copied, and the copy follows no
	// redirects. Nil means one that waits 10 seconds for a connection and
	// two minutes for an answer to begin.
	HTTPClient *http.Client

	// MaxRetries is how often a request is repeated that may succeed later.
	// Nil means 3.
	MaxRetries *int

	// Functions selects the old wire format, "functions" and "function_call"
	// instead of "tools" and "tool_calls", for servers that know no other.
	// Answers in either format are always understood.
	Functions bool
}

// A Model asks one provider. It may be shared.
type Model struct {
	provider  service
	base      string
	legacy    bool
	key       secret
	transport *transport
	config    openai.ClientConfig          // its HTTP client is an exchange for each call
	lowered   atomic.Pointer[loweredTools] // of the last request
}

// New returns a Model. The error is a [*runtime.Error] of kind
// [runtime.KindConfiguration].
func New(o Options) (*Model, error) {
	if o.Provider == "" {
		o.Provider = "OpenAI"
	}
	p, ok := findProvider(o.Provider)
	if !ok {
		return nil, runtime.Errorf(runtime.KindConfiguration, "unknown provider %q: use one of %s",
			o.Provider, strings.Join(Providers(), ", "))
	}
	key := strings.TrimSpace(o.APIKey)
	if key == "" {
		return nil, runtime.Errorf(runtime.KindConfiguration,
			"no API key for %s: set the environment variable %s, or use --offline to run without a model",
			p.name, strings.Join(p.keys, " or "))
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return nil, runtime.Errorf(runtime.KindConfiguration,
			"the API key for %s holds a line break or another control character: check %s",
			p.name, strings.Join(p.keys, " or "))
	}
	if o.BaseURL == "" {
		o.BaseURL = p.base
	}
	if err := checkBase(o.BaseURL); err != nil {
		return nil, runtime.Errorf(runtime.KindConfiguration, "base URL %q: %w", secret(key).hide(withoutUser(o.BaseURL)), err)
	}
	retries := 3
	if o.MaxRetries != nil {
		retries = max(*o.MaxRetries, 0)
	}
	m := &Model{provider: p, base: o.BaseURL, legacy: o.Functions, key: secret(key)}
	m.transport = newTransport(o.HTTPClient, m.key, retries)
	// DefaultConfig serves every provider: the special one for Anthropic
	// sends no key at all.
	m.config = openai.DefaultConfig(key)
	m.config.BaseURL = m.base
	return m, nil
}

// withoutUser returns a URL without what may be secret in it.
func withoutUser(base string) string {
	base, _, _ = strings.Cut(base, "?")
	if scheme, rest, ok := strings.Cut(base, "://"); ok {
		if _, host, ok := strings.Cut(rest, "@"); ok {
			return scheme + "://…@" + host
		}
	}
	return base
}

func checkBase(base string) error {
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return errors.New("not a URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("must start with http:// or https://")
	case u.Host == "":
		return errors.New("has no host")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("must have no user, query or fragment")
	}
	return nil
}

// Name returns the name of the provider.
func (m *Model) Name() string { return m.provider.name }

// Format writes the name and the base URL, whatever the verb, so that no log
// shows the key.
func (m *Model) Format(f fmt.State, _ rune) {
	io.WriteString(f, m.key.hide(m.provider.name+" at "+m.base))
}

// Generate asks the model once and returns its answer. Errors are
// [*runtime.Error]: [runtime.KindConfiguration] when the key is refused,
// otherwise [runtime.KindLLMAPI]. They wrap the error of ctx when it ended.
func (m *Model) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	req, add, err := m.request(r)
	if err != nil {
		return nil, err
	}
	var x *exchange
	response, err := m.transport.retry(ctx, func() (*runtime.Response, error) {
		x = &exchange{transport: m.transport, add: add}
		config := m.config
		config.HTTPClient = x
		return x.read(openai.NewClientWithConfig(config).CreateChatCompletion(ctx, req))
	})
	if err != nil {
		return nil, m.failure(ctx, r.Model, x, err)
	}
	m.restore(r, response)
	return response, nil
}

// failure says what err means to the person who started the run.
func (m *Model) failure(ctx context.Context, model string, x *exchange, err error) *runtime.Error {
	if stop := ctx.Err(); stop != nil {
		return runtime.Errorf(runtime.KindLLMAPI, "Network error: the request to %s was stopped: %w", m.key.hide(m.base), stop)
	}
	if !x.sent { // go-openai knows that the model cannot do this
		return runtime.Errorf(runtime.KindLLMAPI, "model %q cannot be used: %s", model, m.key.hide(err.Error()))
	}
	var f *fault
	if !errors.As(err, &f) {
		return runtime.Errorf(runtime.KindLLMAPI, "the request to %s went wrong: %s", m.key.hide(m.base), m.key.hide(fmt.Sprint(err)))
	}
	switch {
	case f.status == 0:
		return &runtime.Error{Kind: runtime.KindLLMAPI, Message: fmt.Sprintf("Network error: no answer from %s: %s", m.key.hide(m.base), f), Err: f}
	case f.badKey():
		return &runtime.Error{Kind: runtime.KindConfiguration, Message: fmt.Sprintf("invalid API key or no permission: %s refuses it; check %s (API error: %d - %s)",
			m.provider.name, strings.Join(m.provider.keys, " or "), f.status, f), Err: f}
	case f.status == http.StatusNotFound:
		return &runtime.Error{Kind: runtime.KindLLMAPI, Message: fmt.Sprintf("API error: 404 - %s; check the model %q and the base URL %s",
			f, model, m.key.hide(m.base)), Err: f}
	}
	return &runtime.Error{Kind: runtime.KindLLMAPI, Message: fmt.Sprintf("API error: %d - %s", f.status, f), Err: f}
}
