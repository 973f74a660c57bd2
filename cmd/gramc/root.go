package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

const colors = "auto,always,never"

// rootCommand makes gramc with all its commands.
func (c *cli) rootCommand() *cobra.Command {
	root := command("gramc", nil, func(cmd *cobra.Command, _ []string) error {
		cmd.SetOut(c.err)
		if err := cmd.Help(); err != nil {
			return err
		}
		return exitSilently(exitUsage)
	})
	root.Version, root.SilenceErrors, root.SilenceUsage = versionLine(), true, true
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.PersistentFlags().Var(&c.color, "color", "colour messages: auto, always or never")
	root.SetFlagErrorFunc(flagError)
	completeFlag(root, "color", colors)
	root.AddCommand(command("language", nil, nil), c.argsCommand(), c.bindCommand(), c.builtinsCommand(), c.checkCommand(), c.compileCommand(),
		c.decompileCommand(), c.diffCommand(), c.explainCommand(), c.fmtCommand(), c.importCommand(), c.lockCommand(),
		c.parseCommand(), c.runCommand(), c.schemaCommand(), c.serveCommand(), c.versionCommand())
	c.completeNames(root)
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultCompletionCmd()
	refuseUnknownShells(root)
	return root
}

// helpCommand is cobra's, but takes a command that does not exist for wrong
// usage.
func helpCommand(root *cobra.Command) *cobra.Command {
	return command("help [COMMAND]", nil, func(_ *cobra.Command, names []string) error {
		cmd, _, err := root.Find(names)
		if err != nil {
			return err
		}
		cmd.InitDefaultHelpFlag()
		cmd.InitDefaultVersionFlag()
		return cmd.Help()
	})
}

// refuseUnknownShells makes completion without a shell, or with one that cobra
// does not know, an error.
func refuseUnknownShells(root *cobra.Command) {
	completion, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic("gramc: " + err.Error())
	}
	var shells []string
	for _, shell := range completion.Commands() {
		shells = append(shells, shell.Name())
	}
	completion.Use = "completion SHELL"
	completion.Args = cobra.ArbitraryArgs
	completion.RunE = func(_ *cobra.Command, args []string) error {
		which := "no shell is named"
		if len(args) > 0 {
			which = fmt.Sprintf("there is no completion for the shell %q", args[0])
		}
		return fmt.Errorf("%s; known are %s", which, strings.Join(shells, ", "))
	}
}
