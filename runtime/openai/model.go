package openai

import (
	"context"
	"fmt"
	"io"

	openai "github.com/sashabaranov/go-openai"

	"github.com/gram-lang/gramc/internal/lowered"
	"github.com/gram-lang/gramc/internal/modelhttp"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// The limits of [Options.StartTimeout] and [Options.Timeout] where these are 0.
const (
	DefaultStartTimeout = modelhttp.DefaultStartTimeout
	DefaultTimeout      = modelhttp.DefaultTimeout
)

// Options configure a [Model]; they are those of the models of all protocols.
type Options = modelhttp.Options

// A Model sends requests to one provider. It can be shared.
type Model struct {
	provider *models.Provider
	base     string
	legacy   bool
	http     *modelhttp.Client
	client   *openai.Client // sends with it
	toolbox  *lowered.Toolbox[toolList]
}

// New returns a Model. The error is a [*runtime.Error] of kind
// [runtime.KindConfiguration].
func New(o Options) (*Model, error) {
	p, err := o.Named("OpenAI")
	if err != nil {
		return nil, err
	}
	if o.BaseURL == "" {
		o.BaseURL = p.ChatBase()
	}
	if o.BaseURL == "" {
		return nil, runtime.Errorf(runtime.KindConfiguration, "%s has no address that is the same for everybody: set the environment variable %s to yours, such as %s",
			p.Name, p.AddressVariable, p.AddressExample)
	}
	client, err := modelhttp.New(p, o.BaseURL, &o)
	if err != nil {
		return nil, err
	}
	// DefaultConfig serves every provider: the special one for Anthropic
	// sends no key at all.
	config := openai.DefaultConfig(client.Key())
	config.BaseURL, config.HTTPClient = o.BaseURL, transport{client}
	return &Model{provider: p, base: o.BaseURL, legacy: o.Functions, http: client, client: openai.NewClientWithConfig(config), toolbox: newToolbox(p, o.Functions)}, nil
}

// Name returns the name of the provider.
func (m *Model) Name() string { return m.provider.Name }

// Close closes the connections that are not in use, unless they are those of
// [Options.HTTPClient]. The model can still be used.
func (m *Model) Close() error { return m.http.Close() }

// Format writes the name and the base URL for every verb, so that logs never
// contain the key.
func (m *Model) Format(f fmt.State, _ rune) { io.WriteString(f, m.http.String()) }

// Generate sends r and returns the response. Its errors are [*runtime.Error] of
// kind [runtime.KindConfiguration] if the key is refused or a tool cannot be
// sent, [runtime.KindValidation] if an attachment cannot be sent,
// [runtime.KindContextOverflow] if the conversation is too long,
// [runtime.KindContentFilter] if the provider refuses its content,
// [runtime.KindRateLimit] or [runtime.KindOverloaded] if the provider is busy, and
// [runtime.KindLLMAPI] otherwise. They wrap the error of ctx if it is done.
func (m *Model) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	if m.needsResponses(r) {
		return m.generateResponses(ctx, r)
	}
	p, err := m.plan(r)
	if err != nil {
		return nil, err
	}
	response, err := m.http.Generate(ctx, r, func() (*runtime.Response, error) {
		x := &exchange{model: r.Model, add: p.add}
		c, err := m.client.CreateChatCompletion(context.WithValue(ctx, exchangeKey{}, x), p.chat)
		return m.read(x, c, err)
	})
	if err != nil {
		return nil, err
	}
	m.restore(p, response)
	return response, nil
}
