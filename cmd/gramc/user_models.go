package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/workspace"
)

// The files of the user's own configuration. Nothing in a project, an environment file of
// it included, can name others: they decide where keys are sent.
const (
	userProviders = "providers.gram" // providers, as in a file of --providers
	userModels    = "models.json"    // what gramc models --import has read
)

// userFile returns the path of a file of the user's configuration; "" where the system
// has no place for it.
func userFile(name string) string {
	folder, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "gramc", name)
}

// models returns the table of providers and models: the built-in one with what the user
// has added. What cannot be read of that is noted once.
func (c *cli) models() *models.Table {
	c.readTable.Do(func() {
		c.table = models.Builtin()
		if path := userFile(userProviders); path != "" {
			if err := c.addProviders(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				c.note(fmt.Sprintf("warning: %s is not used: %v", path, bareInputError(err)))
			}
		}
		for _, name := range c.providerFiles {
			switch err := c.addProviders(name); {
			case errors.Is(err, errWrongProviders):
				c.tableFault = exitSilently(exitProblems)
			case err != nil:
				c.tableFault = unusableInput(name, err)
			}
		}
		if err := c.addImportedModels(); err != nil && !errors.Is(err, fs.ErrNotExist) {
			c.note(fmt.Sprintf("warning: %s is not used: %v", userFile(userModels), bareInputError(err)))
		}
	})
	return c.table
}

var errWrongProviders = errors.New("there are errors in it")

// addProviders adds the providers of a file to the table, and shows what is wrong with
// them. With errors it adds none.
func (c *cli) addProviders(name string) error {
	text, err := workspace.ReadFile(name)
	if err != nil {
		return err
	}
	c.filesRead.Store(name, true)
	u, err := c.loadInput(input{name, true, text})
	if err != nil {
		return err
	}
	list, problems := compile.Providers(u.File, nil)
	problems = c.judge(append(u.Problems[:len(u.Problems):len(u.Problems)], problems...))
	if err := c.show(problems, diag.Warning); err != nil {
		return err
	}
	if problems.HasErrors() {
		return errWrongProviders
	}
	c.table = c.table.With(list...)
	return nil
}

// addImportedModels adds the models that were imported to the table.
func (c *cli) addImportedModels() error {
	path := userFile(userModels)
	if path == "" {
		return nil
	}
	text, err := workspace.ReadFile(path)
	if err != nil {
		return err
	}
	var list []models.Provider
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return errors.New("it is not what gramc models --import writes; import again")
	}
	for i := range list { // facts of models alone
		list[i] = models.Provider{Name: list[i].Name, Models: list[i].Models}
		if _, ok := c.table.Provider(list[i].Name); ok {
			c.table = c.table.With(list[i])
		}
	}
	return nil
}
