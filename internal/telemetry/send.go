package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Limits on one request.
const (
	maxAttempts = 3
	firstPause  = 200 * time.Millisecond
	maxPause    = 5 * time.Second // that a collector may ask for
	maxResponse = 64 << 10        // bytes that are read, so that the connection can be used again
)

// send posts a message of OTLP, again if the collector is busy. What the response says is not
// read: some servers answer in JSON.
func (d *destination) send(ctx context.Context, message proto.Message) error {
	body, err := proto.Marshal(message)
	if err != nil {
		return err
	}
	if d.gzip {
		var small bytes.Buffer
		w := gzip.NewWriter(&small)
		_, err := w.Write(body)
		if err := errors.Join(err, w.Close()); err != nil {
			return err
		}
		body = small.Bytes()
	}
	for attempt := 1; ; attempt++ {
		pause, err := d.post(ctx, body)
		if err == nil || pause <= 0 || pause > maxPause || attempt == maxAttempts {
			return err
		}
		select {
		case <-time.After(pause << (attempt - 1)):
		case <-ctx.Done():
			return err
		}
	}
}

// post makes one request. The pause is how long to wait before another one; 0 means that it
// would fail too.
func (d *destination) post(ctx context.Context, body []byte) (pause time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.address.String(), bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("User-Agent", "gramc")
	for name, values := range d.headers {
		req.Header[name] = values
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	if d.gzip {
		req.Header.Set("Content-Encoding", "gzip")
	}
	response, err := d.client.Do(req)
	if err != nil {
		var inner *url.Error
		if errors.As(err, &inner) {
			err = inner.Err // without the address
		}
		return 0, d.failed("%w", err)
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, maxResponse)
	switch status := response.StatusCode; status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		pause = firstPause
		if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
			pause = time.Duration(min(seconds, 3600)) * time.Second
		}
		return pause, d.failed("status %d", status)
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		if d.signal == "metrics" {
			return 0, d.failed("status %d; OTEL_METRICS_EXPORTER=none sends no metrics", status)
		}
		return 0, d.failed("status %d", status)
	default:
		if status < 200 || status > 299 {
			return 0, d.failed("status %d", status)
		}
	}
	return 0, nil
}

// failed says what was not sent, and where.
func (d *destination) failed(format string, args ...any) error {
	shown := url.URL{Scheme: d.address.Scheme, Host: d.address.Host, Path: d.address.Path} // no user, no key in a query
	return fmt.Errorf("%s not sent to %s: %w", d.signal, shown.String(), fmt.Errorf(format, args...))
}

// A traceClient sends spans for the exporter of the SDK.
type traceClient struct {
	to     *destination
	faults *faults
}

// Start and Stop do nothing: there is no connection to keep.
func (traceClient) Start(context.Context) error { return nil }
func (traceClient) Stop(context.Context) error  { return nil }

// UploadTraces sends spans. A failure is kept for the end of the program, since the SDK would
// write it to standard error.
func (c traceClient) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	// The wire form of this message and of ExportTraceServiceRequest is the same.
	c.faults.add(c.to.send(ctx, &tracepb.TracesData{ResourceSpans: spans}))
	return nil
}
