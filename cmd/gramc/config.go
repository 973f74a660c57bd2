package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"regexp"
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

// A dotenv is the content of a file .env:
//
//	# a comment
//	export OPENAI_API_KEY="sk-…"   # quotes are not part of the value
//	OPENAI_BASE_URL=http://localhost:8080/v1
//
// There are no variables inside values, and no value spans lines.
type dotenv struct {
	values map[string]string
	faults []string // "line 3: …"; they never contain a value
}

// The forms of a line: a setting, and of its value the quoted forms 'as it is'
// and "with \n escapes", and bare text.
const (
	settingForm = `^(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*(.*)$`
	quotedForm  = `^(?:'([^']*)'|"((?:[^"\\]|\\.)*)")(.*)$`
	commentForm = `(?:^|[ \t])#.*`
)

// parseDotenv reads the text of a file .env. Lines that it does not understand
// are faults and have no effect.
func parseDotenv(text string) dotenv {
	d := dotenv{values: map[string]string{}}
	form := regexp.MustCompile(settingForm)
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		parts := form.FindStringSubmatch(line)
		if parts == nil {
			d.faults = append(d.faults, fmt.Sprintf("line %d: a line is KEY=value", n))
			continue
		}
		value, err := settingValue(parts[2])
		if err != nil {
			d.faults = append(d.faults, fmt.Sprintf("line %d: %s: %v", n, parts[1], err))
			continue
		}
		d.values[parts[1]] = value
	}
	return d
}

func settingValue(text string) (string, error) {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return strings.TrimSpace(regexp.MustCompile(commentForm).ReplaceAllString(text, "")), nil
	}
	parts := regexp.MustCompile(quotedForm).FindStringSubmatch(text)
	if parts == nil {
		return "", errors.New("the quote is not closed on its line")
	}
	if rest := strings.TrimSpace(parts[3]); rest != "" && rest[0] != '#' {
		return "", errors.New("something follows the closing quote")
	}
	escapes := strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\\`, `\`, `\`, ``)
	return parts[1] + escapes.Replace(parts[2]), nil
}
