package main

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gram-lang/gramc/internal/provider"
	"github.com/gram-lang/gramc/internal/spell"
	"github.com/gram-lang/gramc/runtime"
)

// addExpressionFlag adds the flag -e.
func addExpressionFlag(cmd *cobra.Command, what string) {
	cmd.Flags().StringP("expression", "e", "", what)
}

// addOutputFlag adds the flag -o.
func addOutputFlag(cmd *cobra.Command, output *string, instead string) {
	cmd.Flags().StringVarP(output, "output", "o", "", "write to this file instead of "+instead)
}

// addLibraryFlag adds the flag --library.
func addLibraryFlag(cmd *cobra.Command, names *[]string, what string) {
	cmd.Flags().StringArrayVar(names, "library", nil, what)
	if err := cmd.MarkFlagFilename("library", "gram"); err != nil {
		panic("gramc: " + err.Error())
	}
}

// addStrictFlags adds the flags for how strictly files are checked.
func (c *cli) addStrictFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.strict, "strict", false, "report warnings as errors")
	c.addStrictGramFlag(cmd)
}

// addStrictGramFlag adds the flag --strict-gram.
func (c *cli) addStrictGramFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&c.strictGram, "strict-gram", false, "report extensions of gramc to gram as errors, such as arrays in arrays")
}

// A flagChoice is the value of a flag that is one of a few words.
type flagChoice struct {
	value string
	of    string // the words, separated by commas
}

// add adds the flag with its words as completions.
func (c *flagChoice) add(cmd *cobra.Command, flag, what string) {
	cmd.Flags().Var(c, flag, what)
	completeFlag(cmd, flag, c.of)
}

// completeFlag lets the shell complete a flag with one of a few words.
func completeFlag(cmd *cobra.Command, flag, words string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(strings.Split(words, ","), cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic("gramc: " + err.Error())
	}
}

// String returns the word.
func (c *flagChoice) String() string { return c.value }

// Set takes a word of the choice.
func (c *flagChoice) Set(word string) error {
	if !slices.Contains(strings.Split(c.of, ","), word) {
		return fmt.Errorf("it is one of %s", strings.ReplaceAll(c.of, ",", ", "))
	}
	c.value = word
	return nil
}

// Type returns the words as help shows them.
func (c *flagChoice) Type() string { return strings.ReplaceAll(c.of, ",", "|") }

// flagError describes what is wrong with a flag.
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
		if unknown.GetSpecifiedName() == "offline" && (cmd.Name() == "test" || cmd.Name() == "compare") {
			return fmt.Errorf("%w; a test with model: offline in its record asks no model", err)
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

// targetFlag returns the value of the flag --target.
func targetFlag() *flagChoice {
	var names []string
	for _, t := range provider.AllTargets() {
		names = append(names, string(t))
	}
	return &flagChoice{string(provider.Plain), strings.Join(names, ",")}
}

// A bindMode is the flag --bind.
type bindMode struct{ flagChoice }

func (m *bindMode) addFlag(cmd *cobra.Command) {
	m.flagChoice = flagChoice{"compatible", "compatible,strict,name"}
	m.add(cmd, "bind", "how well tools must fit: compatible takes every call of the agent, strict has an equal schema, name has the same name")
}

func (m *bindMode) mode() runtime.BindMode {
	return map[string]runtime.BindMode{"strict": runtime.BindStrict, "name": runtime.BindName}[m.value]
}

// checkURLFlag refuses what cannot be a base URL.
func checkURLFlag(base string) error {
	u, err := url.Parse(base)
	switch {
	case base == "":
		return nil
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("--base-url is no URL; it looks like http://127.0.0.1:8080/v1")
	case strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions"):
		return errors.New("--base-url must not include /chat/completions; gramc adds it")
	}
	return nil
}
