package main

import (
	"errors"
	"io/fs"
	"net"
	"net/url"
	"strings"

	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/openai"
)

// dotenvName is the file in the working directory that adds to the
// environment.
const dotenvName = ".env"

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
			c.note("warning: " + dotenvName + " is not read: " + bare(err).Error())
		}
		return &config{lookup: c.lookup}
	}
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

// modelOptions returns how to reach a provider. A base URL of the command line
// takes precedence over that of the environment.
func (c *config) modelOptions(provider, baseURL string) (openai.Options, error) {
	key := c.first(openai.KeyVariables(provider)...)
	o := openai.Options{Provider: provider, APIKey: key.value, BaseURL: baseURL}
	if baseURL != "" {
		return o, nil
	}
	base := c.first(strings.ToUpper(provider) + "_BASE_URL")
	if base.fromFile && !key.fromFile && key.value != "" && !isLoopback(base.value) {
		// A .env that was downloaded with other files must not send the user's
		// key to an unknown server.
		return o, runtime.Errorf(runtime.KindConfiguration,
			"%s comes from the file %s, but %s does not: to send this key to %s, use --base-url",
			base.variable, dotenvName, key.variable, base.value)
	}
	o.BaseURL = base.value
	return o, nil
}

// isLoopback reports whether a URL is on this machine.
func isLoopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
