package main

import (
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// each yields the results of work for the inputs, in their order. It reads
// standard input first, which can be read only once.
func each[T any](inputs []input, work func(input) T) iter.Seq[T] {
	early := map[int]T{}
	for i, in := range inputs {
		if in.toStdout() {
			early[i] = work(in)
		}
	}
	return inOrder(len(inputs), func(i int) T {
		if done, ok := early[i]; ok {
			return done
		}
		return work(inputs[i])
	})
}

// inOrder yields work(0) to work(n-1) in that order, and does the work on all
// processors. A panic of the work becomes one of the caller.
func inOrder[T any](n int, work func(i int) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		results := make([]chan func() T, n)
		for i := range results {
			results[i] = make(chan func() T, 1)
		}
		var next atomic.Int64 // the first item that has not been started
		defer next.Store(int64(n))
		for range min(n, runtime.GOMAXPROCS(0)) {
			go func() {
				for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
					results[i] <- try(func() T { return work(i) })
				}
			}()
		}
		for _, result := range results {
			if !yield((<-result)()) {
				return
			}
		}
	}
}

// try does the work. It returns a function that returns its value, or panics as
// the work did.
func try[T any](work func() T) (result func() T) {
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
