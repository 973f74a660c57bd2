package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	compiled "github.com/gram-lang/gramc/compile/scenario"

	"github.com/gram-lang/gramc/internal/comparison"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/stats"
	"github.com/gram-lang/gramc/interp"
)

// A comparer is one use of the command compare.
type comparer struct {
	*cli
	words          [2]string // --a and --b
	casesFiles     []string
	libraries      []string
	pattern        string
	runs, parallel int
	seed           uint64
	resultsFile    string
	record, replay string // folders
	traces         string // a folder
	judgeModel     string
	rubric         string
	html           string
	asJSON         bool
	gate           bool
	plan           bool
	untilSure      bool
	budget         budgetFlags

	account *interp.Account
	suite   *testSuite
	arms    [2]*compareArm
	judge   *pairJudge

	mu         sync.Mutex // for what the runs write
	results    *comparison.Results
	file       *os.File // of the results, nil for none
	unanswered []error  // of the pairs that have no result, since a model did not respond
}

func (c *cli) compareCommand() *cobra.Command {
	k := &comparer{cli: c}
	cmd := command("compare [AGENT-FILE]", cobra.MaximumNArgs(1), func(cmd *cobra.Command, words []string) error {
		err := k.checkFlags(words)
		if err == nil {
			k.account, err = k.budget.account(cmd)
		}
		if err != nil {
			return err
		}
		return k.command(words)
	})
	f := cmd.Flags()
	f.StringVar(&k.words[0], "a", "", "the first version: a `FILE` with libraries or an agent, or a model such as OpenAI/gpt-5.4")
	f.StringVar(&k.words[1], "b", "", "the second version")
	f.StringArrayVar(&k.casesFiles, "cases", nil, "`FILE` or folder with the tests that are the cases; without it, the folder of AGENT-FILE")
	f.StringArrayVar(&k.libraries, "library", nil, "library `FILE` of both versions, in place of those that the tests name")
	f.IntVar(&k.runs, "runs", 1, "runs of each case with each version")
	f.StringVar(&k.pattern, "run", "", "compare the cases whose names match the regular expression `PATTERN`")
	f.IntVar(&k.parallel, "parallel", goruntime.GOMAXPROCS(0), "how many cases run side by side")
	f.Uint64Var(&k.seed, "seed", 1, "seed of the order of the runs")
	f.StringVar(&k.resultsFile, "results", "", "write the result of each run to `FILE`, and leave out the runs that are in it")
	f.StringVar(&k.record, "record", "", "record the models in this `FOLDER`")
	f.StringVar(&k.replay, "replay", "", "take the responses of the models from the recordings in this `FOLDER`")
	f.StringVar(&k.traces, "traces", "", "write a trace of each run to this `FOLDER` (default with --html: its name with -traces in place of .html)")
	f.StringVar(&k.judgeModel, "judge", "", "this model says which of two answers is better, in place of what the tests expect")
	f.StringVar(&k.rubric, "rubric", "", "what --judge goes by")
	f.StringVar(&k.html, "html", "", "write a page with the comparison to `FILE`")
	f.BoolVar(&k.asJSON, "json", false, "print the comparison as JSON")
	f.BoolVar(&k.gate, "gate", false, "exit with 3 if B is shown to be worse, or breaks a case that must hold")
	f.BoolVar(&k.plan, "plan", false, "run nothing; print how many cases it takes to show a difference")
	k.budget.add(cmd)
	f.BoolVar(&k.untilSure, "until-sure", false, "stop when a difference is shown, which a confidence sequence allows at any time")
	return cmd
}

// checkFlags reports flags that make no sense.
func (k *comparer) checkFlags(words []string) error {
	switch {
	case k.words[0] == "" || k.words[1] == "":
		return errors.New("name both versions: --a and --b, each a file with libraries or an agent, or a model")
	case k.words[0] == k.words[1]:
		return fmt.Errorf("--a and --b are both %s", k.words[0])
	case len(words) == 0 && len(k.casesFiles) == 0:
		return errors.New("name the file of the agent, or the cases with --cases")
	case k.runs < 1:
		return fmt.Errorf("--runs must be 1 or more; it is %d", k.runs)
	case k.parallel < 1:
		return fmt.Errorf("--parallel must be 1 or more; it is %d", k.parallel)
	case k.record != "" && k.replay != "":
		return errors.New("--replay calls no model, so there is nothing for --record; use one of them")
	case k.traces != "" && filepath.Clean(k.traces) == filepath.Clean(k.record):
		return errors.New("--traces and --record name the same folder: their files have the same names")
	case k.plan && k.asJSON:
		return errors.New("--plan prints a text for people; leave out --json")
	case (k.judgeModel == "") != (k.rubric == ""):
		return errors.New("--judge and --rubric go together")
	}
	return nil
}

