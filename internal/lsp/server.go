package lsp

import (
	"context"
	"io"
	"log"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/gram-lang/gramc/internal/models"
)

// Options are how to serve. Nil means the zero Options.
type Options struct {
	Version string    // sent to the client
	Log     io.Writer // gets errors, one a line; nil discards them

	// Models are the providers and models that are known; nil means the built-in ones.
	Models *models.Table
}

// The exit codes of the protocol.
const (
	exitFine  = 0 // shutdown came before the end
	exitEarly = 1
)

// flushTime is how long the last responses can take to be written.
const flushTime = time.Second

// Serve serves one client until it sends exit, closes the connection, or ctx
// ends, and returns the exit code.
func Serve(ctx context.Context, rw io.ReadWriteCloser, o *Options) int {
	if o == nil {
		o = &Options{}
	}
	logger := log.New(io.Discard, "", 0)
	if o.Log != nil {
		logger = log.New(o.Log, "gram-lsp: ", 0)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := newSession(*o, logger)
	frames := newStream(rw)
	conn := jsonrpc2.NewConn(context.WithoutCancel(ctx), frames, s.handler(ctx), jsonrpc2.SetLogger(logger))
	select {
	case <-s.exited:
	case <-conn.DisconnectNotify():
	case <-ctx.Done():
	}
	cancel()
	conn.Close()
	select {
	case <-frames.wrote:
	case <-time.After(flushTime):
	}
	rw.Close()
	if s.isShutDown() {
		return exitFine
	}
	return exitEarly
}

// parentInterval is how often the server looks whether its client still lives.
const parentInterval = 3 * time.Second
