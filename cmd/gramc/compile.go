package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
)

func (c *cli) compileCommand() *cobra.Command {
	var how strictness
	var output string
	cmd := &cobra.Command{
		Use:   "compile [FILE]",
		Short: "Compile the agents of a gram file to JSON",
		Long: `compile checks a gram file and writes the agents in it as JSON: each with its
model, its instruction and its tools, and each tool with the JSON Schema of its
arguments. gramc run takes such a file as it takes the gram file.

With errors in the file nothing is written, and a file of -o stays as it is.`,
		Example: `  gramc compile agent.gram -o agent.json`,
		Args:    oneFile,
		RunE: func(cmd *cobra.Command, files []string) error {
			inputs, err := c.inputs(cmd, files)
			if err != nil {
				return err
			}
			if err := mustDiffer(inputs[0].name, output); err != nil {
				return err
			}
			program, err := c.compile(inputs[0], &how)
			if err != nil {
				return err
			}
			if output == "" || output == "-" {
				return c.writeData(program.JSON())
			}
			if err := writeFile(output, program.JSON()); err != nil {
				return &exit{exitUsage, fmt.Errorf("%s: %w", output, bare(err))}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "write to this file instead of standard output")
	how.addFlags(cmd)
	return cmd
}

// compile reads and compiles a gram file and shows what is wrong with it.
func (c *cli) compile(in input, how *strictness) (*compile.Program, error) {
	file, problems, err := c.parse(in)
	if err != nil {
		return nil, err
	}
	var program *compile.Program
	if problems.HasErrors() {
		problems = examine(file, problems, how.options())
	} else {
		program, problems = compile.File(file, how.options())
	}
	problems = how.judge(problems)
	if err := c.show(problems, diag.Warning); err != nil {
		return nil, err
	}
	if program == nil || problems.HasErrors() {
		return nil, told(exitProblems)
	}
	return program, nil
}

// mustDiffer keeps a file from being overwritten by what is made from it.
func mustDiffer(in, out string) error {
	from, err := os.Stat(in)
	if err != nil {
		return nil // reading it will tell
	}
	if to, err := os.Stat(out); err == nil && os.SameFile(from, to) {
		return fmt.Errorf("-o %s would overwrite the file that is read", out)
	}
	return nil
}

// writeFile writes a file in one step: a reader finds the old text or the new,
// and never a half. A device or a pipe is written as it is.
func writeFile(name string, data []byte) error {
	mode, old := os.FileMode(0o666), false
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	if info, err := os.Stat(name); err == nil {
		if info.IsDir() {
			return errors.New("is a directory; name a file in it")
		}
		if !info.Mode().IsRegular() {
			return os.WriteFile(name, data, mode)
		}
		mode, old = info.Mode().Perm(), true
	}
	temp := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d.tmp", filepath.Base(name), os.Getpid()))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if old {
		err = errors.Join(err, f.Chmod(mode)) // whatever the umask is now
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}
