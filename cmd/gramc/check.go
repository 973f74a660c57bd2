package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/workspace"
)

func (c *cli) checkCommand() *cobra.Command {
	k := &checker{cli: c, format: choice{"human", formats}}
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check [FILE|FOLDER...]",
		Short: "Report errors and warnings in gram files",
		Long: `check reports errors and warnings in gram files: in their syntax, and in the
agents and tools that they define. It never runs anything. "gramc explain CODE"
explains a diagnostic.

In a folder it checks all files *.gram below it, except hidden ones, those in
node_modules, and those that a .gitignore or a .gramignore ignores. Without
arguments it checks standard input, or if that is a terminal, the working
directory.

With --library it also reports tools of the agents that these libraries do not
have, or define differently; later libraries take precedence. Nothing is run,
and no server is contacted.

With --fix it makes the fixes that are safe, and reports the remaining problems.
--diff shows what --fix would change, and changes nothing. Fixed text of
standard input or of -e goes to standard output.

Machine-readable reports go to standard output: json is the format of "gram
check" (lines and characters from 0, characters in UTF-16 units) with fixes
added, sarif is SARIF 2.1.0, and github is annotations for GitHub Actions.`,
		Example: `  gramc check
  gramc check agents --fix
  gramc check agent.gram --library local.gram
  gramc check --format sarif --strict . > gramc.sarif
  gramc check -e '(a)-->(b)'`,
		RunE: func(cmd *cobra.Command, words []string) error {
			if asJSON {
				if cmd.Flags().Changed("format") && k.format.value != "json" {
					return fmt.Errorf("--json is short for --format json and conflicts with --format %s", k.format.value)
				}
				k.format.value = "json"
			}
			return k.command(cmd, words)
		},
	}
	addExpression(cmd, "check this gram text instead of a file")
	cmd.Flags().BoolVar(&k.fix, "fix", false, "make the fixes that are safe")
	cmd.Flags().BoolVar(&k.diff, "diff", false, "show what --fix would change, and change nothing")
	cmd.Flags().Var(&k.format, "format", "format of the report")
	cmd.Flags().BoolVar(&asJSON, "json", false, "short for --format json")
	complete(cmd, "format", formats)
	addLibrary(cmd, &k.libraryNames, "check that the library `FILE` has the tools of the agents; may be repeated")
	k.how.addFlags(cmd)
	return cmd
}

const formats = "human,json,sarif,github"

// A checker is one run of the command check.
type checker struct {
	*cli
	how       strictness
	format    choice
	fix, diff bool

	libraryNames []string
	libraries    []*libraryFile
}

// A reporter writes the problems of files in one format.
type reporter interface {
	add(file string, problems diag.List) error // problems as Limit cuts them
	finish(unreadable []error) error
}

func (k *checker) reporter() reporter {
	switch k.format.value {
	case "json":
		return &jsonReporter{out: k.out, report: newReport()}
	case "sarif":
		return &sarifReporter{out: k.out, run: newSARIFRun()}
	case "github":
		return &githubReporter{out: k.out}
	}
	return &humanReporter{cli: k.cli, offerFix: !k.fix && !k.diff}
}

func (k *checker) command(cmd *cobra.Command, words []string) error {
	expression := cmd.Flags().Changed("expression")
	if len(words) == 0 && !expression && isTerminal(k.in) {
		words = []string{"."}
	}
	inputs, err := k.inputs(cmd, words)
	if err != nil {
		return err
	}
	if k.libraries, err = k.openLibraries(k.libraryNames, &k.how); err != nil {
		return err
	}
	var unreadable []error
	if !expression {
		inputs, unreadable = expand(inputs)
	}
	if k.format.value != "human" && (k.diff || k.fix && slices.ContainsFunc(inputs, input.toStdout)) {
		return fmt.Errorf("--format %s and the fixed text would both go to standard output", k.format.value)
	}
	return k.run(inputs, unreadable)
}

// expand replaces folders by the files in them.
func expand(inputs []input) (files []input, unreadable []error) {
	var names []string
	for _, in := range inputs {
		names = append(names, in.name)
	}
	names, unreadable = workspace.Find(names, nil)
	for _, name := range names {
		files = append(files, input{name: name})
	}
	return files, unreadable
}

