package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/runtime/host"
)

const formats = "human,json,sarif,github"

// A checker is one run of the command check.
type checker struct {
	*cli
	format    flagChoice
	fix, diff bool
	watching  bool          // one of several checks; the report says so when all is well
	host      *host.Options // with --environment: of this machine

	libraryNames []string
	libraries    []*libraryFile
	files        []fileProblems // of all files, in the order of the report
	fixable      int            // how many fixes --fix would make
}

// A fileProblems is what is reported of a file.
type fileProblems struct {
	name     string
	problems diag.List
}

func (c *cli) checkCommand() *cobra.Command {
	k := &checker{cli: c, format: flagChoice{"human", formats}}
	var asJSON, environment, watch bool
	cmd := command("check [-e TEXT | FILE|FOLDER...]", nil, func(cmd *cobra.Command, words []string) error {
		if asJSON {
			if cmd.Flags().Changed("format") && k.format.value != "json" {
				return fmt.Errorf("--json is short for --format json and conflicts with --format %s", k.format.value)
			}
			k.format.value = "json"
		}
		if environment {
			k.host = k.toolOptions(nil)
		}
		if len(words) == 0 && !cmd.Flags().Changed("expression") {
			words = []string{"."}
		}
		if !watch {
			return k.command(cmd, words)
		}
		if err := k.refuseWatch(cmd, words); err != nil {
			return err
		}
		ctx, stop := interruptible()
		defer stop()
		return k.watch(ctx, cmd, words, watchPause)
	})
	addExpressionFlag(cmd, "check this gram text instead of a file")
	cmd.Flags().BoolVar(&k.fix, "fix", false, "make the fixes that are safe")
	cmd.Flags().BoolVar(&k.diff, "diff", false, "show what --fix would change, and change nothing")
	k.format.add(cmd, "format", "format of the report")
	cmd.Flags().BoolVar(&asJSON, "json", false, "short for --format json")
	addLibraryFlag(cmd, &k.libraryNames, "check that the library `FILE` has the tools of the agents; may be repeated")
	cmd.Flags().BoolVar(&environment, "environment", false, "check that this machine has the variables, programs and folders that libraries name")
	cmd.Flags().BoolVar(&watch, "watch", false, "check again whenever a file changes, until Ctrl-C")
	k.addStrictFlags(cmd)
	return cmd
}

func (k *checker) command(cmd *cobra.Command, words []string) error {
	inputs, err := k.inputs(cmd, words)
	if err != nil {
		return err
	}
	if k.libraries, err = k.readLibraryFiles(k.libraryNames); err != nil {
		return err
	}
	for _, f := range k.libraries {
		missing := k.missing(f.File)
		f.own, f.problems = append(f.own, missing...), append(f.problems, missing...)
	}
	inputs, unreadable := expandInputs(inputs)
	if k.format.value != "human" && (k.diff || k.fix && slices.ContainsFunc(inputs, input.toStdout)) {
		return fmt.Errorf("--format %s and the fixed text would both go to standard output", k.format.value)
	}
	return k.run(inputs, unreadable)
}

// run checks the inputs and reports what is wrong with them, in their order.
func (k *checker) run(inputs []input, unreadable []error) error {
	imported := map[string]string{} // files that were not named, by path
	var ofAgents diag.List          // problems of agents in other files: imported ones and libraries
	for _, err := range unreadable {
		k.complain(err.Error())
	}
	for m := range parallelInOrder(inputs, k.check) {
		if m.err == nil {
			m.err = k.deliverFixed(m)
		}
		if m.err != nil {
			k.complain(m.err.Error())
			unreadable = append(unreadable, m.err)
			continue
		}
		for _, f := range m.imported {
			imported[f.Path()] = f.Name()
		}
		if err := k.add(m.name, m.problems); err != nil {
			return err
		}
		k.noteFixed(m)
		k.fixable += m.fixable
		ofAgents = append(ofAgents, m.elsewhere...)
	}
	for _, f := range k.libraries {
		isInput := slices.ContainsFunc(inputs, f.is)
		if problems := f.problemsToReport(ofAgents, isInput); !isInput || len(problems) > 0 {
			if err := k.add(f.name, problems); err != nil {
				return err
			}
		}
	}
	others := k.inOtherFiles(ofAgents)
	for _, name := range notNamed(imported, inputs) {
		others[name] = append(k.examineImported(name), others[name]...).Unique()
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		if err := k.add(name, others[name]); err != nil {
			return err
		}
	}
	return k.finish(unreadable)
}

