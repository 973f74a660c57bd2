package server

import (
	"fmt"
	"sync"
	"time"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/interp"
)

// spent is what runs have taken.
type spent struct{ interp.Spent }

func spentBy(r *durable.Record) (s spent) {
	for i := range r.Steps {
		if o := r.Steps[i].Outcome; o != nil {
			s.plus(spent{o.Spent})
		}
	}
	return s
}

func (s *spent) plus(t spent) {
	s.Requests += t.Requests
	s.Tokens += t.Tokens
	s.Cost += t.Cost
	s.Unpriced += t.Unpriced
}

func (s spent) text() string {
	if s.Requests == 0 {
		return ""
	}
	text := fmt.Sprintf("%d tokens", s.Tokens)
	if s.Unpriced == 0 {
		text += ", " + models.Money(s.Cost).String()
	}
	return text
}

// maxSpent is how many runs a [spentCache] remembers.
const maxSpent = 10_000

// A spentCache remembers what runs have taken, so that a long conversation is not read whole
// whenever it is shown.
type spentCache struct {
	mu   sync.Mutex
	runs map[string]spentAt
}

// A spentAt is what a run had taken when its last entry was written.
type spentAt struct {
	spent
	updated time.Time
}

// of returns what a run has taken, if that is remembered.
func (c *spentCache) of(about *journal.Run) (spent, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.runs[about.ID]
	return s.spent, ok && s.updated.Equal(about.Updated)
}

// note remembers what a run has taken, and returns it.
func (c *spentCache) note(r *durable.Record) spent {
	s := spentBy(r)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.runs == nil || len(c.runs) >= maxSpent {
		c.runs = map[string]spentAt{}
	}
	c.runs[r.Run.ID] = spentAt{s, r.Run.Updated}
	return s
}
