package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"

	compiled "github.com/gram-lang/gramc/compile/scenario"

	"github.com/gram-lang/gramc/internal/comparison"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/scenario"
	"github.com/gram-lang/gramc/internal/stats"
	"github.com/gram-lang/gramc/runtime"
)

var armsInOrder = [2]comparison.Arm{comparison.A, comparison.B}

// A pairJob is some runs of a case with both versions, in an order that was drawn.
type pairJob struct {
	test *testCase
	runs []pairRun
}

type pairRun struct {
	number int // from 1
	bFirst bool
}

// jobs returns what is to run and has no results, in an order that depends on the seed alone: a run of
// each case after the other, or, to stop as soon as something is shown, all runs of a
// case together.
func (k *comparer) jobs() []pairJob {
	random := rand.New(rand.NewPCG(k.seed, 0))
	var jobs []pairJob
	rounds, together := k.runs, 1
	if k.untilSure {
		rounds, together = 1, k.runs
	}
	for round := range rounds {
		for _, i := range random.Perm(len(k.suite.cases)) {
			job := pairJob{test: k.suite.cases[i]}
			for n := range together {
				run := pairRun{round + n + 1, random.IntN(2) == 1}
				if !k.hasPair(job.test.Name, run.number) {
					job.runs = append(job.runs, run)
				}
			}
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// hasPair reports whether a case has results of a run with both versions.
func (k *comparer) hasPair(name string, run int) bool {
	return k.results.Has(name, comparison.A, run) && k.results.Has(name, comparison.B, run)
}

// run runs what has no result yet, and keeps each pair of results as soon as it is
// there. With --until-sure, it returns the sequence of the differences of the cases.
func (k *comparer) run(ctx context.Context) (*stats.Sequence, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sequence := stats.NewSequence(comparison.Alpha)
	jobs, parallel, done := k.jobs(), k.parallel, 0
	if k.untilSure {
		parallel = 1
	}
	for err := range parallelBy(parallel, jobs, func(j pairJob) error { return k.runPairs(ctx, j) }) {
		if ctx.Err() != nil {
			return nil, nil // the report is about the pairs so far
		}
		if err != nil {
			return nil, err
		}
		if done++; k.untilSure {
			k.mu.Lock()
			if name := jobs[done-1].test.Name; k.hasPair(name, 1) {
				sequence.Add(k.results.DifferenceOf(name))
			}
			k.mu.Unlock()
			if low, high := sequence.Interval(); low > 0 || high < 0 {
				break
			}
		}
	}
	if !k.untilSure {
		return nil, nil
	}
	return sequence, nil
}

// runPairs runs a case with both versions.
func (k *comparer) runPairs(ctx context.Context, j pairJob) error {
	for _, run := range j.runs {
		pair, err := k.runPair(ctx, j.test, run)
		if ctx.Err() != nil {
			return nil // a pair that is not whole is repeated
		}
		if errors.Is(err, errNoResponse) {
			k.mu.Lock()
			k.unanswered = append(k.unanswered, err)
			k.mu.Unlock()
			continue
		}
		if err == nil {
			err = k.keep(pair)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", j.test.Name, err)
		}
	}
	return nil
}

// keep adds a pair to the results, and to their file.
func (k *comparer) keep(pair [2]*comparison.Outcome) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, o := range pair {
		k.results.Add(o)
		if err := k.writeResult(o); err != nil {
			return err
		}
	}
	return nil
}

// runPair runs a case once with each version.
func (k *comparer) runPair(ctx context.Context, t *testCase, run pairRun) (pair [2]*comparison.Outcome, err error) {
	for step := range pair {
		i := step
		if run.bFirst {
			i = 1 - step
		}
		if pair[i], err = k.runArm(ctx, t, i, run.number); err != nil || ctx.Err() != nil {
			return pair, err
		}
	}
	if k.judge == nil {
		return pair, nil
	}
	var messages []string
	for _, turn := range t.Turns {
		messages = append(messages, turn.Message)
	}
	if err := k.judge.decide(ctx, messages, pair, run.bFirst); err != nil {
		return pair, fmt.Errorf("%w: the judge: %w", errNoResponse, err)
	}
	return pair, nil
}

// errNoResponse is of a run that says nothing about its version, since a provider did
// not respond.
var errNoResponse = errors.New("the model did not respond")

// runArm runs a case with one version.
func (k *comparer) runArm(ctx context.Context, t *testCase, arm, run int) (*comparison.Outcome, error) {
	test, err := k.arms[arm].testOf(t)
	if err != nil {
		return nil, err
	}
	o := &scenario.Options{Agent: test.agent, Models: k.models(), Account: k.account}
	name := traceName(t.Name, armsInOrder[arm], run)
	recording, err := k.modelsOf(test, o, name)
	if err != nil {
		return nil, err
	}
	if o.Library, err = k.suite.tools(ctx, test); err != nil {
		return nil, err
	}
	outcome := &comparison.Outcome{Case: t.Name, Group: t.Group, MustHold: t.MustHold, Arm: armsInOrder[arm], Run: run}
	var file *traceFile
	if k.traces != "" {
		if file, err = k.openTrace("--traces", filepath.Join(k.traces, name)); err != nil {
			return nil, err
		}
		defer file.close()
		outcome.Trace = filepath.ToSlash(filepath.Join(k.traces, name))
	}
	k.suite.observe(test, o, file)
	ran := scenario.Run(ctx, test.Scenario, o)
	if err := notAboutVersion(ran); err != nil {
		return nil, fmt.Errorf("%w (with %s)", err, k.words[arm])
	}
	if recording != nil {
		if err := recording(); err != nil {
			return nil, err
		}
	}
	describe(outcome, ran)
	return outcome, nil
}

// notAboutVersion returns the error of a run that failed for a reason outside of its
// version, nil for none.
func notAboutVersion(ran *scenario.Outcome) error {
	if err := ran.NoResponse(); err != nil {
		return fmt.Errorf("%w: %w", errNoResponse, err)
	}
	if err := spentUp(ran); err != nil {
		return err
	}
	if ran.Passed() || len(ran.Turns) == 0 {
		return nil
	}
	err := ran.Turns[len(ran.Turns)-1].Err
	var known *runtime.Error
	if !errors.As(err, &known) {
		return nil
	}
	if known.Kind == runtime.KindConfiguration || known.Kind == runtime.KindReplay {
		return err
	}
	return nil
}

// describe writes what came of a run.
func describe(o *comparison.Outcome, ran *scenario.Outcome) {
	if ran.Passed() {
		o.Score = 1
	} else {
		o.Failure = shortMessage(ran.Failures[0].Message)
	}
	o.Seconds, o.Tokens, o.Requests = ran.Time.Seconds(), ran.Cost.Usage.Total, ran.Cost.Requests
	if ran.Cost.Unpriced == 0 && ran.Cost.Requests > 0 {
		dollars := float64(ran.Cost.Price) / float64(models.Dollar)
		o.Cost = &dollars
	}
	for _, turn := range ran.Turns {
		for i := range turn.Steps {
			if turn.Steps[i].Invocation != nil {
				o.Calls++
			}
		}
		o.Answer = turn.Answer
	}
}

// modelsOf sets the models that respond: those of the version, unless the test has a
// script or rules. It returns what ends their recording, nil for none.
func (k *comparer) modelsOf(test *testCase, o *scenario.Options, name string) (end func() error, err error) {
	if !test.asksModel() {
		return nil, nil
	}
	scenario := *test.Scenario
	scenario.Model, scenario.Recording = compiled.Live, ""
	test.Scenario = &scenario
	switch {
	case k.replay != "":
		file := filepath.Join(k.replay, name)
		_, err := k.suite.replay(test, o, file)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("there is no recording %s; --record %s makes it", file, k.replay)
		}
		return nil, err
	case k.record != "":
		recording, err := k.suite.record(test, o)
		return func() error { return recording.write(k.cli, "--record", filepath.Join(k.record, name)) }, err
	}
	return nil, k.suite.ask(test, o)
}
