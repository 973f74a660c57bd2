package main

import "strings"

// withoutSecrets puts the names of variables in the place of the secrets of libraries
// and of the keys of models.
func (r *runner) withoutSecrets(text string) string {
	if r.tools != nil {
		text = r.tools.Redact(text)
	}
	return r.withoutKeys(text)
}

// withoutKeys puts the names of variables in the place of the keys of models.
func (c *cli) withoutKeys(text string) string {
	c.readKeys.Do(func() { c.keys = c.secretKeys() })
	return c.keys.Replace(text)
}

// secretKeys returns what hides the keys of all providers.
func (c *cli) secretKeys() *strings.Replacer {
	config := c.readConfig()
	return c.models().HidingKeys(func(variable string) string { return config.first(variable).value })
}
