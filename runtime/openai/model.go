package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// Options configure a [Model].
type Options struct {
	Provider string // one of [Providers]; "" means OpenAI
	BaseURL  string // "" means the provider's own
	APIKey   string `json:"-"` // required, but for a provider without [KeyVariables]

	// Models is the table that has the provider; nil means the built-in one.
	Models *models.Table `json:"-"`

	// HTTPClient makes the requests. It is copied, and the copy follows no
	// redirects. Nil means a client that waits 10 seconds for a connection, and
	// StartTimeout for a response.
	HTTPClient *http.Client

	// StartTimeout limits how long a response may take to begin, and Timeout how
	// long it may take as a whole, in each attempt; 0 means [DefaultStartTimeout]
	// and [DefaultTimeout].
	StartTimeout, Timeout time.Duration

	// MaxRetries limits how often a request is repeated after a failure that
	// can pass. Nil means 3.
	MaxRetries *int

	// Functions selects the old wire format, "functions" and "function_call"
	// instead of "tools" and "tool_calls", for servers that support no other.
	// Responses in both formats are always read.
	Functions bool
}

// A Model sends requests to one provider. It can be shared.
type Model struct {
	provider  *models.Provider
	base      string
	legacy    bool
	key       apiKey
	transport *modelTransport
	client    *openai.Client               // sends with the transport
	lowered   atomic.Pointer[loweredTools] // of the last request
}

// New returns a Model. The error is a [*runtime.Error] of kind
// [runtime.KindConfiguration].
func New(o Options) (*Model, error) {
	if o.Provider == "" {
		o.Provider = "OpenAI"
	}
	p, ok := o.Models.Provider(o.Provider)
	if !ok {
		return nil, runtime.Errorf(runtime.KindConfiguration, "unknown provider %q: use one of %s",
			o.Provider, strings.Join(o.Models.Names(), ", "))
	}
	key := strings.TrimSpace(o.APIKey)
	if key == "" && !p.IsLocal() {
		return nil, runtime.Errorf(runtime.KindConfiguration,
			"no API key for %s: set the environment variable %s, or use --offline to run without a model", p.Name, variables(p))
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return nil, runtime.Errorf(runtime.KindConfiguration,
			"the API key for %s contains a line break or another control character: check %s", p.Name, variables(p))
	}
	if o.BaseURL == "" {
		o.BaseURL = p.ChatBase()
	}
	if o.BaseURL == "" {
		return nil, runtime.Errorf(runtime.KindConfiguration, "%s has no address that is the same for everybody: set the environment variable %s to yours, such as %s",
			p.Name, p.AddressVariable, p.AddressExample)
	}
	if err := checkModelURL(o.BaseURL); err != nil {
		shown, _, _ := strings.Cut(o.BaseURL, "?")
		shown = shown[strings.LastIndexByte(shown, '@')+1:] // without a password
		return nil, runtime.Errorf(runtime.KindConfiguration, "base URL %q: %w", newAPIKey(key).hide(shown), err)
	}
	m := &Model{provider: p, base: o.BaseURL, legacy: o.Functions, key: newAPIKey(key)}
	m.transport = newTransport(&o, m.key)
	// DefaultConfig serves every provider: the special one for Anthropic
	// sends no key at all.
	config := openai.DefaultConfig(key)
	config.BaseURL, config.HTTPClient = m.base, m.transport
	m.client = openai.NewClientWithConfig(config)
	return m, nil
}

// checkModelURL returns what is wrong with a base URL.
func checkModelURL(base string) error {
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
func (m *Model) Name() string { return m.provider.Name }

// Close closes the connections that are not in use, unless they are those of
// [Options.HTTPClient]. The model can still be used.
func (m *Model) Close() error {
	m.transport.close()
	return nil
}

// Format writes the name and the base URL for every verb, so that logs never
// contain the key.
func (m *Model) Format(f fmt.State, _ rune) {
	io.WriteString(f, m.key.hide(m.provider.Name+" at "+m.base))
}

// Generate sends r and returns the response. Its errors are [*runtime.Error] of
// kind [runtime.KindConfiguration] if the key is refused or a tool cannot be
// sent, [runtime.KindContextOverflow] if the conversation is too long,
// [runtime.KindContentFilter] if the provider refuses its content, and
// [runtime.KindLLMAPI] otherwise. They wrap the error of ctx if it is done.
func (m *Model) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	req, add, err := m.request(r)
	if err != nil {
		return nil, err
	}
	var x *exchange
	response, err := m.transport.retry(ctx, func() (*runtime.Response, error) {
		x = &exchange{modelTransport: m.transport, add: add}
		return x.read(m.client.CreateChatCompletion(context.WithValue(ctx, exchangeKey{}, x), req))
	})
	if err != nil {
		return nil, m.failure(ctx, r.Model, x, err)
	}
	m.key.hideIn(response)
	m.restoreSchemas(r, response)
	return response, nil
}

// failure returns err, the error of a request, for the person who started it.
func (m *Model) failure(ctx context.Context, model string, x *exchange, err error) *runtime.Error {
	base := m.key.hide(m.base)
	var f *fault
	switch stop := ctx.Err(); {
	case stop != nil:
		return runtime.Errorf(runtime.KindLLMAPI, "Network error: the request to %s was stopped: %w", base, stop)
	case !x.sent: // go-openai refused the model before any request
		return runtime.Errorf(runtime.KindLLMAPI, "model %q cannot be used: %s", model, m.key.hide(err.Error()))
	case !errors.As(err, &f):
		return runtime.Errorf(runtime.KindLLMAPI, "the request to %s failed: %s", base, m.key.hide(err.Error()))
	}
	e := &runtime.Error{Kind: cmp.Or(f.kind, runtime.KindLLMAPI), Message: fmt.Sprintf("API error: %d - %s", f.status, f), Err: f}
	switch {
	case f.status == 0:
		e.Message = fmt.Sprintf("Network error: no response from %s: %s", base, f)
	case f.kind == runtime.KindConfiguration && m.provider.IsLocal():
		e.Message = fmt.Sprintf("%s wants a key, and takes none as a rule: define a provider with its address and key (%s)", m.provider.Name, e.Message)
	case f.kind == runtime.KindConfiguration:
		e.Message = fmt.Sprintf("invalid API key or no permission: %s refuses it; check %s (%s)", m.provider.Name, m.variables(), e.Message)
	case f.kind == runtime.KindContextOverflow:
		e.Message = fmt.Sprintf("the conversation is too long for model %q (%s)", model, e.Message)
	case f.kind == runtime.KindContentFilter:
		e.Message = fmt.Sprintf("a content filter refuses the conversation (%s)", e.Message)
	case f.status == http.StatusNotFound:
		e.Message += fmt.Sprintf("; check the model %q and the base URL %s", model, base)
	}
	return e
}
