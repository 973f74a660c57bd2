package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	goruntime "runtime"

	"github.com/spf13/cobra"

	compiled "github.com/gram-lang/gramc/compile/scenario"

	"github.com/gram-lang/gramc/internal/scenario"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A tester is one use of the command test.
type tester struct {
	*cli
	format   flagChoice
	pattern  string
	parallel int
	live     bool
	update   bool
	verbose  bool
	coverage bool
	judge    string
	budget   budgetFlags

	account    *interp.Account
	judgeModel runtime.Model // of judge; nil for none
	judgeID    string

	suite *testSuite
}

func (c *cli) testCommand() *cobra.Command {
	k := &tester{cli: c, format: flagChoice{"human", "human,json,junit,github"}}
	from := &testDrafter{tester: k}
	var watch bool
	cmd := command("test [FILE|FOLDER...]", nil, func(cmd *cobra.Command, words []string) (err error) {
		if k.account, err = k.budget.account(cmd); err != nil {
			return err
		}
		ctx, stop := interruptible()
		defer stop()
		switch {
		case from.from != "":
			return from.command(ctx, words)
		case from.agent+from.name+from.output != "":
			return errors.New("--agent, --name and -o belong to --from")
		case len(words) == 0:
			words = []string{"."}
		}
		if !watch {
			return k.command(ctx, words)
		}
		if err := k.refuseWatch(words); err != nil {
			return err
		}
		return k.watch(ctx, words, watchPause)
	})
	f := cmd.Flags()
	k.format.add(cmd, "format", "format of the report")
	f.StringVar(&k.pattern, "run", "", "run the tests whose names match the regular expression `PATTERN`")
	f.IntVar(&k.parallel, "parallel", goruntime.GOMAXPROCS(0), "how many tests run side by side")
	f.BoolVar(&k.live, "live", false, "run the tests with model: live too, which asks the models of the agents")
	f.BoolVar(&k.update, "update", false, "write the recordings of tests anew, which asks the models of the agents")
	f.StringVar(&k.judge, "judge", "", "let this `MODEL` judge answers by the rubrics of tests")
	f.BoolVar(&k.coverage, "coverage", false, "show which tools no test calls, and which fail in none")
	f.BoolVarP(&k.verbose, "verbose", "v", false, "show each test that passes")
	k.budget.add(cmd)
	f.BoolVar(&watch, "watch", false, "run the tests again whenever a file changes, until Ctrl-C")
	f.StringVar(&from.from, "from", "", "make a test of the conversation in `FILE`, a trace or what /save has written as JSON")
	f.StringVar(&from.agent, "agent", "", "with --from, the agent, if the file has several")
	f.StringVar(&from.name, "name", "", "with --from, the `NAME` of the test")
	addOutputFlag(cmd, &from.output, "standard output, with --from")
	return cmd
}

func (k *tester) command(ctx context.Context, words []string) error {
	if k.parallel < 1 {
		return fmt.Errorf("--parallel must be 1 or more; it is %d", k.parallel)
	}
	if err := k.refuseCoverage(); err != nil {
		return err
	}
	var matching *regexp.Regexp
	if k.pattern != "" {
		var err error
		if matching, err = regexp.Compile(k.pattern); err != nil {
			return fmt.Errorf("--run %q is no regular expression: %w", k.pattern, err)
		}
	}
	var err error
	if k.suite, err = k.loadTests(words, matching); err != nil {
		if k.suite != nil {
			err = cmp.Or(k.newReport().write(), err)
		}
		return err
	}
	defer k.suite.close()
	var end func()
	k.suite.telemetry, end = k.startTelemetry()
	defer end()
	return k.run(ctx)
}

// A testResult is what came of a test.
type testResult struct {
	*testCase
	runs    []*scenario.Outcome
	passed  int
	skipped string // why it did not run
	err     error  // why it could not run
}

func (r *testResult) ok() bool { return r.err == nil && r.passed >= r.Passes }

// run runs the tests and reports on each, in their order.
func (k *tester) run(ctx context.Context) error {
	if k.judge != "" {
		var err error
		if k.judgeModel, k.judgeID, err = k.openJudge(k.judge); err != nil {
			return err
		}
	}
	report := k.newReport()
	for result := range parallelBy(k.parallel, k.suite.cases, func(t *testCase) *testResult { return k.test(ctx, t) }) {
		if err := report.add(result); err != nil {
			return err
		}
	}
	if err := report.finish(); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return exitSilently(exitInterrupted)
	case report.failed > 0:
		return exitSilently(exitRun)
	}
	return nil
}

// test runs a test as often as it says.
func (k *tester) test(ctx context.Context, t *testCase) *testResult {
	r := &testResult{testCase: t}
	if t.Model == compiled.Live && !k.live {
		r.skipped = "it asks a model: run it with --live"
		return r
	}
	update := k.update && t.Model == compiled.Recorded
	for range t.Runs {
		outcome, err := k.runOnce(ctx, t, update && len(r.runs) == 0)
		if err != nil {
			r.err = err
			return r
		}
		if over := spentUp(outcome); over != nil {
			r.err = over
			return r
		}
		r.runs = append(r.runs, outcome)
		if update && outcome.Err != nil {
			break // nothing was recorded that could be replayed
		}
		if outcome.Passed() {
			r.passed++
		}
		if failed := len(r.runs) - r.passed; r.passed >= t.Passes || failed > t.Runs-t.Passes {
			break // the others decide nothing
		}
	}
	return r
}

// spentUp returns the error of a run that ended because the budget of the command was
// spent, which says nothing of the agent; nil for none.
func spentUp(o *scenario.Outcome) error {
	for _, turn := range o.Turns {
		if over := overBudget(turn.Err); over != turn.Err {
			return over
		}
	}
	return nil
}

// runOnce runs a test, and writes its recording anew if that is asked for.
func (k *tester) runOnce(ctx context.Context, t *testCase, update bool) (*scenario.Outcome, error) {
	o := &scenario.Options{Agent: t.agent, Models: k.models(), Judge: k.judgeModel, JudgeModel: k.judgeID}
	if update || t.Model == compiled.Live {
		o.Account = k.account
	}
	k.suite.observe(t, o, nil)
	switch {
	case update:
		return k.updated(ctx, t, o)
	case t.Model == compiled.Recorded:
		replayer, err := k.suite.replay(t, o, t.near(t.Recording))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, errNoRecording
		}
		if err != nil {
			return nil, err
		}
		if replayer.HasTools() {
			if o.Library, err = replayer.Tools(t.agent.Tools); err != nil {
				return nil, err
			}
			return scenario.Run(ctx, t.Scenario, o), nil
		}
	case t.Model == compiled.Live:
		if err := k.suite.ask(t, o); err != nil {
			return nil, err
		}
	}
	var err error
	if o.Library, err = k.suite.tools(ctx, t); err != nil {
		return nil, err
	}
	return scenario.Run(ctx, t.Scenario, o), nil
}
