package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/spell"
)

func (c *cli) builtinsCommand() *cobra.Command {
	var known []string
	for _, b := range library.Builtins() {
		known = append(known, b.Name)
	}
	cmd := command("builtins [NAME...]", nil, func(_ *cobra.Command, names []string) error {
		var list []library.BuiltinTool
		for _, name := range names {
			b, ok := library.BuiltinNamed(name)
			if near := spell.Nearest(name, known); !ok && near != "" {
				return fmt.Errorf("there is no built-in %q; did you mean %s?", name, near)
			}
			if !ok {
				return fmt.Errorf("there is no built-in %q; there are %s", name, strings.Join(known, ", "))
			}
			list = append(list, b)
		}
		if len(names) == 0 {
			list = library.Builtins()
		}
		return c.writeGram("", library.BuiltinsText(list))
	})
	cmd.ValidArgsFunction = cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp)
	return cmd
}