// run checks the inputs and reports what is wrong with them, in their order.
func (k *checker) run(inputs []input, unreadable []error) error {
	r := k.reporter()
	errorsFound := false
	imported := map[string]string{} // files that were not named, by path
	var inLibraries diag.List       // problems of agents, in library files
	for _, err := range unreadable {
		k.complain(err.Error())
	}
	for m := range each(inputs, k.check) {
		if m.err == nil {
			m.err = k.deliver(m)
		}
		if m.err != nil {
			k.complain(m.err.Error())
			unreadable = append(unreadable, m.err)
			continue
		}
		for _, f := range m.imported {
			imported[f.Path()] = f.Name()
		}
		errorsFound = errorsFound || m.problems.HasErrors()
		if err := r.add(m.name, m.problems); err != nil {
			return err
		}
		k.noteFixed(m)
		inLibraries = append(inLibraries, m.libraries...)
	}
	for _, f := range k.libraries {
		problems := f.found(inLibraries, f.isInput(inputs))
		if f.isInput(inputs) && len(problems) == 0 {
			continue
		}
		errorsFound = errorsFound || problems.HasErrors()
		if err := r.add(f.name, problems); err != nil {
			return err
		}
	}
	for _, in := range notNamed(imported, inputs) {
		m := k.only(in)
		errorsFound = errorsFound || m.problems.HasErrors()
		if err := r.add(m.name, m.problems); err != nil {
			return err
		}
	}
	if err := r.finish(unreadable); err != nil {
		return err
	}
	switch {
	case len(unreadable) > 0:
		return exitSilently(exitUsage)
	case errorsFound:
		return exitSilently(exitProblems)
	}
	return nil
}

// notNamed returns the imported files that are no inputs, by name.
func notNamed(imported map[string]string, inputs []input) []input {
	for _, in := range inputs {
		if !in.toStdout() {
			delete(imported, workspace.Resolve(in.name))
		}
	}
	names := slices.Sorted(maps.Values(imported))
	list := make([]input, len(names))
	for i, name := range names {
		list[i].name = name
	}
	return list
}

// only checks a file that was imported and not named: it is never written, and
// only its errors are reported.
func (k *checker) only(in input) *checked {
	u, err := k.load(in)
	if err != nil {
		return &checked{input: in} // reported at the import
	}
	problems := slices.DeleteFunc(u.examine(&k.how), func(d *diag.Diagnostic) bool { return d.Severity != diag.Error })
	for _, d := range problems {
		for i := range d.Fixes {
			d.Fixes[i].Safe = false // --fix does not write this file
		}
	}
	return &checked{input: in, problems: problems}
}

// A checked is an input that has been checked.
type checked struct {
	input
	err       error     // it could not be read; the rest is empty then
	problems  diag.List // the remaining ones, after fixes
	libraries diag.List // problems of the agents in library files
	imported  []*workspace.Unit
	fixing    // what --fix did, or would do
}

// check checks an input, and fixes its text if requested. It writes nothing, so
// that it can run for several inputs at once.
func (k *checker) check(in input) *checked {
	m := &checked{input: in}
	u, err := k.load(in)
	if err != nil {
		m.err = err
		return m
	}
	m.imported = u.Imports()
	m.problems, m.libraries = k.examine(u)
	switch {
	case k.diff: // the file keeps its problems
		m.fixing, _ = k.applyFixes(u.Source, m.problems)
	case k.fix:
		m.fixing, m.problems = k.applyFixes(u.Source, m.problems)
	}
	return m
}

// examine returns the problems of a file, and those that its agents have in the
// libraries.
func (k *checker) examine(u *unit) (own, libraries diag.List) {
	if sound(k.libraries) {
		u.libraries = allLibraries(k.libraries)
	}
	return split(u.examine(&k.how), u)
}

// A humanReporter writes for people, on standard error.
type humanReporter struct {
	*cli
	offerFix                         bool
	files, errors, warnings, fixable int
	reported, cut                    bool
}

func (r *humanReporter) add(_ string, problems diag.List) error {
	r.files++
	r.errors += count(problems, diag.Error)
	r.warnings += count(problems, diag.Warning)
	r.fixable += len(problems.SafeFixes())
	r.reported = r.reported || len(problems) > 0
	r.cut = r.cut || slices.ContainsFunc(problems, func(d *diag.Diagnostic) bool { return d.Code == diag.CodeTooManyErrors })
	return r.show(problems, diag.Hint)
}

func (r *humanReporter) finish([]error) error {
	if r.reported || r.files > 0 && isTerminal(r.err) {
		r.note(r.summary())
	}
	return nil
}

// summary returns "2 errors, 1 warning in 3 files; --fix can fix 1".
func (r *humanReporter) summary() string {
	var parts []string
	if r.errors > 0 {
		parts = append(parts, counted(r.errors, "error"))
	}
	if r.warnings > 0 {
		parts = append(parts, counted(r.warnings, "warning"))
	}
	switch {
	case len(parts) == 0:
		parts = []string{"no errors"}
	case r.cut: // the list was limited
		parts[0] = "at least " + parts[0]
	}
	text := fmt.Sprintf("%s in %s", strings.Join(parts, ", "), counted(r.files, "file"))
	if r.offerFix && r.fixable > 0 {
		text += fmt.Sprintf("; --fix can fix %d", r.fixable)
	}
	return text
}
