package modelhttp

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestSleepEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		if err := retrySleep(t.Context(), 8*time.Second); err != nil || time.Since(start) != 8*time.Second {
			t.Errorf("slept %v: %v", time.Since(start), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := retrySleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 9*time.Second {
			t.Errorf("slept %v: %v", time.Since(start), err)
		}
	})
}

// Models that reason take minutes before the first byte.
func TestLimitsAreThoseOfModelsThatReason(t *testing.T) {
	if got, want := limitsOf(&Options{}), (timeLimits{10 * time.Minute, 30 * time.Minute}); got != want {
		t.Errorf("%+v", got)
	}
	if got := limitsOf(&Options{StartTimeout: -1, Timeout: -1}); got != limitsOf(&Options{}) {
		t.Errorf("%+v", got)
	}
}
