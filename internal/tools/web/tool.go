package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/guard"
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

// newBuiltin returns a tool that has its own input schema, and the description
// of the agent.
func newBuiltin(c runtime.ToolConfig) (runtime.Tool, error) {
	c.AdoptDescription = true
	return runtime.NewTool(c)
}

// newClient returns the client of a tool. Each call has a time limit already.
func newClient(allowHosts ...string) (*http.Client, error) {
	return guard.Client(guard.Options{AllowHosts: allowHosts, UserAgent: userAgent, Timeout: -1})
}

// misconfigured says that a tool cannot be made as it is configured.
func misconfigured(tool, format string, args ...any) error {
	return runtime.Errorf(runtime.KindConfiguration, "%s: %w", tool, fmt.Errorf(format, args...))
}

func get(ctx context.Context, client *http.Client, address string, header http.Header) (*guard.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, invalid("not a web address: %v", unwrapped(err))
	}
	req.Header = header.Clone()
	if req.Header == nil {
		req.Header = http.Header{}
	}
	return send(client, req)
}

// unwrapped returns the mistake in a URL without the URL.
func unwrapped(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		return outer.Err
	}
	return err
}

// send sends a request for a tool. Its error is a *[runtime.ToolError]; an
// answer comes with it when that was only too large.
func send(client *http.Client, req *http.Request) (*guard.Response, error) {
	answer, err := guard.Do(client, req)
	if err == nil {
		return answer, nil
	}
	kind := runtime.ToolExecution
	var refused *guard.RefusedError
	switch {
	case errors.As(err, &refused):
		kind = runtime.ToolAuthorization
	case errors.Is(err, context.DeadlineExceeded):
		kind = runtime.ToolTimeout
	}
	return answer, &runtime.ToolError{Kind: kind, Message: err.Error(), Err: err}
}

// checkStatus refuses an answer that is none, with what it says.
func checkStatus(who string, a *guard.Response) error {
	if a.Status/100 == 2 {
		return nil
	}
	message := fmt.Sprintf("%s answered %s", who, statusLine(a.Status))
	if text := excerpt.Printable(decoded(a), 500); text != "" {
		message += ": " + text
	}
	return errors.New(message)
}

func statusLine(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// getJSON asks a service that is known to answer with JSON.
func getJSON(ctx context.Context, client *http.Client, who, address string, header http.Header, answer any) error {
	a, err := get(ctx, client, address, header)
	if err != nil {
		return err
	}
	if err := checkStatus(who, a); err != nil {
		return err
	}
	if err := json.Unmarshal(a.Body, answer); err != nil {
		return fmt.Errorf("%s answered something else than expected: %w", who, err)
	}
	return nil
}
