package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/compat"
)

func (c *cli) diffCommand() *cobra.Command {
	var asJSON bool
	cmd := command("diff OLD NEW", twoFiles, func(_ *cobra.Command, files []string) error {
		old, err := c.diffRevision(files[0])
		if err != nil {
			return err
		}
		new, err := c.diffRevision(files[1])
		if err != nil {
			return err
		}
		if (old.Program == nil) != (new.Program == nil) {
			return &exit{exitUsage, errors.New("one file has agents and the other only tools; they cannot be compared")}
		}
		return c.showDiff(compat.Revisions(old, new), asJSON)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "write the changes as JSON")
	return cmd
}

func twoFiles(_ *cobra.Command, files []string) error {
	if len(files) != 2 {
		return fmt.Errorf("diff takes two files, the old one and the new one; there are %d", len(files))
	}
	if isStdin(files[0]) && isStdin(files[1]) {
		return errors.New("standard input can be read only once")
	}
	return nil
}

// diffRevision reads a gram file or a compiled program. Files with errors end the
// command with exit code 2, so that 1 always means a breaking change.
func (c *cli) diffRevision(name string) (*compat.Revision, error) {
	text, err := c.readInput(name)
	if err != nil {
		return nil, err
	}
	if isProgram(name, text) {
		program, err := compile.ReadProgram(name, []byte(text), &compile.Options{Models: c.models()})
		if err != nil {
			return nil, &exit{exitUsage, err}
		}
		return &compat.Revision{Program: program}, nil
	}
	u, err := c.loadInput(input{name, true, text})
	if err != nil {
		return nil, err
	}
	v := &compat.Revision{FromSource: true}
	problems := c.examineAll(u)
	switch {
	case problems.HasErrors():
	case len(compile.ResolveNames(u.File).Agents()) > 0:
		v.Program, problems = compile.File(u.File, c.checkOptions(u))
	default:
		v.Tools, problems = compile.Tools(u.File, c.checkOptions(u))
	}
	if c.report(problems, diag.Error) != nil {
		return nil, exitSilently(exitUsage)
	}
	if v.Program == nil && len(v.Tools) == 0 {
		return nil, &exit{exitUsage, fmt.Errorf("%s: there is no agent and no tool in this file", name)}
	}
	return v, nil
}

// showDiff prints the changes. The error reports a breaking one.
func (c *cli) showDiff(list []compat.Difference, asJSON bool) error {
	breaking := 0
	for _, d := range list {
		if d.Class == compat.Breaking {
			breaking++
		}
	}
	var err error
	if asJSON {
		err = c.encodeData(struct {
			SchemaVersion int                 `json:"schema_version"`
			Tool          string              `json:"tool"`
			Breaking      bool                `json:"breaking"`
			Changes       []compat.Difference `json:"changes"`
		}{1, "gramc/" + version(), breaking > 0, list})
	} else {
		err = c.printDiff(list)
	}
	if err != nil {
		return err
	}
	if !asJSON && (len(list) > 0 || isTerminal(c.err)) {
		c.note(fmt.Sprintf("%d breaking, %d compatible", breaking, len(list)-breaking))
	}
	if breaking > 0 {
		return exitSilently(exitProblems)
	}
	return nil
}

// printDiff writes the changes as text, grouped by agent and tool.
func (c *cli) printDiff(list []compat.Difference) error {
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
		if d.Place.File != "" {
			line = placeText(d.Place) + ": " + line
		}
		if d.Was.File != "" {
			line += " (was " + placeText(d.Was) + ")"
		}
		if _, err := fmt.Fprintf(c.out, "  %s\n", cleanLine(line)); err != nil {
			return err
		}
	}
	return nil
}
