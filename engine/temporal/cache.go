package temporal

import (
	"context"
	"slices"
	"sync"

	commonpb "go.temporal.io/api/common/v1"
	historypb "go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflowservice/v1"
)

// maxCached is how many bytes of entries the readers of a process keep.
const maxCached = 16 << 20

// A cache has the readers of the runs that this process has worked on last.
type cache struct {
	readers map[string]*cached // by history
	order   []*cached          // the last used one is the last
	size    int
}

type cached struct {
	mu     sync.Mutex
	key    string
	reader *reader
	size   int // that the cache counts
}

// cachedReader returns the reader of a history, which may be new.
func (e *Engine) cachedReader(id, run string) *cached {
	e.mu.Lock()
	defer e.mu.Unlock()
	c := e.cache.readers[run]
	if c == nil {
		if e.cache.readers == nil {
			e.cache.readers = map[string]*cached{}
		}
		c = &cached{key: run, reader: newReader(e, id)}
		e.cache.readers[run] = c
	} else {
		i := slices.Index(e.cache.order, c)
		e.cache.order = slices.Delete(e.cache.order, i, i+1)
	}
	e.cache.order = append(e.cache.order, c)
	return c
}

// count notes how large a reader is, and drops those that were not used for the longest time.
func (e *Engine) count(c *cached, size int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.cache.readers[c.key] != c {
		return
	}
	const own = 4 << 10 // of a reader without entries
	e.cache.size += size + own - c.size
	c.size = size + own
	for e.cache.size > maxCached && len(e.cache.order) > 1 {
		e.cache.drop(e.cache.order[0])
	}
}

func (c *cache) drop(old *cached) {
	i := slices.Index(c.order, old)
	c.order = slices.Delete(c.order, i, i+1)
	delete(c.readers, old.key)
	c.size -= old.size
}

// forget drops the reader of a run that has ended.
func (e *Engine) forget(run string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if c := e.cache.readers[run]; c != nil {
		e.cache.drop(c)
	}
}

// current returns a reader that has read all of a history, and must not be changed.
func (e *Engine) current(ctx context.Context, id, run string) (*reader, error) {
	c := e.cachedReader(id, run)
	c.mu.Lock()
	defer c.mu.Unlock()
	events, err := e.newEvents(ctx, id, run, c.reader.read)
	if err != nil {
		return nil, err
	}
	for _, event := range events {
		if err := c.reader.take(ctx, event); err != nil {
			c.reader = newReader(e, id) // for those who wait for this one too
			e.count(c, 0)
			return nil, err
		}
	}
	e.count(c, c.reader.size)
	now := *c.reader
	now.entries = slices.Clip(now.entries)
	return &now, nil
}

// newEvents returns the events of a history after one that is known.
func (e *Engine) newEvents(ctx context.Context, id, run string, known int64) (events []*historypb.HistoryEvent, err error) {
	request := &workflowservice.GetWorkflowExecutionHistoryReverseRequest{
		Namespace: e.o.Namespace, Execution: &commonpb.WorkflowExecution{WorkflowId: id, RunId: run}, MaximumPageSize: 64,
	}
	for {
		page, err := e.client.WorkflowService().GetWorkflowExecutionHistoryReverse(ctx, request)
		if err != nil {
			return nil, err
		}
		for _, event := range page.GetHistory().GetEvents() {
			if event.EventId <= known {
				slices.Reverse(events)
				return events, nil
			}
			events = append(events, event)
		}
		if request.NextPageToken = page.NextPageToken; len(request.NextPageToken) == 0 {
			slices.Reverse(events)
			return events, nil
		}
		request.MaximumPageSize = 1000
	}
}
