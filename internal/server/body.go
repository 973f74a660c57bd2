package server

import (
	"io"
	"net/http"
	"time"
)

// A timedBody is the body of a request, which must arrive in time. Afterwards the connection
// has no time limit: what is read from it then is only its end.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
}

// newTimedBody begins the time of a body. It holds also for one that nobody reads, since net/http
// reads the rest of it.
func newTimedBody(w http.ResponseWriter, body io.ReadCloser, limit time.Duration) *timedBody {
	b := &timedBody{body, http.NewResponseController(w)}
	_ = b.control.SetReadDeadline(time.Now().Add(limit)) // every connection of net/http has one
	return b
}

func (b *timedBody) Read(p []byte) (n int, err error) {
	n, err = b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// A heldBody is the body of a request whose bytes count as those of a client until it is let go.
type heldBody struct {
	io.ReadCloser
	limits *limiter
	client *client
	n      int64
}

func (b *heldBody) Read(p []byte) (n int, err error) {
	n, err = b.ReadCloser.Read(p)
	if p := b.limits.hold(b.client, int64(n)); p != nil {
		return 0, p
	}
	b.n += int64(n)
	return n, err
}

// let lets the bytes go that were read.
func (b *heldBody) let() { b.limits.let(b.client, b.n) }