func (k *comparer) command(words []string) error {
	if err := k.load(words); err != nil {
		return err
	}
	defer k.suite.close()
	if k.plan {
		return k.printPlan()
	}
	if err := k.openResults(); err != nil {
		return err
	}
	if k.file != nil {
		defer k.file.Close()
	}
	ctx, stop := interruptible()
	defer stop()
	var end func()
	k.suite.telemetry, end = k.startTelemetry()
	defer end()
	sequence, err := k.run(ctx)
	if err != nil {
		return &exit{exitRun, err}
	}
	return k.finish(ctx, sequence)
}

// load reads the cases and both versions.
func (k *comparer) load(words []string) (err error) {
	var matching *regexp.Regexp
	if k.pattern != "" {
		if matching, err = regexp.Compile(k.pattern); err != nil {
			return fmt.Errorf("--run %q is no regular expression: %w", k.pattern, err)
		}
	}
	files := k.casesFiles
	if len(files) == 0 {
		files = []string{filepath.Dir(words[0])}
	}
	if k.suite, err = k.loadTests(files, matching); err != nil {
		return err
	}
	var base *compareArm // what both versions have
	if len(words) > 0 {
		if base, err = k.agentArm(words[0]); err != nil {
			return err
		}
	}
	for i, word := range k.words {
		if k.arms[i], err = k.newArm(word, base); err != nil {
			return err
		}
	}
	for _, t := range k.suite.cases {
		for _, arm := range k.arms {
			if _, err := arm.testOf(t); err != nil {
				return err
			}
		}
	}
	if err := differ(k.arms[0], k.arms[1]); err != nil {
		return err
	}
	if k.arms[0].model != nil && k.arms[1].model != nil && !slices.ContainsFunc(k.suite.cases, (*testCase).asksModel) {
		return errors.New("no case asks a model: the versions do not differ")
	}
	if i := slices.IndexFunc(k.suite.cases, func(t *testCase) bool { return t.Group != "" }); i >= 0 && k.untilSure {
		return fmt.Errorf("--until-sure looks at each case alone, and %s is one of the group %q: leave out --until-sure", k.suite.cases[i].Name, k.suite.cases[i].Group)
	}
	if k.judgeModel != "" {
		k.judge, err = k.newPairJudge()
	}
	return err
}

// openResults reads the results of an earlier use, and goes on behind them.
func (k *comparer) openResults() error {
	plan := comparison.Plan{A: k.words[0], B: k.words[1], Inputs: k.inputsHash(), Seed: k.seed, Judge: k.judgeModel}
	k.results = comparison.NewResults(plan)
	if k.html != "" { // before anything is spent
		if _, err := os.Stat(filepath.Dir(k.html)); err != nil {
			return unusableInput("--html "+k.html, err)
		}
		if err := k.refuseOverwrite("--html", k.html); err != nil {
			return err
		}
		k.traces = cmp.Or(k.traces, strings.TrimSuffix(k.html, ".html")+"-traces")
	}
	for _, folder := range []string{k.record, k.traces} {
		if folder != "" {
			if err := os.MkdirAll(folder, 0o700); err != nil {
				return err
			}
		}
	}
	if k.resultsFile == "" {
		return nil
	}
	if err := k.refuseOverwrite("--results", k.resultsFile); err != nil {
		return err
	}
	if info, err := os.Stat(k.resultsFile); err == nil && !info.Mode().IsRegular() {
		return unusableInput("--results "+k.resultsFile, errNotRegular)
	}
	file, err := os.OpenFile(k.resultsFile, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return unusableInput("--results "+k.resultsFile, err)
	}
	k.file = file
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return errors.Join(err, k.writeResult(k.results.Plan))
	}
	earlier, size, err := comparison.ReadResults(file)
	if err != nil {
		return unusableInput("--results "+k.resultsFile, err)
	}
	if earlier.Plan != k.results.Plan {
		return unusableInput("--results "+k.resultsFile, errors.New("it has the results of another comparison: other versions, cases, libraries or another seed; name another file, or delete it"))
	}
	k.results = earlier
	if err := file.Truncate(size); err != nil {
		return unusableInput("--results "+k.resultsFile, err)
	}
	_, err = file.Seek(size, 0)
	return err
}

func (k *comparer) writeResult(v any) error {
	if k.file == nil {
		return nil
	}
	if err := encodeOutput(k.file, v, ""); err != nil {
		return unusableInput("--results "+k.resultsFile, err)
	}
	return nil
}

// inputsHash returns a hash of the cases, and of the files of both versions.
func (k *comparer) inputsHash() string {
	var names []string
	k.filesRead.Range(func(name, _ any) bool {
		if filepath.Base(name.(string)) != dotenvName {
			names = append(names, name.(string))
		}
		return true
	})
	for _, t := range k.suite.cases {
		for _, arm := range k.arms {
			if test, err := arm.testOf(t); err == nil {
				for _, name := range test.Libraries {
					names = append(names, test.near(name))
				}
			}
		}
	}
	slices.Sort(names)
	hash := sha256.New()
	for _, name := range slices.Compact(names) {
		content, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		fmt.Fprintf(hash, "%d %x\n", len(content), sha256.Sum256(content))
	}
	for _, t := range k.suite.cases {
		fmt.Fprintf(hash, "%q\n", t.Name)
	}
	fmt.Fprintf(hash, "%q %q\n", k.words, k.rubric)
	return hex.EncodeToString(hash.Sum(nil)[:12])
}

