package guard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
)

// A Response was read to its end.
type Response struct {
	Status int
	Header http.Header
	URL    *url.URL // where it came from, after redirects
	Body   []byte
}

// A TooLargeError is a body with more bytes than the client reads.
type TooLargeError struct{ Limit int64 }

// Error returns the limit in words.
func (e *TooLargeError) Error() string {
	const mega = 1 << 20
	if e.Limit%mega == 0 {
		return fmt.Sprintf("the response is larger than %d MiB", e.Limit/mega)
	}
	return fmt.Sprintf("the response is larger than %d bytes", e.Limit)
}

// Do sends a request and reads the response. Its errors do not contain the URL,
// which may have a secret in it: they are a *[RefusedError], one of the
// context, or a sentence of the network. With a *[TooLargeError] comes the
// response up to the limit.
func Do(c *http.Client, req *http.Request) (*Response, error) {
	resp, err := c.Do(req)
	if err != nil {
		return nil, plainResponse(req.Context(), err)
	}
	defer resp.Body.Close()
	a := &Response{Status: resp.StatusCode, Header: resp.Header, URL: resp.Request.URL}
	if a.Body, err = io.ReadAll(resp.Body); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return a, &TooLargeError{large.Limit}
		}
		return nil, plainResponse(req.Context(), err)
	}
	return a, nil
}

// plainResponse returns an error without the URL and the layers around it.
func plainResponse(ctx context.Context, err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	var refused *RefusedError
	var name *net.DNSError
	var slow net.Error
	switch {
	case errors.As(err, &refused):
		return refused
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &name) && name.IsNotFound:
		return fmt.Errorf("the host %s does not exist", name.Name)
	case errors.As(err, &slow) && slow.Timeout():
		return fmt.Errorf("the server took too long: %w", context.DeadlineExceeded)
	}
	return err
}
