package host

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/template"
)

// checkUntrusted reports a variable that is not trusted and decides what an
// entry runs, which folder it sees, or where it sends a secret that is trusted.
// A variable that came with downloaded files must not.
func (op *opener) checkUntrusted(e *library.Entry) error {
	var fixed, addresses, sent []library.Text
	values := func(list []library.Variable) {
		for _, v := range list {
			sent = append(sent, v.Value)
		}
	}
	switch e.Kind {
	case library.EntryCommand:
		fixed = append(slices.Clone(e.Command.Run), e.Command.Dir)
	case library.EntryMCP:
		fixed = append(slices.Clone(e.MCP.Command), e.MCP.Dir)
		addresses = append(addresses, e.MCP.URL)
		values(e.MCP.Headers)
	case library.EntryHTTP:
		addresses = append(addresses, e.HTTP.URL)
		values(e.HTTP.Headers)
	case library.EntryBuiltin:
		fixed = append(fixed, e.Builtin.Root)
		addresses = append(addresses, e.Builtin.URL)
		sent = append(sent, e.Builtin.Key, e.Builtin.ID)
	}
	for _, t := range fixed {
		for _, name := range t.Template.Names(template.Environment) {
			if from := op.untrusted(name); from != "" {
				return fmt.Errorf("%s comes from %s, and decides what is run or which folder is seen; set it in the environment", name, from)
			}
		}
	}
	for _, t := range addresses {
		head, rest := headOf(t.Template)
		if op.isLocal(t) {
			continue
		}
		secrets := rest.Names(template.Environment)
		for _, other := range sent {
			secrets = append(secrets, other.Template.Names(template.Environment)...)
		}
		for _, name := range head.Names(template.Environment) {
			from := op.untrusted(name)
			trusted := slices.IndexFunc(secrets, func(secret string) bool { return op.untrusted(secret) == "" })
			if from != "" && trusted >= 0 {
				return fmt.Errorf("%s comes from %s, and decides where %s is sent; set it in the environment", name, from, secrets[trusted])
			}
		}
	}
	return nil
}

// headOf cuts an address behind the part in which its host ends.
func headOf(t template.Template) (head, rest template.Template) {
	before := ""
	for i, p := range t {
		switch p.Kind {
		case template.Literal:
			before += p.Text
		case template.Environment:
			before += "$"
		}
		_, host, found := strings.Cut(before, "://")
		if !found && strings.HasPrefix(before, "$") {
			host = before
		}
		if strings.ContainsAny(host, "/?#") {
			return t[:i], t[i:]
		}
	}
	return t, nil
}

// isLocal reports whether an address is one of this machine.
func (op *opener) isLocal(t library.Text) bool {
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
