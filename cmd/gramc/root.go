package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gram-lang/gramc/internal/spell"
)

// rootCommand makes gramc with all its commands.
func (c *cli) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "gramc",
		Short: "Check, compile and run agents written in gram",
		Long: `gramc checks, compiles and runs agents that are written in gram.

A gram file describes an agent: its instruction, its model, and the tools that
it may call. Try one without a key and without a network:

  gramc run --offline examples/hello.gram "Hello, I am Ada"

With a key for the model, in the environment or in a file .env, it is

  OPENAI_API_KEY=… gramc run examples/hello.gram "Hello, I am Ada"

A file "-" is standard input. Results go to standard output, everything else to
standard error. The exit code is 0 when all is well, 1 when the file has errors
or arguments do not fit, 2 for wrong usage or an unreadable file, 3 when a run
failed, 70 for a bug of gramc, and 130 after Ctrl-C.`,
		Version:       readVersion().String(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(c.err)
			if err := cmd.Help(); err != nil {
				return err
			}
			return exitSilently(exitUsage)
		},
	}
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.PersistentFlags().Var(&c.color, "color", "colour messages: auto, always or never")
	root.SetFlagErrorFunc(flagError)
	complete(root, "color", colors)
	root.AddCommand(languageTopic(), c.argsCommand(), c.bindCommand(), c.checkCommand(), c.compileCommand(), c.decompileCommand(), c.diffCommand(),
		c.explainCommand(), c.fmtCommand(), c.importCommand(), c.lockCommand(), c.parseCommand(), c.runCommand(), c.schemaCommand(), c.serveCommand(),
		c.versionCommand())
	root.SetHelpCommand(helpCommand(root))
	root.InitDefaultCompletionCmd()
	refuseUnknownShells(root)
	return root
}

// helpCommand is cobra's, but takes a command that does not exist for wrong
// usage.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show how a command is used",
		Long:  "help shows what gramc can do, or how one of its commands is used.",
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, _, err := root.Find(args)
			if err != nil {
				return err
			}
			cmd.InitDefaultHelpFlag()
			cmd.InitDefaultVersionFlag()
			return cmd.Help()
		},
	}
}

// refuseUnknownShells makes completion without a shell, or with one that cobra
// does not know, an error.
func refuseUnknownShells(root *cobra.Command) {
	i := slices.IndexFunc(root.Commands(), func(cmd *cobra.Command) bool { return cmd.Name() == "completion" })
	completion := root.Commands()[i]
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

// complete lets the shell complete a flag with one of a few words.
func complete(cmd *cobra.Command, flag, words string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(strings.Split(words, ","), cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic("gramc: " + err.Error())
	}
}

// flagError says in words what is wrong with a flag.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := spell.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			return fmt.Errorf("%w; did you mean --%s?", err, near)
		}
		if unknown.GetSpecifiedShortnames() != "" {
			return fmt.Errorf("%w; put -- before a message that starts with a dash", err)
		}
	case errors.As(err, &invalid):
		f, value := invalid.GetFlag(), invalid.GetValue()
		switch f.Value.Type() {
		case "int":
			return fmt.Errorf("--%s must be a whole number; it is %q", f.Name, value)
		case "duration":
			return fmt.Errorf("--%s must be a time, such as 30s or 2m; it is %q", f.Name, value)
		}
	}
	return err
}

// A choice is the value of a flag that is one of a few words.
type choice struct {
	value string
	of    string // the words, separated by commas
}

const colors = "auto,always,never"

// String returns the word.
func (c *choice) String() string { return c.value }

// Set takes a word of the choice.
func (c *choice) Set(word string) error {
	if !slices.Contains(strings.Split(c.of, ","), word) {
		return fmt.Errorf("it is one of %s", strings.ReplaceAll(c.of, ",", ", "))
	}
	c.value = word
	return nil
}

// Type returns the words as help shows them.
func (c *choice) Type() string { return strings.ReplaceAll(c.of, ",", "|") }
