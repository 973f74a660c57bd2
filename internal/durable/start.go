package durable

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// format is the version of the entries that this package writes.
const format = 1

// A Start is how a run begins: all that it depends on beside its program.
type Start struct {
	Message   runtime.Message // of the user
	Model     string          // that was chosen instead of the agent's; may be empty
	Libraries []string        // paths
	Lock      string          // hash of the lock file; may be empty
	Limits    Limits
	Data      json.RawMessage // of the caller
}

// Limits are the options that decide which steps a run makes. They stay as they were when
// the run began.
type Limits struct {
	MaxTurns        int                `json:"max_turns,omitempty"`
	MaxAttempts     int                `json:"max_attempts,omitempty"`
	Parallel        int                `json:"parallel,omitempty"`
	OnLimit         interp.LimitAction `json:"on_limit,omitempty"`
	FailOnToolError bool               `json:"fail_on_tool_error,omitempty"`
	ToolTimeout     time.Duration      `json:"tool_timeout_ns,omitempty"`
}

// LimitsOf returns the limits in options.
func LimitsOf(o *interp.Options) Limits {
	return Limits{o.MaxTurns, o.MaxAttempts, o.Parallel, o.OnLimit, o.FailOnToolError, o.ToolTimeout}
}

func (l *Limits) set(o *interp.Options) {
	o.MaxTurns, o.MaxAttempts, o.Parallel = l.MaxTurns, l.MaxAttempts, l.Parallel
	o.OnLimit, o.FailOnToolError, o.ToolTimeout = l.OnLimit, l.FailOnToolError, l.ToolTimeout
}

type startJSON struct {
	Format    int             `json:"format"`
	Loop      int             `json:"loop"`
	Message   messageJSON     `json:"message"`
	Model     string          `json:"model,omitempty"`
	Libraries []string        `json:"libraries,omitempty"`
	Lock      string          `json:"lock,omitempty"`
	Limits    Limits          `json:"limits"`
	Data      json.RawMessage `json:"data,omitempty"`
}

func (s *Start) encode() ([]byte, error) {
	return plainjson.Marshal(startJSON{
		format, interp.StepsVersion, messageJSONOf(&s.Message), s.Model, s.Libraries, s.Lock, s.Limits, s.Data,
	})
}

// readStart reads the first entry of a run. The error of a run that cannot go on with this
// version is a [VersionError], and comes with the Start if that can be read.
func readStart(data []byte) (*Start, error) {
	var j startJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, fmt.Errorf("the start of the run cannot be read: %w", err)
	}
	if j.Format != format {
		return nil, &VersionError{"journal", j.Format, format}
	}
	s := &Start{j.Message.message(), j.Model, j.Libraries, j.Lock, j.Limits, j.Data}
	if j.Loop != interp.StepsVersion {
		return s, &VersionError{"loop", j.Loop, interp.StepsVersion}
	}
	return s, nil
}

// A VersionError says that a run was recorded by another version of gramc, and cannot go
// on with this one.
type VersionError struct {
	Of          string // "journal" or "loop"
	Have, Wants int
}

// Error says which versions they are.
func (e *VersionError) Error() string {
	return fmt.Sprintf("the run was recorded by another version of gramc: its %s has version %d, and this one continues version %d; use the gramc that began it", e.Of, e.Have, e.Wants)
}
