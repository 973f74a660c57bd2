package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/guard"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// userAgent is how the tools call themselves; Wikipedia wants an address.
const userAgent = "gramc (https://github.com/gram-lang/gramc)"

// Input returns the input schema of the built-in of that name: web_search,
// wikipedia or web_scraper.
func Input(builtin string) (schema json.RawMessage, known bool) {
	schemas := map[string]string{"web_search": searchInput, "wikipedia": wikipediaInput, "web_scraper": scraperInput}
	text, known := schemas[builtin]
	return json.RawMessage(text), known
}

// A builtin is a tool that has its own schemas, and the description of the agent.
type builtin struct{ name, description, input, output string }

func (b builtin) tool(run runtime.Handler) (runtime.Tool, error) {
	return runtime.NewTool(runtime.ToolConfig{
		Name:             b.name,
		Description:      b.description,
		AdoptDescription: true,
		Input:            json.RawMessage(b.input),
		Output:           json.RawMessage(b.output),
		Concurrent:       true,
		Execute:          run,
	})
}

// refuse reports that the tool cannot be made as it is configured.
func (b builtin) refuse(err error) (runtime.Tool, error) {
	return runtime.Tool{}, runtime.Errorf(runtime.KindConfiguration, "%s: %w", b.name, err)
}

// handler returns the handler of a function that takes its arguments decoded,
// and whose result is written as JSON.
func handler[In any](run func(context.Context, In) (any, error)) runtime.Handler {
	return func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
		var in In
		if err := json.Unmarshal(args, &in); err != nil {
			return nil, err
		}
		result, err := run(ctx, in)
		if err != nil {
			return nil, err
		}
		return plainjson.Marshal(result)
	}
}

// newClient returns the client of a tool. Each call has a time limit already.
func newClient(allowHosts ...string) (*http.Client, error) {
	return guard.Client(guard.Options{AllowHosts: allowHosts, UserAgent: userAgent, Timeout: -1})
}

// A site is a service whose responses are known.
type site struct {
	name   string
	base   string // its address
	client *http.Client
}

// newSite returns the service at an address. One that was configured is open
// wherever it is.
func newSite(name, address string, configured bool) (*site, error) {
	u, err := parseOrigin(address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("url: %w", err)
	case u.RawQuery != "", u.Fragment != "":
		return nil, errors.New("url: it may have no query or fragment")
	}
	var open []string
	if configured {
		open = []string{u.Host}
	}
	client, err := newClient(open...)
	return &site{name, strings.TrimSuffix(address, "/"), client}, err
}

// parseOrigin parses a URL that must have a scheme of the web and a host.
func parseOrigin(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, unwrapped(err)
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return nil, errors.New("it must start with https:// or http:// and a host")
	case u.User != nil:
		return nil, errors.New("it may have no user name; a service can have a header Authorization")
	}
	return u, nil
}

// json decodes the response to a GET request for what is at a path.
func (s *site) json(ctx context.Context, path string, header http.Header, response any) error {
	r, err := get(ctx, s.client, s.base+path, header)
	if err != nil {
		return err
	}
	if err := checkStatus(s.name, r); err != nil {
		return err
	}
	if err := json.Unmarshal(r.Body, response); err != nil {
		return fmt.Errorf("the response of %s is not as expected: %w", s.name, err)
	}
	return nil
}

func get(ctx context.Context, client *http.Client, address string, header http.Header) (*guard.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, invalid("not a web address: %v", unwrapped(err))
	}
	maps.Copy(req.Header, header)
	return send(client, req)
}

// unwrapped returns the error of a URL without the URL.
func unwrapped(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		return outer.Err
	}
	return err
}

// send sends a request for a tool. Its error is a *[runtime.ToolError]; the
// response comes with it if that was only too large.
func send(client *http.Client, req *http.Request) (*guard.Response, error) {
	response, err := guard.Do(client, req)
	if err == nil {
		return response, nil
	}
	kind := runtime.ToolExecution
	var refused *guard.RefusedError
	switch {
	case errors.As(err, &refused):
		kind = runtime.ToolAuthorization
	case errors.Is(err, context.DeadlineExceeded):
		kind = runtime.ToolTimeout
	}
	return response, &runtime.ToolError{Kind: kind, Message: err.Error(), Err: err}
}

// checkStatus refuses a response that reports a failure, with its text.
func checkStatus(who string, r *guard.Response) error {
	if r.Status/100 == 2 {
		return nil
	}
	message := fmt.Sprintf("%s responded with %s", who, statusLine(r.Status))
	if text := excerpt.Printable(decoded(r), 500); text != "" {
		message += ": " + text
	}
	return errors.New(message)
}

func statusLine(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// invalid returns the error for arguments that cannot be used.
func invalid(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &runtime.ToolError{Kind: runtime.ToolValidation, Message: err.Error(), Err: errors.Unwrap(err)}
}
