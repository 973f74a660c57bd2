package anthropic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/gram-lang/gramc/internal/modelhttp"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

// providerName is what gram files call the provider of this API.
const providerName = "Anthropic"

// Options configure a [Model]; they are those of the models of all protocols.
type Options = modelhttp.Options

// A Model sends requests to Anthropic's Messages API. It can be shared.
type Model struct {
	provider *models.Provider
	own      bool // the address is the provider's
	client   *modelhttp.Client
	messages anthropic.MessageService
	strict   *toolbox // for the models that take strict tools
	loose    *toolbox // for the others
}

// New returns a Model. The error is a [*runtime.Error] of kind
// [runtime.KindConfiguration].
func New(o Options) (*Model, error) {
	p, err := o.Named(providerName)
	if err != nil {
		return nil, err
	}
	base := strings.TrimSuffix(strings.TrimRight(cmp.Or(o.BaseURL, p.Address), "/"), "/v1")
	client, err := modelhttp.New(p, base, &o)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(base, "/chat/completions") || strings.HasSuffix(base, "/openai") {
		return nil, runtime.Errorf(runtime.KindConfiguration, "base URL %q is one of chat completions, and %s is asked by its Messages API: "+
			"use the address of that, such as %s, or declare the server as a provider of your own (gramc help models)", base, p.Name, p.Address)
	}
	options := []option.RequestOption{
		option.WithBaseURL(base + "/"),
		option.WithMaxRetries(0),
		option.WithRequestTimeout(noLimit), // the client has its own
		option.WithoutOpenTelemetry(),
		// What the SDK says about this machine.
		option.WithHeaderDel("X-Stainless-Lang"), option.WithHeaderDel("X-Stainless-Package-Version"),
		option.WithHeaderDel("X-Stainless-OS"), option.WithHeaderDel("X-Stainless-Arch"),
		option.WithHeaderDel("X-Stainless-Runtime"), option.WithHeaderDel("X-Stainless-Runtime-Version"),
		option.WithHeaderDel("X-Stainless-Timeout"), option.WithHeaderDel("X-Stainless-Retry-Count"),
	}
	if key := client.Key(); key != "" {
		options = append(options, option.WithAPIKey(key))
	}
	return &Model{provider: p, own: base == p.Address, client: client, messages: anthropic.NewMessageService(options...), strict: newToolbox(p.Strict), loose: newToolbox(false)}, nil
}

// noLimit is longer than any limit of a client.
const noLimit = 1000 * time.Hour

// Name returns the name of the provider.
func (m *Model) Name() string { return m.provider.Name }

// Close closes the connections that are not in use, unless they are those of
// [Options.HTTPClient]. The model can still be used.
func (m *Model) Close() error { return m.client.Close() }

// Format writes the name and the base URL for every verb, so that logs never
// contain the key.
func (m *Model) Format(f fmt.State, _ rune) { io.WriteString(f, m.client.String()) }

// Generate sends r and returns the response. Its errors are [*runtime.Error] of
// kind [runtime.KindConfiguration] if the key is refused or a tool cannot be
// sent, [runtime.KindValidation] if an attachment cannot be sent,
// [runtime.KindContextOverflow] if the conversation is too long,
// [runtime.KindContentFilter] if the provider refuses its content,
// [runtime.KindRateLimit] or [runtime.KindOverloaded] if the provider is busy, and
// [runtime.KindLLMAPI] otherwise. They wrap the error of ctx if it is done.
//
// A response that can take longer than connections last without data is streamed.
func (m *Model) Generate(ctx context.Context, r *runtime.Request) (*runtime.Response, error) {
	p, err := m.plan(r)
	if err != nil {
		return nil, err
	}
	if p.params.MaxTokens > longestUnstreamed {
		return m.stream(ctx, r, p, func(runtime.Delta) error { return nil })
	}
	response, err := m.client.Generate(ctx, r, func() (*runtime.Response, error) {
		return p.run(r, func(params anthropic.MessageNewParams) (*reply, error) { return m.ask(ctx, params) })
	})
	return response, m.hint(err)
}

// Stream is [Model.Generate] that yields the response while it is generated.
func (m *Model) Stream(ctx context.Context, r *runtime.Request, yield func(runtime.Delta) error) (*runtime.Response, error) {
	p, err := m.plan(r)
	if err != nil {
		return nil, err
	}
	return m.stream(ctx, r, p, yield)
}

func (m *Model) stream(ctx context.Context, r *runtime.Request, p *plan, yield modelhttp.Yield) (*runtime.Response, error) {
	response, err := m.client.Stream(ctx, r, yield, func(ctx context.Context, yield modelhttp.Yield) (*runtime.Response, error) {
		out := &pieces{yield: yield, tools: p.tools, quiet: p.answer.InOnePiece()}
		response, err := p.run(r, func(params anthropic.MessageNewParams) (*reply, error) { return m.askStream(ctx, params, out) })
		if err == nil && out.quiet && response.Content != "" {
			err = yield(runtime.Delta{Kind: runtime.DeltaText, Text: response.Content})
		}
		return response, err
	})
	return response, m.hint(err)
}

// hint adds to the error of another server than the provider's that it may have
// no Messages API.
func (m *Model) hint(err error) error {
	var e *runtime.Error
	var f *modelhttp.Fault
	if !m.own && errors.As(err, &e) && errors.As(err, &f) && f.Status == http.StatusNotFound {
		e.Message += "; if that server has chat completions but no /v1/messages, declare it as a provider of your own (gramc help models)"
	}
	return err
}

// maxPauses limits how often a response is continued that the API has paused.
const maxPauses = 5

// run sends the request, and again with what the model has written until then as long
// as the API pauses (https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons).
func (p *plan) run(r *runtime.Request, send func(anthropic.MessageNewParams) (*reply, error)) (*runtime.Response, error) {
	whole := &reply{}
	params := p.params
	var counts runtime.Usage
	for sent := range maxPauses {
		if sent > 0 {
			if err := r.SendAgain(runtime.Attempts{Sent: sent, Lost: sent}); err != nil {
				return nil, err
			}
		}
		part, err := send(params)
		if err != nil {
			return nil, err
		}
		counts = counts.Add(responseUsage(&part.usage))
		whole.blocks = append(whole.blocks, part.blocks...)
		whole.stop, whole.refusal = part.stop, part.refusal
		if whole.stop != anthropic.StopReasonPauseTurn {
			break
		}
		written := runtime.Message{Role: runtime.RoleAssistant}
		for _, b := range whole.blocks {
			written.Content += b.Text
		}
		written.Extra = blocksExtra(p.provider, whole.blocks)
		params.Messages = append(p.params.Messages[:len(p.params.Messages):len(p.params.Messages)],
			anthropic.MessageParam{Role: anthropic.MessageParamRoleAssistant, Content: assistantBlocks(p.provider, &written)})
	}
	response := p.response(whole)
	response.Usage = counts
	return response, nil
}
