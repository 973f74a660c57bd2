package scenario

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	coreruntime "github.com/gram-lang/gramc/runtime"
)

// BenchmarkThousand runs a thousand scripted tests on all processors; the goal is 2 s on
// two. The floor is the same
// conversations without a comparison of what happened.
func BenchmarkThousand(b *testing.B) {
	const tests = 1000
	var text strings.Builder
	for i := range tests {
		fmt.Fprintf(&text, "[t%d:Test {agent: clerk} |%s[:Expect {called: refund, with: {cents: 500}, times: 1}], [:Expect {text: \"R-1\", requests: 3}]]\n", i, usual)
	}
	list, agents := load(b, text.String())
	thousand := func(b *testing.B, one func(i int)) {
		for b.Loop() {
			var at atomic.Int64
			var working sync.WaitGroup
			for range runtime.GOMAXPROCS(0) {
				working.Go(func() {
					for i := at.Add(1) - 1; i < tests; i = at.Add(1) - 1 {
						one(int(i))
					}
				})
			}
			working.Wait()
		}
	}
	b.Run("tests", func(b *testing.B) {
		thousand(b, func(i int) {
			if o := Run(b.Context(), list[i], &Options{Agent: agents["clerk"]}); !o.Passed() {
				b.Error(messages(o.Failures))
			}
		})
	})
	b.Run("floor", func(b *testing.B) {
		thousand(b, func(i int) {
			r := &run{Options: &Options{Agent: agents["clerk"]}, test: list[i], outcome: &Outcome{}, world: &world{}}
			r.world.begin(list[i].Turns[0])
			s, err := r.session()
			if err != nil {
				b.Fatal(err)
			}
			for range s.Send(b.Context(), "Refund A", coreruntime.UserMessage("Refund A")) {
			}
		})
	})
}
