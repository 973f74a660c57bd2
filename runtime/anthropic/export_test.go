package anthropic

import (
	"context"
	"time"
)

// SetSleep replaces what waits before a request is repeated.
func (m *Model) SetSleep(sleep func(context.Context, time.Duration) error) { m.client.Sleep = sleep }
