package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/compat"
	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/source"
)

func (c *cli) diffCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Report what changed between two versions of agents, and what breaks",
		Long: `diff compares the agents and tools of two gram files, with what they import, or
of two compiled programs, and reports every change: whether existing calls
still work, and why. The schema of arguments may get wider, that of results
narrower; everything else is breaking, and so is what cannot be decided. A tool
that an agent did not have is breaking too: libraries need it now.

Files without agents are compared by their tools. Nothing is run or connected.

The exit code is 0 when nothing breaks, 1 when something does, and 2 when the
files cannot be compared, or have errors.`,
		Example: `  gramc diff old.gram new.gram
  git show main:agent.gram | gramc diff - agent.gram`,
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) != 2 {
				return fmt.Errorf("diff takes two files, the old one and the new one; there are %d", len(files))
			}
			if isStdin(files[0]) && isStdin(files[1]) {
				return errors.New("standard input can be read only once")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, files []string) error {
			old, err := c.revision(files[0])
			if err != nil {
				return err
			}
			new, err := c.revision(files[1])
			if err != nil {
				return err
			}
			if (old.program == nil) != (new.program == nil) {
				return &exit{exitUsage, errors.New("one file has agents and the other only tools; they cannot be compared")}
			}
			return c.showDiff(differences(old, new), asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the changes as JSON")
	return cmd
}

// A revision is one of the two files that are compared.
type revision struct {
	program *compile.Program // nil for a file of tools
	tools   []*compile.Tool  // of a file of tools
	spans   bool             // the places of parameters are places in files
}

// revision reads a gram file or a compiled program. Files with errors end here,
// with the exit code 2, so that 1 always means that something breaks.
func (c *cli) revision(name string) (*revision, error) {
	text, err := c.read(name)
	if err != nil {
		return nil, err
	}
	if isProgram(name, text) {
		program, err := compile.ReadProgram(name, []byte(text))
		if err != nil {
			return nil, &exit{exitUsage, err}
		}
		return &revision{program: program}, nil
	}
	file, parsing := grammar.Parse(name, text)
	u := &unit{Unit: c.workspace.Add(name, file, parsing)}
	v, how := &revision{spans: true}, &strictness{}
	problems := u.examineAll(how)
	if !problems.HasErrors() {
		if len(compile.Resolve(u.File).Agents()) > 0 {
			v.program, problems = compile.File(u.File, u.options(how))
		} else {
			v.tools, problems = compile.Tools(u.File, u.options(how))
		}
	}
	if err := c.show(problems, diag.Error); err != nil {
		return nil, err
	}
	switch {
	case problems.HasErrors():
		return nil, told(exitUsage)
	case v.program == nil && len(v.tools) == 0:
		return nil, &exit{exitUsage, fmt.Errorf("%s: there is no agent and no tool in this file", name)}
	}
	return v, nil
}

// agents returns the agents of a program as a run has them.
func (v *revision) agents() (list []*interp.Agent) {
	for _, a := range v.program.Agents {
		agent, err := interp.FromProgram(&compile.Program{Agents: []*compile.Agent{a}}, "")
		if err != nil {
			panic("gramc: " + err.Error())
		}
		list = append(list, agent)
	}
	return list
}

func (v *revision) contracts() (list []runtime.Contract) {
	for _, t := range v.tools {
		list = append(list, runtime.Contract{
			Name: t.Name, Description: t.Description, Input: t.Schema(), Output: t.OutputSchema(),
			Timeout: time.Duration(t.TimeoutMS) * time.Millisecond, NoRetry: t.NoRetry, Strict: t.Strict,
		})
	}
	return list
}

// place returns where a revision has what a change is about; the zero Place
// where it has no such thing.
func (v *revision) place(c *compat.Change) source.Place {
	var where source.Place
	tools := v.tools
	if v.program != nil {
		for _, a := range v.program.Agents {
			if a.Name == c.Agent || len(v.program.Agents) == 1 {
				where, tools = a.Place, a.Tools
			}
		}
	}
	if c.Tool == "" {
		return where
	}
	for _, t := range tools {
		if t.Name == c.Tool {
			return v.parameter(t, c.Path)
		}
	}
	return source.Place{}
}

// parameter returns the place of the parameter that a path leads to, or else of
// the tool.
func (v *revision) parameter(t *compile.Tool, path string) source.Place {
	rest, found := strings.CutPrefix(path, "/input/properties/")
	if !found || !v.spans {
		return t.Place
	}
	token, _, _ := strings.Cut(rest, "/")
	for _, p := range t.Signature.Params {
		if p.Name == jsonpointer.Key(token) && !p.Span.IsZero() {
			at := p.Span.Pos()
			return source.Place{File: p.Span.File.Name(), Start: p.Span.Start, End: p.Span.End, Line: at.Line, Column: at.Column}
		}
	}
	return t.Place
}

// A difference is a change with its places.
type difference struct {
	compat.Change
	Place source.Place `json:"place,omitzero"` // in the new file
	Was   source.Place `json:"was,omitzero"`   // in the old file
}

func differences(old, new *revision) []difference {
	var changes []compat.Change
	if new.program != nil {
		changes = compat.Agents(old.agents(), new.agents())
	} else {
		changes = compat.Contracts(old.contracts(), new.contracts())
	}
	list := make([]difference, len(changes))
	for i := range changes {
		list[i] = difference{changes[i], new.place(&changes[i]), old.place(&changes[i])}
	}
	return list
}

// showDiff tells what changed. The error says whether something breaks.
func (c *cli) showDiff(list []difference, asJSON bool) error {
	breaking := 0
	for _, d := range list {
		if d.Class == compat.Breaking {
			breaking++
		}
	}
	if asJSON {
		text, err := plainjson.Marshal(struct {
			SchemaVersion int          `json:"schema_version"`
			Tool          string       `json:"tool"`
			Breaking      bool         `json:"breaking"`
			Changes       []difference `json:"changes"`
		}{1, "gramc/" + readVersion().version, breaking > 0, list})
		if err != nil {
			return err
		}
		if err := c.writeJSON(text); err != nil {
			return err
		}
	} else if err := c.printDiff(list); err != nil {
		return err
	}
	if !asJSON && (len(list) > 0 || isTerminal(c.err)) {
		c.note(fmt.Sprintf("%d breaking, %d compatible", breaking, len(list)-breaking))
	}
	if breaking > 0 {
		return told(exitProblems)
	}
	return nil
}

// printDiff writes the changes for people, those of an agent or a tool
// together.
func (c *cli) printDiff(list []difference) error {
	above := ""
	for _, d := range list {
		var of []string
		if d.Agent != "" {
			of = append(of, "agent "+strconv.Quote(d.Agent))
		}
		if d.Tool != "" {
			of = append(of, "tool "+strconv.Quote(d.Tool))
		}
		if heading := strings.Join(of, ", "); heading != above {
			fmt.Fprintln(c.out, cleanLine(heading))
			above = heading
		}
		line := string(d.Class) + ": " + d.Message
		switch {
		case d.Place.File == "" && d.Was.File != "":
			line += " (was " + placeText(d.Was) + ")"
		case d.Place.File != "" && d.Was.File != "":
			line = placeText(d.Place) + ": " + line + " (was " + placeText(d.Was) + ")"
		case d.Place.File != "":
			line = placeText(d.Place) + ": " + line
		}
		if _, err := fmt.Fprintf(c.out, "  %s\n", cleanLine(line)); err != nil {
			return err
		}
	}
	return nil
}

func placeText(p source.Place) string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }
