package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/spell"
)

func (c *cli) explainCommand() *cobra.Command {
	cmd := command("explain [CODE]", nil, func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return fmt.Errorf("explain takes one code; there are %d", len(args))
		}
		if len(args) == 0 {
			return c.listCodes()
		}
		return c.explain(args[0])
	})
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return explainedCodes(), cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

// explainedCodes returns all codes that explain accepts.
func explainedCodes() []string {
	var list []string
	for _, e := range diag.Catalogue() {
		list = append(append(list, string(e.Code)), e.Peers...)
	}
	return list
}

func (c *cli) listCodes() error {
	for _, e := range diag.Catalogue() {
		if _, err := fmt.Fprintf(c.out, "%-26s %-11s %s\n", e.Code, e.Severity, e.Title); err != nil {
			return err
		}
	}
	return nil
}

func (c *cli) explain(code string) error {
	entries := diag.Explain(strings.Trim(strings.ToLower(code), "[]"))
	if len(entries) == 0 {
		if near := spell.Nearest(code, explainedCodes()); near != "" {
			return fmt.Errorf("there is no code %q; did you mean %s?", code, near)
		}
		return fmt.Errorf("there is no code %q; gramc explain lists all of them", code)
	}
	for i, e := range entries {
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		if _, err := fmt.Fprint(c.out, clean(explanation(e))); err != nil {
			return err
		}
	}
	return nil
}

// explanation is an entry for a terminal.
func explanation(e diag.Entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s[%s]: %s\n\n%s\n", e.Severity, e.Code, e.Title, wrappedExplanation(e.Explanation))
	if len(e.Peers) > 0 {
		fmt.Fprintf(&b, "\n%s\n", wrappedExplanation("gram check calls it "+strings.Join(e.Peers, ", ")+"."))
	}
	if e.Unshown != "" {
		fmt.Fprintf(&b, "\n%s\n", wrappedExplanation("There is no example: "+e.Unshown+"."))
		return b.String()
	}
	fmt.Fprintf(&b, "\nWrong:\n\n%s\n\nRight:\n\n%s\n", indentedExplanation(e.Wrong), indentedExplanation(e.Right))
	return b.String()
}

func indentedExplanation(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") }

// wrappedExplanation breaks text into lines of at most 79 characters.
func wrappedExplanation(text string) string {
	var b strings.Builder
	width := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case width > 0 && width+1+len(word) > 79:
			b.WriteByte('\n')
			width = 0
		case width > 0:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += len(word)
	}
	return b.String()
}
