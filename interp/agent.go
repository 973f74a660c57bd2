package interp

import (
	"encoding/json"
	"math"
	"slices"
	"time"

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

	Budget     Budget         // of each run
	Timeout    time.Duration  // of each run, with the tools; 0 is no limit
	OnOverflow OverflowAction // what to do when the conversation is too long for the model
}

// An OverflowAction is what happens when a conversation is too long for the model.
type OverflowAction uint8

// The actions.
const (
	FailOnOverflow    OverflowAction = iota // the run ends with an error of kind [runtime.KindContextOverflow]
	CompactOnOverflow                       // the model summarises the oldest messages, and goes on with the summary
)

// Models returns the model and its fallbacks.
func (a *Agent) Models() []compile.Model { return slices.Concat([]compile.Model{a.Model}, a.Fallbacks) }

// modelAt returns the model, or one of its fallbacks, from 1 on.
func (a *Agent) modelAt(i int) compile.Model {
	if i == 0 {
		return a.Model
	}
	return a.Fallbacks[i-1]
}

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
	case a.MaxTokens < 0 || a.MaxIterations < 0 || a.Timeout < 0 || a.Budget.Requests < 0 || a.Budget.Tokens < 0 || a.Budget.Cost < 0:
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
