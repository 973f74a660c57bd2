package main

import (
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
	"github.com/gram-lang/gramc/runtime/host"
)

// carefully returns the tools of an agent. It warns when untrusted text could
// make the agent leak private data; then calls that send data out need approval.
func (c *cli) carefully(set *host.Set, agent *interp.Agent) runtime.Library {
	library, leak := set.Careful(needs([]*interp.Agent{agent}))
	if leak == nil {
		return library
	}
	list := func(names []string) string { return strings.Join(names, ", ") }
	text := fmt.Sprintf("warning: the agent %q reads private data (%s), reads untrusted text (%s) and sends data out (%s): "+
		"such text could make it leak the data", agent.Name, list(leak.Private), list(leak.Untrusted), list(leak.Outbound))
	if len(leak.Asked) > 0 {
		text += fmt.Sprintf("; so calls of %s need approval here, unless the library has approve: allow", list(leak.Asked))
	}
	c.note(cleanLine(text))
	return library
}
