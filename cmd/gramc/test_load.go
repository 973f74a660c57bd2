package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	compiled "github.com/gram-lang/gramc/compile/scenario"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/telemetry"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
)

// A testCase is a test of a file, and its agent.
type testCase struct {
	*compiled.Scenario
	file *workspace.Unit
	loadedAgent
}

// A loadedAgent is an agent that is ready to run, and its file.
type loadedAgent struct {
	agent     *interp.Agent
	agentFile *workspace.Unit
}

// A testSuite is the tests of some files, with what they share.
type testSuite struct {
	*cli
	cases []*testCase

	files []fileProblems // of the tests and their agents

	agents     map[*compiled.Agent]loadedAgent
	recordings map[string]*testCase // by their paths

	telemetry *telemetry.Telemetry // nil unless the environment asks for it

	mu        sync.Mutex
	libraries map[string]*openedLibrary // by their paths and the agent
	closed    bool
}

// An openedLibrary is a set of libraries that tests share.
type openedLibrary struct {
	once  sync.Once
	set   *host.Set
	tools runtime.Library
	err   error
}

func (c *cli) newSuite() *testSuite {
	return &testSuite{cli: c, agents: map[*compiled.Agent]loadedAgent{}, libraries: map[string]*openedLibrary{}, recordings: map[string]*testCase{}}
}

// loadTests reads the tests of files and folders, and shows what is wrong with them.
// Errors end the command; the suite then has them. Files without tests are left out.
func (c *cli) loadTests(words []string, matching *regexp.Regexp) (*testSuite, error) {
	s := c.newSuite()
	inputs := make([]input, len(words))
	for i, word := range words {
		inputs[i].name = word
	}
	files, unreadable := expandInputs(inputs)
	if len(unreadable) > 0 {
		return nil, unreadable[0]
	}
	found := false
	for _, in := range files {
		u, err := c.loadInput(in)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(u.Patterns, compiled.IsTest) {
			continue
		}
		found = true
		if err := s.add(u, matching); err != nil && !silent(err) {
			return nil, err
		}
	}
	switch {
	case slices.ContainsFunc(s.files, func(f fileProblems) bool { return f.problems.HasErrors() }):
		return s, exitSilently(exitProblems)
	case !found:
		return nil, fmt.Errorf("there is no test in %s; a test is a pattern such as [name:Test | [:User {text: \"…\"}], …]", strings.Join(words, ", "))
	case len(s.cases) == 0:
		return nil, fmt.Errorf("the name of no test matches %q", matching)
	}
	return s, nil
}

// add adds the tests of a file whose names match.
func (s *testSuite) add(u *workspace.Unit, matching *regexp.Regexp) error {
	if err := s.reportOf(u, s.examineAll(u)); err != nil {
		return err
	}
	scenarios, problems := compile.Scenarios(u.File, s.checkOptions(u))
	if err := s.reportOf(u, onlyErrors(problems)); err != nil {
		return err
	}
	for _, test := range scenarios {
		if err := s.addRecording(&testCase{Scenario: test, file: u}); err != nil {
			return err
		}
		if matching != nil && !matching.MatchString(test.Name) {
			continue
		}
		agent, known := s.agents[test.Agent]
		if !known {
			var err error
			if agent, err = s.agentOf(u, test.Agent); err != nil {
				return err
			}
			s.agents[test.Agent] = agent
		}
		s.cases = append(s.cases, &testCase{test, u, agent})
	}
	return nil
}

// addRecording refuses a recording of two files, of which gramc test --update could keep
// only one. Two tests of a file are reported by its check.
func (s *testSuite) addRecording(t *testCase) error {
	if t.Recording == "" {
		return nil
	}
	file := filepath.Join(filepath.Dir(t.file.Path()), filepath.FromSlash(path.Clean(t.Recording)))
	if earlier := s.recordings[file]; earlier != nil && earlier.file.Path() != t.file.Path() {
		return fmt.Errorf("two tests have the recording %s: %s of %s and %s of %s", t.near(t.Recording), earlier.Name, earlier.file.Name(), t.Name, t.file.Name())
	}
	s.recordings[file] = t
	return nil
}

