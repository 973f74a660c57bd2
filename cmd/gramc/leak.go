package main

import (
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
)

// carefully returns the tools of an agent. It warns when the agent can be
// talked into giving away what it knows; then calls that send data to the
// outside need approval.
func (c *cli) carefully(set *host.Set, agent *interp.Agent) runtime.Library {
	library, leak := set.Careful(needs([]*interp.Agent{agent}))
	if leak == nil {
		return library
	}
	list := func(names []string) string { return strings.Join(names, ", ") }
	text := fmt.Sprintf("warning: the agent %q reads private data (%s), takes in text of strangers (%s) and sends data to the outside (%s): "+
		"such a text can make it give the data away", agent.Name, list(leak.Private), list(leak.Untrusted), list(leak.Outbound))
	if len(leak.Asked) > 0 {
		text += fmt.Sprintf("; so calls of %s need approval here, unless the library says approve: allow", list(leak.Asked))
	}
	c.note(cleanLine(text))
	return library
}
