package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/workspace"
)

// models returns the table of providers and models: the built-in one with what the user
// has added, in the configuration and with --providers. What cannot be read of the
// configuration is noted once.
func (c *cli) models() *models.Table {
	c.readTable.Do(func() {
		c.table = models.Builtin()
		note := func(name string, err error) {
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				c.note(fmt.Sprintf("warning: %s is not used: %v", name, bareInputError(err)))
			}
		}
		if file := workspace.UserFile(workspace.UserProviders); file != "" {
			note(file, c.addProviders(file))
		}
		for _, name := range c.providerFiles {
			switch err := c.addProviders(name); {
			case errors.Is(err, errWrongProviders):
				c.tableFault = exitSilently(exitProblems)
			case err != nil:
				c.tableFault = unusableInput(name, err)
			}
		}
		if file := workspace.UserFile(workspace.UserModels); file != "" {
			var err error
			c.table, err = workspace.AddUserModels(c.table)
			note(file, err)
		}
		c.table = c.table.WithOwnAddress(c.ownAddresses()...)
	})
	return c.table
}

var errWrongProviders = errors.New("there are errors in it")

// addProviders adds the providers of a file to the table, and shows what is wrong with
// them. With errors it adds none.
func (c *cli) addProviders(name string) error {
	list, problems, err := workspace.ReadUserProviders(name)
	if err != nil {
		return err
	}
	c.filesRead.Store(name, true)
	problems = c.judge(problems)
	if err := c.show(problems, diag.Warning); err != nil {
		return err
	}
	if problems.HasErrors() {
		return errWrongProviders
	}
	c.table = c.table.With(list...)
	return nil
}
