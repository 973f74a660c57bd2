package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/grammar"
)

// agentFile returns one agent file of 1 to 3 KB, with named types.
func agentFile(i int) string {
	text := fmt.Sprintf(`// Agent number %[1]d.
[Order%[1]d:Type {description: "An order"} |
  (id::Text {pattern: "^[A-Z]{2}[0-9]{6}$"}),
  (state::State%[1]d),
  (lines::`+"`[{sku: Text, qty: Int = 1}]`"+`),
  (note::`+"`Text?`"+`)
]

[State%[1]d:Enum {values: ["open", "paid", "sent"]}]

[agent%[1]d:Agent {
  description: "Answers questions of kind %[1]d",
  instruction: `+"```md"+`
  You answer questions of kind %[1]d. Use `+"`lookup%[1]d`"+` first, and `+"`report%[1]d`"+` when you are done.
  Never guess: say so when the tools give no answer.
  `+"```"+`,
  model: "OpenAI/gpt-5.4-mini",
  temperature: 0.2
} |
  [lookup%[1]d:Tool {description: "Looks up orders"} |
    (query::Text {minLength: 1})
      ==>(limit::Int {range: 1..100, default: 10})
      ==>(::`+"`[Order%[1]d]`"+`)],
  [report%[1]d:Tool {description: "Files a report", timeout: 5s} |
    (order::Order%[1]d)
      ==>(score::Number {min: 0, max: 1, default: 0.5})
      ==>(urgent::Bool {default: false})
      ==>(::String)]
`, i)
	for j := range i % 5 {
		text += fmt.Sprintf(`  ,[tool%[1]d_%[2]d:Tool {description: "Does part %[2]d of the work of agent %[1]d"} |
    (name%[2]d::Text {description: "The name of part %[2]d", maxLength: 200})
      ==>(tags%[2]d::Array {of:: Text, maxItems: 10, description: "What part %[2]d is about"})
      ==>(::String)]
`, i, j)
	}
	return text + "]\n"
}

// BenchmarkCheck checks and formats 1,000 agent files with the binary, and
// reads the same files and parses what they compile to with encoding/json, turn
// by turn.
func BenchmarkCheck(b *testing.B) {
	const files = 1000
	folder := b.TempDir()
	gramc := filepath.Join(b.TempDir(), "gramc")
	if out, err := exec.Command("go", "build", "-o", gramc, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	names, programs := make([]string, files), make([][]byte, files)
	size, compiled := 0, 0
	for i := range files {
		text := agentFile(i)
		f, problems := grammar.Parse("agent.gram", text)
		program, more := compile.File(f, nil)
		if problems.HasErrors() || program == nil {
			b.Fatal(problems.Err(), more.Err())
		}
		names[i], programs[i] = filepath.Join(folder, fmt.Sprintf("%04d.gram", i)), program.JSON()
		size, compiled = size+len(text), compiled+len(programs[i])
		if err := os.WriteFile(names[i], []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	timed := func(args ...string) time.Duration {
		start := time.Now()
		out, err := exec.Command(gramc, args...).CombinedOutput()
		took := time.Since(start)
		if exit := (*exec.ExitError)(nil); err != nil && (args[0] == "check" || exit != nil) {
			b.Fatalf("%v\n%s", err, out)
		}
		return took
	}
	timed("fmt", folder)
	var check, format, floor time.Duration
	for b.Loop() {
		check += timed("check", folder)
		format += timed("fmt", "--check", folder)
		floor += readAndParse(b, names, programs)
	}
	ms := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(b.N) }
	b.ReportMetric(float64(size)/1e6, "MB-gram")
	b.ReportMetric(float64(compiled)/1e6, "MB-json")
	b.ReportMetric(ms(check), "check-ms")
	b.ReportMetric(ms(format), "fmt-ms")
	b.ReportMetric(ms(floor), "read+json-ms")
	b.ReportMetric(check.Seconds()/floor.Seconds(), "check/json")
	b.ReportMetric(format.Seconds()/check.Seconds(), "fmt/check")
}

// readAndParse reads files and parses programs on all processors.
func readAndParse(b *testing.B, names []string, programs [][]byte) time.Duration {
	start := time.Now()
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() {
			for i := w; i < len(names); i += workers {
				var v any
				if _, err := os.ReadFile(names[i]); err != nil {
					b.Error(err)
				}
				if err := json.Unmarshal(programs[i], &v); err != nil {
					b.Error(err)
				}
			}
		})
	}
	group.Wait()
	return time.Since(start)
}
