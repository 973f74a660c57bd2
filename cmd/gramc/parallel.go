package main

import (
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// parallelInOrder does work for items on all processors, and yields the results in the
// order of the items. The caller works too while the next result is not there, so that
// results wake nobody. A panic of the work becomes one of the caller.
func parallelInOrder[In, Out any](items []In, work func(In) Out) iter.Seq[Out] {
	return parallelBy(runtime.GOMAXPROCS(0), items, work)
}

// parallelBy is parallelInOrder for a number of items at a time.
func parallelBy[In, Out any](most int, items []In, work func(In) Out) iter.Seq[Out] {
	return func(yield func(Out) bool) {
		results := make([]chan func() Out, len(items))
		for i := range results {
			results[i] = make(chan func() Out, 1)
		}
		var started atomic.Int64
		defer started.Store(int64(len(items)))
		workOnNext := func() bool {
			i := started.Add(1) - 1
			if i >= int64(len(items)) {
				return false
			}
			results[i] <- catchPanic(func() Out { return work(items[i]) })
			return true
		}
		for range min(len(items), most) - 1 {
			go func() {
				for workOnNext() {
				}
			}()
		}
		for _, result := range results {
			for len(result) == 0 && workOnNext() {
			}
			if !yield((<-result)()) {
				return
			}
		}
	}
}

// catchPanic does the work. It returns a function that returns its value, or panics as
// the work did.
func catchPanic[T any](work func() T) (result func() T) {
	defer func() {
		if value := recover(); value != nil {
			bug := &workerBug{value, debug.Stack()}
			result = func() T { panic(bug) }
		}
	}()
	value := work()
	return func() T { return value }
}

// A workerBug is a panic that happened in another goroutine, with its stack.
type workerBug struct {
	value any
	stack []byte
}

// String returns the value of the panic.
func (b *workerBug) String() string { return fmt.Sprint(b.value) }
