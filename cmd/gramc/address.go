package main

import (
	"net/url"
	"strings"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/models"
)

// isOwnAddress reports whether an address is one that the provider has for everybody.
func isOwnAddress(p *models.Provider, base string) bool {
	base = strings.TrimRight(base, "/")
	return base == p.Address || base == p.ChatBase()
}

// isLoopbackAddress reports whether a URL certainly leads to this machine.
func isLoopbackAddress(base string) bool {
	u, err := url.Parse(base)
	return err == nil && library.IsThisMachine(u.Host)
}

// ownAddresses returns the providers for which the user has another address: all with
// --base-url, and those that the environment has one for.
func (c *cli) ownAddresses() (names []string) {
	list := c.table.Providers()
	for i := range list {
		if address, _ := c.lookup(list[i].AddressVariable); address != "" || c.baseURL != "" {
			names = append(names, list[i].Name)
		}
	}
	return names
}
