package modelhttp

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/gram-lang/gramc/runtime"
)

const (
	firstPause = 500 * time.Millisecond
	longPause  = 8 * time.Second
	always     = 1 << 30 // retries of a fault that only MaxRetries limits
)

// retryPause returns how long to wait after an attempt, counted from 1: what the
// server asked for, or a random part of 0.5, 1, 2, 4, 8 seconds, so that many
// clients do not return at the same time.
func retryPause(after time.Duration, attempt int) time.Duration {
	if after > 0 {
		return after
	}
	limit := longPause
	if attempt < 5 {
		limit = firstPause << (attempt - 1)
	}
	return rand.N(limit + 1)
}

// retryAfter returns how long the server asks to wait; 0 if it does not.
func retryAfter(h http.Header, now time.Time) time.Duration {
	seconds, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64)
	seconds /= 1000
	if err != nil {
		seconds, err = strconv.ParseFloat(h.Get("Retry-After"), 64)
	}
	if at, dateErr := http.ParseTime(h.Get("Retry-After")); err != nil && dateErr == nil {
		seconds = at.Sub(now).Seconds()
	}
	return retryWait(seconds)
}

// retryWait returns a wait, at most a year.
func retryWait(seconds float64) time.Duration {
	const year = 365 * 24 * 3600
	if !(seconds > 0) { // also NaN
		return 0
	}
	return time.Duration(min(seconds, year) * float64(time.Second))
}

// retryAttempts calls try until it succeeds, or fails in a way that another attempt
// cannot change. Before each attempt but the first, it calls wait, with the fault and how
// long it then sleeps, and again, with the attempts until then.
func (c *Client) retryAttempts(ctx context.Context, try func() (*runtime.Response, error), wait func(*Fault, time.Duration) error, again func(runtime.Attempts) error) (*runtime.Response, runtime.Attempts, error) {
	var made runtime.Attempts
	for {
		response, err := try()
		if err == nil {
			if made.Sent > 0 {
				response.Attempts.Sent = max(response.Attempts.Sent, 1) + made.Sent
				response.Attempts.Lost += made.Lost
			}
			return response, made, nil
		}
		var f *Fault
		var known *runtime.Error
		isFault := errors.As(err, &f)
		if isFault || !errors.As(err, &known) { // a *runtime.Error of try means that nothing was sent
			made.Sent++
		}
		if ctx.Err() != nil || !isFault && made.Sent > 0 || isFault && f.mayBeCharged() {
			made.Lost++
		}
		if !isFault || ctx.Err() != nil {
			return nil, made, err
		}
		f.attempts = made.Sent
		if made.Sent > min(c.retries, f.retries) {
			return nil, made, f
		}
		d := retryPause(f.after, made.Sent)
		if end, ok := ctx.Deadline(); ok && time.Until(end) < d {
			return nil, made, f // waiting would only replace this error by a worse one
		}
		if err := wait(f, d); err != nil {
			return nil, made, err
		}
		if err := c.Sleep(ctx, d); err != nil {
			return nil, made, err
		}
		if err := again(made); err != nil {
			return nil, made, afterFault(err, f)
		}
	}
}

// afterFault returns why a request is not sent once more, with the fault of the last one.
func afterFault(err error, f *Fault) error {
	var known *runtime.Error
	if !errors.As(err, &known) {
		return err
	}
	both, cause := *known, f.Error()
	if f.Status > 0 {
		cause = fmt.Sprintf("%d - %s", f.Status, f)
	}
	both.Message, both.Err = err.Error()+"; the last request failed: "+cause, err
	return &both
}

func retrySleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
