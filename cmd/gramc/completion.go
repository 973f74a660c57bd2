package main

import (
	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
)

// completeNames lets the shell complete the flags of a command, and of those below
// it, whose values are models or names in the file of the command line.
func (c *cli) completeNames(cmd *cobra.Command) {
	for flag, names := range map[string]func(f *ast.File, imported []*ast.File) []string{
		"agent": completeAgents, "tool": completeTools, "approve": completeTools, "type": completeTypes,
	} {
		if cmd.LocalFlags().Lookup(flag) == nil {
			continue
		}
		c.completeFlagBy(cmd, flag, func(args []string) []string {
			if file := cmd.Flag("agent-file"); file != nil {
				args = []string{file.Value.String()}
			}
			if len(args) == 0 {
				return nil
			}
			u, err := c.loadInput(input{name: args[0]})
			if err != nil {
				return nil
			}
			return names(u.File, u.Trees())
		})
	}
	if cmd.LocalFlags().Lookup("model") != nil {
		c.completeFlagBy(cmd, "model", func([]string) (names []string) {
			for p, m := range c.models().All() {
				names = append(names, p.Name+"/"+m.ID)
			}
			return names
		})
	}
	for _, below := range cmd.Commands() {
		c.completeNames(below)
	}
}

func (c *cli) completeFlagBy(cmd *cobra.Command, flag string, values func(args []string) []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		return values(args), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic("gramc: " + err.Error())
	}
}

func completeAgents(f *ast.File, _ []*ast.File) (names []string) {
	for _, a := range compile.ResolveNames(f).Agents() {
		names = append(names, a.Name())
	}
	return names
}

func completeTools(f *ast.File, imported []*ast.File) (names []string) {
	for _, p := range compile.ResolveNames(f, imported...).Definitions() {
		if _, isTool := ast.AsTool(p); isTool {
			names = append(names, p.Identity())
		}
	}
	return names
}

func completeTypes(f *ast.File, _ []*ast.File) (names []string) {
	for _, p := range compile.ResolveNames(f).Definitions() {
		if ast.IsNamedType(p) {
			names = append(names, p.Identity())
		}
	}
	return names
}