// finish prints what the results show.
func (k *comparer) finish(ctx context.Context, sequence *stats.Sequence) error {
	report := k.results.Report()
	if sequence != nil {
		low, high := sequence.Interval()
		report.Sure(low, high, len(k.suite.cases))
	}
	if ctx.Err() != nil {
		k.note(fmt.Sprintf("stopped after %d of %s; with --results FILE, the same command goes on", len(k.results.Outcomes), counted(2*len(k.suite.cases)*k.runs, "run")))
	}
	if n := len(k.unanswered); n > 0 {
		k.note(fmt.Sprintf("warning: no result of %s in both versions (with --results FILE, the same command repeats them): %v", counted(n, "run"), k.unanswered[0]))
	}
	if k.html != "" {
		if err := k.writeTracePages(report); err != nil {
			return err
		}
		if err := writeFile(k.html, []byte(report.HTML(filepath.Dir(k.html)))); err != nil {
			return err
		}
	}
	if k.asJSON {
		if err := k.encodeData(report); err != nil {
			return err
		}
	} else if err := k.writeText(report.Text()); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return exitSilently(exitInterrupted)
	case len(k.unanswered) > 0 && (k.gate || report.Cases == 0):
		return exitSilently(exitRun)
	case k.gate && (len(report.Broken) > 0 || report.Success.Between.Shown && report.Success.Between.Estimate < 0):
		return exitSilently(exitRun)
	}
	return nil
}

// printPlan says what the cases at hand can show, and what it would cost.
func (k *comparer) printPlan() error {
	n := len(k.suite.cases)
	var b strings.Builder
	fmt.Fprintf(&b, "%s; with one run each, a difference of 20 points is shown %.0f %% of the time.\n\n%s\n", counted(n, "case"), 100*comparison.Power(n), comparison.Cases())
	fmt.Fprintf(&b, "(four times of five, if a case of ten flips by chance)\n\n%s with each version: %s.\n", counted(k.runs, "run"), counted(2*n*k.runs, "run"))
	b.WriteString(k.costOfPlan())
	return k.writeText(b.String())
}

// costOfPlan returns what the runs cost by earlier results, and else the least that
// their first requests cost.
func (k *comparer) costOfPlan() string {
	if k.resultsFile != "" {
		if file, err := openRegular(k.resultsFile); err == nil {
			defer file.Close()
			if earlier, _, err := comparison.ReadResults(file); err == nil {
				if cost, ok := earlier.CostPerPair(); ok {
					return fmt.Sprintf("By %s that ran: about $%.4g.\n", counted(len(earlier.Outcomes), "run"), cost*float64(len(k.suite.cases)*k.runs))
				}
			}
		}
	}
	var sum models.Money
	for _, t := range k.suite.cases {
		if !t.asksModel() {
			continue
		}
		for _, arm := range k.arms {
			test, err := arm.testOf(t)
			if err != nil {
				continue
			}
			model := test.agent.Model
			row, known := k.models().Model(model.Provider, model.ID)
			if !known || row.Prices == nil {
				return fmt.Sprintf("The price of %s is not known.\n", model)
			}
			bytes := len(test.agent.Instruction)
			for _, tool := range test.agent.Tools {
				bytes += len(tool.Description) + len(tool.Input)
			}
			for _, turn := range t.Turns {
				bytes += len(turn.Message)
				sum += usualRequests * row.Prices.Cost(models.Tokens{Input: bytes / bytesOfToken, Output: usualResponse})
			}
		}
	}
	if sum == 0 {
		return "No model is asked: it costs nothing.\n"
	}
	return fmt.Sprintf("About %s, if each message takes %d requests with responses of %d tokens. To know more, run some\ncases with --results FILE, and plan again with this file.\n",
		twoDigits(sum*models.Money(k.runs)), usualRequests, usualResponse)
}

// twoDigits rounds an estimate.
func twoDigits(m models.Money) models.Money {
	unit := models.Money(1)
	for m/unit >= 100 {
		unit *= 10
	}
	return (m + unit/2) / unit * unit
}

// asksModel reports whether the model of the agent responds, and no script or rules.
func (t *testCase) asksModel() bool {
	return t.Model != compiled.Scripted && t.Model != compiled.Offline
}

// What a message is taken to cost before anything has run.
const (
	usualRequests = 2
	usualResponse = 300 // tokens
	bytesOfToken  = 4
)

// traceName returns the name of a file for a run of a case.
func traceName(name string, arm comparison.Arm, run int) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, name)
	if safe != name || len(safe) > 100 { // another name may come to the same
		sum := sha256.Sum256([]byte(name))
		safe = safe[:min(len(safe), 100)] + "-" + hex.EncodeToString(sum[:4])
	}
	return fmt.Sprintf("%s.%s.%d.jsonl", cmp.Or(safe, "case"), arm, run)
}
