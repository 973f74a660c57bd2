package main

import (
	"errors"
	"io/fs"

	"github.com/gram-lang/gramc/internal/workspace"
)

// A config looks up variables in the environment, and then in the file .env.
type config struct {
	lookup func(variable string) (string, bool)
	file   dotenv
}

// readConfig reads the file .env, if there is one, and warns of lines that it
// cannot read.
func (c *cli) readConfig() *config {
	text, err := workspace.ReadFile(dotenvName)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			c.note("warning: " + dotenvName + " is not read: " + bareInputError(err).Error())
		}
		return &config{lookup: c.lookup}
	}
	c.filesRead.Store(dotenvName, true)
	file := parseDotenv(text)
	for _, fault := range file.faults {
		c.note("warning: " + dotenvName + ": " + fault + "; the line is skipped")
	}
	return &config{c.lookup, file}
}

// A setting is a value and where it comes from.
type setting struct {
	variable string
	value    string
	fromFile bool
}

// first returns the first of the variables that is set. The environment takes
// precedence, also where it sets a variable to the empty string.
func (c *config) first(variables ...string) setting {
	for _, v := range variables {
		if value, ok := c.lookup(v); ok {
			return setting{v, value, false}
		}
	}
	for _, v := range variables {
		if value, ok := c.file.values[v]; ok {
			return setting{v, value, true}
		}
	}
	return setting{}
}
