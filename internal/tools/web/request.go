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

// newRequestClient returns the client of a tool. Each call has a time limit already.
func newRequestClient(allowHosts ...string) (*http.Client, error) {
	return guard.Client(guard.Options{AllowHosts: allowHosts, UserAgent: userAgent})
}

func getRequest(ctx context.Context, client *http.Client, address string, header http.Header) (*guard.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, invalidRequest("not a web address: %v", unwrapRequestError(err))
	}
	maps.Copy(req.Header, header)
	return sendRequest(client, req)
}

// unwrapRequestError returns the error of a URL without the URL.
func unwrapRequestError(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		return outer.Err
	}
	return err
}

// sendRequest sends a request for a tool. Its error is a *[runtime.ToolError]; the
// response comes with it if that was only too large.
func sendRequest(client *http.Client, req *http.Request) (*guard.Response, error) {
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

// checkRequestStatus refuses a response that reports a failure, with its text.
func checkRequestStatus(who string, r *guard.Response) error {
	if r.Status/100 == 2 {
		return nil
	}
	message := fmt.Sprintf("%s responded with %s", who, requestStatusLine(r.Status))
	if text := excerpt.Printable(decodeMediaType(r), 500); text != "" {
		message += ": " + text
	}
	return errors.New(message)
}

func requestStatusLine(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// invalidRequest returns the error for arguments that cannot be used.
func invalidRequest(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &runtime.ToolError{Kind: runtime.ToolValidation, Message: err.Error(), Err: errors.Unwrap(err)}
}
