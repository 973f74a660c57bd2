package interp

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/runtime"
)

// An Agent is what a run needs to know about an agent. It is plain data, which
// a run does not change; any number of runs may share it.
type Agent struct {
	Name        string
	Description string
	Model       compile.Model
	Fallbacks   []compile.Model // asked in this order when the model is busy or cannot be reached
	Instruction string
	Tools       []runtime.Contract

	Temperature   *float64        // nil leaves it to the provider
	MaxTokens     int             // the most tokens of a response; 0 leaves it to the provider
	MaxIterations int             // requests to the model per run, if Options.MaxTurns is 0; 0 means 10
	Returns       json.RawMessage // JSON Schema of the answer; empty means text
}

// Models returns the model and its fallbacks.
func (a *Agent) Models() []compile.Model { return slices.Concat([]compile.Model{a.Model}, a.Fallbacks) }

// check reports why the agent cannot run.
func (a *Agent) check() error {
	invalid := func(format string, args ...any) error {
		return runtime.Errorf(runtime.KindValidation, format, args...)
	}
	switch {
	case a == nil:
		return invalid("no agent to run")
	case isBlank(a.Name):
		return invalid("the agent has no name")
	case isBlank(a.Instruction):
		return invalid("agent %q has no instruction", a.Name)
	case isBlank(a.Model.ID):
		return invalid("agent %q has no model", a.Name)
	case slices.ContainsFunc(a.Fallbacks, func(m compile.Model) bool { return isBlank(m.ID) }):
		return invalid("agent %q has a fallback that is no model", a.Name)
	case a.Temperature != nil && (math.IsNaN(*a.Temperature) || math.IsInf(*a.Temperature, 0) || *a.Temperature < 0):
		return invalid("agent %q has the temperature %v; it must be at least 0", a.Name, *a.Temperature)
	case a.MaxTokens < 0 || a.MaxIterations < 0:
		return invalid("agent %q has a negative limit", a.Name)
	}
	seen := make(map[string]bool, len(a.Tools))
	for i := range a.Tools {
		name := a.Tools[i].Name
		if seen[name] {
			return invalid("agent %q has two tools named %q", a.Name, name)
		}
		seen[name] = true
	}
	return nil
}

// isBlank reports whether a text has nothing that can be seen.
func isBlank(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) })
}
