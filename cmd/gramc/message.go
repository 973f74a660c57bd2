package main

import (
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/source"
)

// complain writes an error that is not a diagnostic.
func (c *cli) complain(text string) {
	prefix := "error: "
	if c.colored() {
		prefix = "\x1b[1;31merror\x1b[0m: "
	}
	fmt.Fprintf(c.err, "%s%s\n", prefix, clean(text))
}

// note writes a line to standard error.
func (c *cli) note(text string) { fmt.Fprintln(c.err, clean(text)) }

// show writes the diagnostics that are at least as severe as mildest.
func (c *cli) show(list diag.List, mildest diag.Severity) error {
	var shown diag.List
	for _, d := range list {
		if d.Severity <= mildest {
			shown = append(shown, d)
		}
	}
	if len(shown) == 0 {
		return nil
	}
	return diag.Fprint(c.err, shown.Limit(), &diag.PrintOptions{Color: c.colored()})
}

// report is show for problems of which errors end the command.
func (c *cli) report(list diag.List, mildest diag.Severity) error {
	if err := c.show(list, mildest); err != nil {
		return err
	}
	if list.HasErrors() {
		return exitSilently(exitProblems)
	}
	return nil
}

// colored reports whether messages are coloured.
func (c *cli) colored() bool {
	if c.color.value != "auto" {
		return c.color.value == "always"
	}
	noColor, _ := c.lookup("NO_COLOR")
	term, _ := c.lookup("TERM")
	return noColor == "" && term != "dumb" && isTerminal(c.err)
}

// isTerminal reports whether a stream is a terminal, and no other device.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// clean returns text that is safe to print to a terminal.
func clean(text string) string { return visible.Text(text) }

// cleanLine is clean for text that must stay on its line.
func cleanLine(text string) string { return visible.Line(text) }

// counted returns "1 error", "2 errors".
func counted(n int, noun string) string { return visible.Counted(n, noun) }

// shortMessage returns foreign text on a line, shortened if it is long.
func shortMessage(text string) string {
	if len(text) <= maxShown {
		return cleanLine(text)
	}
	return fmt.Sprintf("%s… (%d bytes)", cleanLine(excerpt.Bytes(text, maxShown)), len(text))
}

// placeText returns a place as file:line:column.
func placeText(p source.Place) string {
	if p.File == "" {
		return "a compiled library"
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// maxShown is how many bytes of one value are shown to people.
const maxShown = 1000