// agentOf returns an agent that tests of a file name, ready to run.
func (s *testSuite) agentOf(u *workspace.Unit, a *compiled.Agent) (loadedAgent, error) {
	file := a.Pattern.Span().File
	all := append([]*workspace.Unit{u}, u.Imports()...)
	i := slices.IndexFunc(all, func(v *workspace.Unit) bool { return v.Source == file })
	if i < 0 {
		return loadedAgent{}, fmt.Errorf("%s: the file of the agent %q is not imported", u.Name(), a.Name)
	}
	agent, problems := interp.Load(all[i].File, a.Name, interp.ModeAuto, s.checkOptions(all[i]))
	if agent == nil {
		return loadedAgent{}, s.reportOf(u, onlyErrors(problems))
	}
	return loadedAgent{agent, all[i]}, nil
}

// reportOf shows what is wrong with a file and its imports, if no other file has shown
// it. Errors keep their files.
func (s *testSuite) reportOf(u *workspace.Unit, problems diag.List) error {
	var shown diag.List
	for _, d := range problems.Unique() {
		name := jsonFileName(d.Span, u.Name())
		i := slices.IndexFunc(s.files, func(f fileProblems) bool { return f.name == name })
		if i < 0 {
			i = len(s.files)
			s.files = append(s.files, fileProblems{name: name})
		}
		before := len(s.files[i].problems)
		if s.files[i].problems = append(s.files[i].problems, d).Unique(); len(s.files[i].problems) > before {
			shown = append(shown, d)
		}
	}
	if err := s.show(shown, diag.Warning); err != nil {
		return err
	}
	if problems.HasErrors() {
		return exitSilently(exitProblems)
	}
	return nil
}

// tools returns the tools that a test has, which are opened once for all tests with the
// same libraries.
func (s *testSuite) tools(ctx context.Context, t *testCase) (runtime.Library, error) {
	if len(t.Libraries) == 0 {
		return runtime.Library{}, nil
	}
	l := s.opened(t)
	l.once.Do(func() { l.err = s.open(ctx, l, t) })
	return l.tools, l.err
}

// opened returns the libraries of a test, which are not open yet at first.
func (s *testSuite) opened(t *testCase) *openedLibrary {
	key := strings.Join(append([]string{t.agent.Name, filepath.Dir(t.file.Path())}, t.Libraries...), "\x00")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.libraries[key] == nil {
		s.libraries[key] = &openedLibrary{}
	}
	return s.libraries[key]
}

// open opens the libraries of a test.
func (s *testSuite) open(ctx context.Context, l *openedLibrary, t *testCase) error {
	var names []string
	for _, name := range t.Libraries {
		names = append(names, t.near(name))
	}
	files, err := s.readLibraryFiles(names)
	if err != nil {
		return err
	}
	var all []*library.Library
	for _, f := range files {
		if f.problems.HasErrors() {
			return fmt.Errorf("there are errors in the library %s: gramc check shows them", f.name)
		}
		all = append(all, f.libraries...)
	}
	need := toolsOf([]*interp.Agent{t.agent})
	set, err := s.openSet(ctx, all, need)
	if err != nil {
		return err
	}
	l.tools, _ = set.GuardLeaks(need)
	s.mu.Lock()
	closed := s.closed
	if !closed {
		l.set = set
	}
	s.mu.Unlock()
	if closed {
		s.closeSet(set)
		return errors.New("the tests have ended")
	}
	return nil
}

// close ends what was opened. Tests may still run after an interrupt; what they open
// later ends at once.
func (s *testSuite) close() {
	s.mu.Lock()
	s.closed = true
	var sets []*host.Set
	for _, l := range s.libraries {
		if l.set != nil {
			sets = append(sets, l.set)
		}
	}
	s.mu.Unlock()
	for _, set := range sets {
		s.closeSet(set)
	}
}

// near returns a path that the file of a test names.
func (t *testCase) near(name string) string {
	return filepath.Join(filepath.Dir(t.file.Name()), filepath.FromSlash(path.Clean(name)))
}

var errNoRecording = errors.New("there is no recording yet; gramc test --update makes it")