// inOtherFiles returns the problems of agents in files that are no libraries, each
// once, by the names of the files.
func (k *checker) inOtherFiles(ofAgents diag.List) map[string]diag.List {
	others := map[string]diag.List{}
	for _, d := range ofAgents.Unique() {
		if !slices.ContainsFunc(k.libraries, func(f *libraryFile) bool { return f.Source == d.Span.File }) {
			others[d.Span.File.Name()] = append(others[d.Span.File.Name()], d)
		}
	}
	return others
}

// add reports the problems of a file, to people at once.
func (k *checker) add(file string, problems diag.List) error {
	known := -1
	if len(problems) > 0 { // those of agents in other files come later
		known = slices.IndexFunc(k.files, func(f fileProblems) bool { return f.name == file })
	}
	if known < 0 {
		k.files = append(k.files, fileProblems{file, problems})
	} else {
		k.files[known].problems = append(slices.Clip(k.files[known].problems), problems...)
	}
	if k.format.value == "human" {
		return k.show(problems, diag.Hint)
	}
	return nil
}

// finish writes the report. The error has the exit code.
func (k *checker) finish(unreadable []error) error {
	var err error
	switch k.format.value {
	case "json":
		err = encodeOutput(k.out, jsonReport(k.files), "  ")
	case "sarif":
		err = encodeOutput(k.out, sarifReport(k.files, unreadable), "  ")
	case "github":
		err = githubReport(k.out, k.files)
	default:
		k.summarize()
	}
	switch {
	case err != nil:
		return err
	case len(unreadable) > 0:
		return exitSilently(exitUsage)
	case slices.ContainsFunc(k.files, func(f fileProblems) bool { return f.problems.HasErrors() }):
		return exitSilently(exitProblems)
	}
	return nil
}

// notNamed returns the names of the imported files that are no inputs.
func notNamed(imported map[string]string, inputs []input) []string {
	for _, in := range inputs {
		if len(imported) > 0 && !in.toStdout() {
			delete(imported, workspace.Resolve(in.name))
		}
	}
	return slices.Sorted(maps.Values(imported))
}

// A checked is an input that has been checked.
type checked struct {
	input
	err       error     // it could not be read; the rest is empty then
	problems  diag.List // the remaining ones, after fixes
	elsewhere diag.List // problems of the agents in other files
	imported  []*workspace.Unit
	fixing        // what --fix did, or --diff shows
	fixable   int // how many fixes --fix would make
}

// check checks an input, and fixes its text if requested. It writes nothing, so
// that it can run for several inputs at once.
func (k *checker) check(in input) *checked {
	m := &checked{input: in}
	u, err := k.loadInput(in)
	if err != nil {
		m.err = err
		return m
	}
	m.imported = u.Imports()
	m.problems, m.elsewhere = k.examineWithLibraries(u)
	switch {
	case k.diff: // the file keeps its problems
		m.fixing, _ = k.applyFixes(u.Source, m.problems)
	case k.fix:
		m.fixing, m.problems = k.applyFixes(u.Source, m.problems)
	case k.format.value == "human" && len(m.problems.SafeFixes()) > 0:
		would, _ := k.applyFixes(u.Source, m.problems)
		m.fixable = would.fixed
	}
	return m
}

// summarize writes "2 errors, 1 warning in 3 files; --fix can fix 1".
func (k *checker) summarize() {
	var all diag.List
	for _, f := range k.files {
		all = append(all, f.problems...)
	}
	if len(all) == 0 && (len(k.files) == 0 || !k.watching && !isTerminal(k.err)) {
		return
	}
	var parts []string
	if n := countProblems(all, isError); n > 0 {
		parts = append(parts, counted(n, "error"))
	}
	if n := countProblems(all, func(d *diag.Diagnostic) bool { return d.Severity == diag.Warning }); n > 0 {
		parts = append(parts, counted(n, "warning"))
	}
	cut := slices.ContainsFunc(all, func(d *diag.Diagnostic) bool { return d.Code == diag.CodeTooManyErrors })
	switch {
	case len(parts) == 0:
		parts = []string{"no errors"}
	case cut: // the list was limited
		parts[0] = "at least " + parts[0]
	}
	text := fmt.Sprintf("%s in %s", strings.Join(parts, ", "), counted(len(k.files), "file"))
	if k.fixable > 0 {
		text += fmt.Sprintf("; --fix can fix %d", k.fixable)
	}
	k.note(text)
}
