package modelhttp

import (
	"context"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

// A Yield takes a piece of a response; see [runtime.Streamer].
type Yield = func(runtime.Delta) error

// Generate returns the response of try, which makes one attempt at r. It repeats the attempt after a [*Fault] that can pass. A
// [*runtime.Error] of try is returned as it is; every other error becomes one, and
// wraps the error of ctx if it is done.
func (c *Client) Generate(ctx context.Context, r *runtime.Request, try func() (*runtime.Response, error)) (*runtime.Response, error) {
	response, attempts, err := c.retryAttempts(ctx, try, func(*Fault, time.Duration) error { return nil }, r.SendAgain)
	if err != nil {
		return nil, c.failure(ctx, r.Model, attempts, err)
	}
	c.key.hideIn(response)
	return response, nil
}

// Stream is [Client.Generate] for a response whose pieces try yields. The context
// for try is that of its request. If an attempt is repeated after something was
// yielded, a [runtime.DeltaRestart] stands between them; a [runtime.DeltaWait] comes first
// in any case. The pieces of an attempt have at most [MaxResponse] bytes. An error of yield ends the request and is
// returned as it is.
func (c *Client) Stream(ctx context.Context, r *runtime.Request, yield Yield, try func(context.Context, Yield) (*runtime.Response, error)) (*runtime.Response, error) {
	s := &stream{yield: yield, key: c.key}
	ctx = context.WithValue(ctx, begunKey{}, &s.begun)
	response, attempts, err := c.retryAttempts(ctx, func() (*runtime.Response, error) {
		response, err := try(ctx, s.take)
		if err == nil {
			err = s.end()
		}
		return response, err
	}, s.wait, func(a runtime.Attempts) error {
		if err := r.SendAgain(a); err != nil {
			return err
		}
		return s.restart()
	})
	switch {
	case s.refused != nil:
		return nil, s.refused
	case err != nil:
		return nil, c.failure(ctx, r.Model, attempts, err)
	}
	c.key.hideIn(response)
	return response, nil
}
