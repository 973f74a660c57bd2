package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/internal/spell"
)

const colors = "auto,always,never"

// rootCommand makes gramc with the commands that a command line needs: the one that
// it starts with, and else all of them.
func (c *cli) rootCommand(args []string) *cobra.Command {
	root := command("gramc", unknownCommand, func(cmd *cobra.Command, _ []string) error {
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
	root.PersistentFlags().StringArrayVar(&c.providerFiles, "providers", nil, "the providers of models in `FILE` are known too; may be repeated")
	if err := root.MarkPersistentFlagFilename("providers", "gram"); err != nil {
		panic("gramc: " + err.Error())
	}
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if len(c.providerFiles) > 0 {
			c.models()
		}
		return c.tableFault
	}
	commands := c.commands()
	if len(args) > 0 && commands[args[0]] != nil {
		root.CompletionOptions.DisableDefaultCmd = true
		root.AddCommand(commands[args[0]]())
		return root
	}
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		root.AddCommand(commands[name]())
	}
	c.completeNames(root)
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultCompletionCmd()
	refuseUnknownShells(root)
	return root
}

// commands returns what makes each command. Most of the time of a start would go into
// those that are not meant.
func (c *cli) commands() map[string]func() *cobra.Command {
	return map[string]func() *cobra.Command{
		"agents": guideCommand, "approve": c.approveCommand, "args": c.argsCommand, "bind": c.bindCommand, "builtins": c.builtinsCommand, "check": c.checkCommand,
		"compare": c.compareCommand, "compile": c.compileCommand, "decompile": c.decompileCommand, "deny": c.denyCommand, "diff": c.diffCommand,
		"doctor": c.doctorCommand, "explain": c.explainCommand, "fmt": c.fmtCommand,
		"import": c.importCommand, "init": c.initCommand, "language": func() *cobra.Command { return command("language", nil, nil) },
		"lock": c.lockCommand, "models": c.modelsCommand, "parse": c.parseCommand, "resume": c.resumeCommand, "run": c.runCommand, "schema": c.schemaCommand,
		"serve": c.serveCommand, "sessions": c.sessionsCommand, "test": c.testCommand, "trace": c.traceCommand, "version": c.versionCommand,
	}
}

// helpCommand is cobra's, but takes a command that does not exist for wrong
// usage.
func helpCommand(root *cobra.Command) *cobra.Command {
	return command("help [COMMAND]", nil, func(_ *cobra.Command, names []string) error {
		cmd, rest, err := root.Find(names)
		if err != nil {
			return err
		}
		if cmd == root {
			if err := unknownCommand(root, rest); err != nil {
				return err
			}
		}
		cmd.InitDefaultHelpFlag()
		cmd.InitDefaultVersionFlag()
		return cmd.Help()
	})
}

// unknownCommand refuses what is no command: a misspelt one, or a file.
func unknownCommand(root *cobra.Command, words []string) error {
	if len(words) == 0 {
		return nil
	}
	word := words[0]
	if _, err := os.Stat(word); err == nil || strings.HasSuffix(word, ".gram") {
		return fmt.Errorf("%q is no command; gramc check %[1]s checks the file, and gramc run %[1]s MESSAGE runs its agent", word)
	}
	var names []string
	for _, cmd := range root.Commands() {
		names = append(names, cmd.Name())
	}
	if near := spell.Nearest(word, names); near != "" {
		return fmt.Errorf("there is no command %q; did you mean %s?", word, near)
	}
	return fmt.Errorf("there is no command %q; gramc --help lists them", word)
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
