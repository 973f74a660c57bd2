package web

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/guard"
	"github.com/gram-lang/gramc/runtime"
)

// userAgent is how the tools call themselves; Wikipedia wants an address.
const userAgent = "gramc (https://github.com/gram-lang/gramc)"

// newClient returns the client of a tool. Each call has a time limit already.
func newClient(allowHosts ...string) (*http.Client, error) {
	return guard.Client(guard.Options{AllowHosts: allowHosts, UserAgent: userAgent})
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
	if text := excerpt.Printable(decodeCharset(r), 500); text != "" {
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
