package lsp

import (
	"runtime"
	"runtime/metrics"
	"sync/atomic"
)

// GarbageRatio is how much a server may allocate, in percent of what it holds,
// before Go looks for garbage: each keystroke makes some, and the files of the
// workspace stay. It is for debug.SetGCPercent.
const GarbageRatio = 400

// A collector has garbage collected between keystrokes. Go would do it in the
// midst of one, when the heap has grown enough, and the answer would be as late
// as the collection takes.
type collector struct {
	before  uint64 // what the heap held when it was last looked at
	samples [3]metrics.Sample
	busy    atomic.Bool
}

func newCollector() *collector {
	c := &collector{}
	c.samples[0].Name = "/memory/classes/heap/objects:bytes"
	c.samples[1].Name = "/gc/heap/live:bytes"
	c.samples[2].Name = "/gc/heap/goal:bytes"
	return c
}

// roundsAhead is for how many rounds like the last one the heap is to have room.
const roundsAhead = 3

// rest collects garbage if the heap has no room for what comes next. Go starts a
// collection when seven tenths of the room have been used, or later.
func (c *collector) rest() {
	metrics.Read(c.samples[:])
	held, live, goal := c.samples[0].Value.Uint64(), c.samples[1].Value.Uint64(), c.samples[2].Value.Uint64()
	grown := held - min(held, c.before)
	c.before = held
	if room := goal - min(goal, live); held+roundsAhead*grown > live+room/10*7 && c.busy.CompareAndSwap(false, true) {
		go func() {
			runtime.GC()
			c.busy.Store(false)
		}()
	}
}
