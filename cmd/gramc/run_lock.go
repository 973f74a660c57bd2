package main

import (
	"strings"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/compat"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// checkLock compares what the tools of an agent promise with the lock of its
// file. It reports changes, and returns an error for those that need a review.
func (r *runner) checkLock(lock *compat.Lock, agent *interp.Agent) error {
	fits := r.tools.Report(agent.Tools, &runtime.BindOptions{Mode: r.bind.mode()})
	if !allBound(fits) {
		return nil // the run reports it
	}
	remote := map[string]bool{}
	for _, f := range fits {
		remote[f.Tool] = f.Origin.Entry != nil && f.Origin.Entry.Kind == library.EntryMCP
	}
	var serious []string
	now := lockOf(fits)
	for _, change := range lockChanges(lock, fits, now) {
		text := lockChangeText(change, lock, now)
		if change.Class == compat.Breaking || remote[change.Tool] {
			serious = append(serious, text)
		} else {
			r.note("changed since the lock: " + text)
		}
	}
	if len(serious) == 0 {
		return nil
	}
	return runtime.Errorf(runtime.KindConfiguration,
		"the tools have changed since they were locked; review the changes, and run gramc lock again:\n%s", strings.Join(serious, "\n"))
}
