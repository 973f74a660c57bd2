package process

import (
	"context"
	"errors"
	"sync"
)

// A Set knows the runs that are going on, so that a program that is about
// to end can end them first. It may be shared.
type Set struct {
	life    context.Context
	end     context.CancelFunc
	running sync.RWMutex // read by each run, until it is over
}

// NewSet returns an empty set.
func NewSet() *Set {
	s := &Set{}
	s.life, s.end = context.WithCancel(context.Background())
	return s
}

// Run is [Run], until the set is closed.
func (s *Set) Run(ctx context.Context, c Command, stdin []byte, most int) ([]byte, error) {
	s.running.RLock()
	defer s.running.RUnlock()
	if s.life.Err() != nil {
		return nil, errors.New("no program is started any more: the end has begun")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	return Run(ctx, c, stdin, most)
}

// Close kills what still runs and waits for its end. Nothing is started later.
func (s *Set) Close() {
	s.end()
	s.running.Lock()
	defer s.running.Unlock()
}
