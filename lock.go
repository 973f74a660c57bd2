package gramc

import (
	"errors"
	"fmt"

	"github.com/gram-lang/gramc/internal/compat"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/runtime"
)

// A Lock records what the tools of an agent promise: descriptions, schemas, and
// what does the work. Its JSON is the file that "gramc lock" writes.
type Lock = compat.Lock

// ReadLock reads a lock file.
func ReadLock(path string) (*Lock, error) {
	text, err := workspace.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return compat.ReadLock(path, []byte(text))
}

// Bindings returns the tools of the agent, in its order, and how each fits.
func (a *Agent) Bindings() []runtime.Binding { return a.bound.Bindings() }

// Lock returns what the tools of the agent promise now.
func (a *Agent) Lock() *Lock {
	lock := &Lock{}
	for _, b := range a.Bindings() {
		from := "Go"
		if origin, ok := a.set.Origin(b.Name()); ok && !a.functions[b.Name()] {
			from = origin.String()
		}
		lock.Tools = append(lock.Tools, compat.Locked{
			Name: b.Name(), From: from, Description: b.Description(), Input: b.Input(), Output: b.Output(), Repeat: b.Repeat(),
		})
	}
	return lock
}

// compare returns an error with every change since the lock that breaks calls.
func (a *Agent) compare(lock *Lock) error {
	var names []string
	for _, b := range a.Bindings() {
		names = append(names, b.Name())
	}
	var broken []error
	for _, c := range lock.Only(names).Compare(a.Lock()) {
		if c.Class == compat.Breaking {
			broken = append(broken, fmt.Errorf("tool %q: changed since the lock: %s", c.Tool, c.Message))
		}
	}
	return errors.Join(broken...)
}
