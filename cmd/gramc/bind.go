package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/compat"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
)

// A bindRunner is one use of the command bind or lock.
type bindRunner struct {
	*cli

	agentName    string
	libraryNames []string
	lockFile     string
	mode         bindMode
	asJSON       bool
}

func (c *cli) bindCommand() *cobra.Command {
	b := &bindRunner{cli: c}
	cmd := command("bind FILE", theFile, func(_ *cobra.Command, words []string) error { return b.command(words[0]) })
	f := cmd.Flags()
	f.StringVar(&b.agentName, "agent", "", "bind only this agent")
	b.mode.addFlag(cmd)
	f.BoolVar(&b.asJSON, "json", false, "write the report as JSON")
	f.StringVar(&b.lockFile, "lock", "", "compare with this lock `FILE` (default the file's name and .lock, if it exists)")
	addLibraryFlag(cmd, &b.libraryNames, "take the tools from the library `FILE`; may be repeated")
	return cmd
}

// A bindReport is what the commands bind and lock found.
type bindReport struct {
	Agents []agentReport   `json:"agents"`
	Drift  []compat.Change `json:"drift,omitempty"` // since the lock was written

	fits        []host.Report // of all agents
	before, now *compat.Lock
}

// An agentReport is what binding found of an agent.
type agentReport struct {
	Agent string       `json:"agent"`
	Place string       `json:"place"`
	Tools []toolReport `json:"tools"`
}

// A toolReport is a tool of an agent, and what implements it.
type toolReport struct {
	Tool     string    `json:"tool"`
	Place    string    `json:"place"`
	From     string    `json:"from,omitempty"`    // the implementation; "" when there is none
	Library  string    `json:"library,omitempty"` // its place
	Problems []problem `json:"problems"`

	// Fit and Differences describe how the input schema of a bound tool differs from
	// that of the agent; they are empty if it does not.
	Fit         runtime.Fit `json:"fit,omitempty"`
	Differences []string    `json:"differences,omitempty"`
}

// A problem is a reason why a tool is not bound.
type problem struct {
	Reason  runtime.Reason `json:"reason"`
	Message string         `json:"message"`
	Diff    string         `json:"diff,omitempty"`
}

// allBound reports whether no tool has a problem.
func allBound(fits []host.Report) bool {
	return !slices.ContainsFunc(fits, func(f host.Report) bool { return len(f.Problems) > 0 })
}

func (b *bindRunner) command(file string) error {
	before, err := b.readLock(b.lockFile, file)
	if err != nil {
		return err
	}
	report, err := b.bind(file)
	if err != nil {
		return err
	}
	if before != nil {
		report.before, report.Drift = before, lockChanges(before, report.fits, report.now)
	}
	if err := b.print(report); err != nil {
		return err
	}
	if !allBound(report.fits) || compat.AnyBreakingChange(report.Drift) {
		return exitSilently(exitProblems)
	}
	return nil
}

// bind opens the libraries and binds the tools of the agents of a file.
func (b *bindRunner) bind(file string) (*bindReport, error) {
	compiled, agents, err := b.agentsOf(file, b.agentName)
	if err != nil {
		return nil, err
	}
	libraries, err := b.readLibraries(b.libraryNames)
	if err != nil {
		return nil, err
	}
	ctx, stop := interruptible()
	defer stop()
	set, err := b.openSet(ctx, libraries, toolsOf(agents))
	if err != nil {
		return nil, b.notOpened(err, exitProblems)
	}
	report := &bindReport{Agents: make([]agentReport, len(agents))}
	for i, agent := range agents {
		fits := set.Report(agent.Tools, &runtime.BindOptions{Mode: b.mode.mode()})
		report.Agents[i] = bindReportOf(compiled[i], fits)
		report.fits = append(report.fits, fits...)
	}
	report.now = lockOf(report.fits)
	b.closeSet(set)
	return report, nil
}

// bindReportOf returns what binding found of an agent, whose tools fits are.
func bindReportOf(agent *compile.Agent, fits []host.Report) agentReport {
	r := agentReport{Agent: agent.Name, Place: placeText(agent.Place), Tools: make([]toolReport, len(fits))}
	for i, f := range fits {
		t := toolReport{Tool: f.Tool, Place: placeText(agent.Tools[i].Place), From: f.From, Problems: []problem{}}
		if f.Origin.Entry != nil {
			t.Library = placeText(f.Origin.Entry.Place)
		}
		if f.Fit != runtime.FitEqual {
			t.Fit, t.Differences = f.Fit, f.Differences
		}
		for _, p := range f.Problems {
			t.Problems = append(t.Problems, problem{p.Reason, p.Message, schemaDiff(&t, p.Want, p.Have)})
		}
		r.Tools[i] = t
	}
	return r
}

// schemaDiff shows where two schemas differ. It is empty when one is not known.
func schemaDiff(t *toolReport, want, have json.RawMessage) string {
	if len(want) == 0 || len(have) == 0 {
		return ""
	}
	text := string(diff.Diff(t.Place, sortedSchema(want), t.Library, sortedSchema(have)))
	_, text, _ = strings.Cut(text, "\n") // the first line names both, as the next two do
	return text
}

// sortedSchema writes a schema with its keys in alphabetical order.
func sortedSchema(schema json.RawMessage) []byte {
	var v any
	d := json.NewDecoder(bytes.NewReader(schema))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return schema
	}
	var text bytes.Buffer
	if encodeOutput(&text, v, "  ") != nil {
		return schema
	}
	return text.Bytes()
}

// print writes what was found.
func (b *bindRunner) print(r *bindReport) error {
	if b.asJSON {
		return b.encodeData(r)
	}
	for i := range r.Agents {
		b.printAgent(&r.Agents[i])
	}
	for _, change := range r.Drift {
		fmt.Fprintf(b.out, "changed since the lock: %s\n", lockChangeText(change, r.before, r.now))
	}
	return nil
}

func (b *bindRunner) printAgent(a *agentReport) {
	fmt.Fprintf(b.out, "agent %s (%s)\n", cleanLine(a.Agent), cleanLine(a.Place))
	if len(a.Tools) == 0 {
		fmt.Fprintln(b.out, "  it has no tools")
	}
	for _, t := range a.Tools {
		from, places := t.From, t.Place
		if t.Library != "" {
			from += " (" + t.Library + ")"
			places += ", " + t.Library
		}
		if len(t.Problems) == 0 {
			fmt.Fprintf(b.out, "  ok     %s: %s\n", cleanLine(t.Tool), cleanLine(from))
		}
		for _, difference := range t.Differences {
			fmt.Fprintf(b.out, "    %s: %s\n", t.Fit, cleanLine(difference))
		}
		for _, p := range t.Problems {
			fmt.Fprintf(b.out, "  error  %s (%s): %s: %s\n", cleanLine(t.Tool), cleanLine(places), p.Reason, cleanLine(p.Message))
			for line := range strings.Lines(p.Diff) {
				fmt.Fprintf(b.out, "    %s", clean(line))
			}
		}
	}
}
