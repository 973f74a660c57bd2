package host

import (
	"fmt"
	"net"
	"net/url"
	"slices"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/template"
)

// checkUntrusted reports a variable that is not trusted and decides what an
// entry runs, which folder it sees, or where it sends a secret that is trusted.
// A variable that came with downloaded files must not.
func (op *opener) checkUntrusted(e *library.Entry) error {
	var fixed, addresses, sent []library.Text
	for _, u := range e.VariableUses() {
		switch u.Place {
		case library.UseProgram, library.UseFolder:
			fixed = append(fixed, u.Text)
		case library.UseAddress:
			addresses = append(addresses, u.Text)
		case library.UseCredential:
			sent = append(sent, u.Text)
		}
	}
	for _, name := range untrustedVariables(fixed...) {
		if from := op.untrusted(name); from != "" {
			return fmt.Errorf("%s comes from %s, and decides what is run or which folder is seen; set it in the environment", name, from)
		}
	}
	for _, t := range addresses {
		if op.trustsLocal(t) {
			continue
		}
		head, rest := t.Template.CutHost()
		secrets := append(rest.Names(template.Environment), untrustedVariables(sent...)...)
		trusted := slices.IndexFunc(secrets, func(name string) bool { return op.untrusted(name) == "" })
		for _, name := range head.Names(template.Environment) {
			if from := op.untrusted(name); from != "" && trusted >= 0 {
				return fmt.Errorf("%s comes from %s, and decides where %s is sent; set it in the environment", name, from, secrets[trusted])
			}
		}
	}
	return nil
}

func untrustedVariables(texts ...library.Text) (names []string) {
	for _, t := range texts {
		names = append(names, t.Template.Names(template.Environment)...)
	}
	return names
}

// trustsLocal reports whether an address is one of this machine.
func (op *opener) trustsLocal(t library.Text) bool {
	address := t.Template.Expand(func(name string) string {
		value, _ := op.secrets.lookup(name)
		return value
	})
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
