package temporal

import (
	"context"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// Work makes the steps of runs until ctx ends, and then lets those that have begun end for a
// moment. Any number of processes may work.
func (e *Engine) Work(ctx context.Context, open Open) error {
	worker.SetStickyWorkflowCacheSize(maxSticky) // of the process; the SDK has it nowhere else
	failed := make(chan error, 1)
	w := worker.New(e.client, e.o.Queue, worker.Options{
		Identity:                         e.o.Name,
		StickyScheduleToStartTimeout:     2 * time.Second,
		MaxHeartbeatThrottleInterval:     heartbeatEach,
		MaxConcurrentWorkflowTaskPollers: pollers, MaxConcurrentActivityTaskPollers: pollers,
		WorkerStopTimeout:        5 * time.Second,
		DeadlockDetectionTimeout: 10 * time.Second,
		OnFatalError:             func(err error) { failed <- err },
	})
	steps := &stepWorker{e, open}
	w.RegisterWorkflowWithOptions(runFlow, workflow.RegisterOptions{Name: workflowName})
	w.RegisterActivityWithOptions(steps.model, activity.RegisterOptions{Name: modelName})
	w.RegisterActivityWithOptions(steps.tool, activity.RegisterOptions{Name: toolName})
	w.RegisterActivityWithOptions(steps.stop, activity.RegisterOptions{Name: stopName})
	w.RegisterActivityWithOptions(steps.archive, activity.RegisterOptions{Name: archiveName})
	if err := w.Start(); err != nil {
		return err
	}
	defer w.Stop()
	select {
	case <-ctx.Done():
		return nil
	case err := <-failed:
		return err
	}
}

// pollers is how many requests for work wait at the server at the same time, of each kind. A queue
// has four parts there: with fewer, a part is not asked for a while.
const pollers = 8

// maxSticky is how many workflows a process keeps in memory. One that sleeps costs about 50 KB
// there; one that is not there is read again from its history.
const maxSticky = 128
