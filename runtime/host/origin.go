package host

import (
	"cmp"
	"fmt"
	"time"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/runtime"
)

// An Origin is where a tool comes from.
type Origin struct {
	Library *library.Library // nil for a tool that is there without a library
	Entry   *library.Entry
}

// String returns the kind and the name of the entry, or gramc.
func (o Origin) String() string {
	if o.Entry == nil {
		return "gramc"
	}
	return fmt.Sprintf("%s %s", o.Entry.Kind, o.Entry.Name)
}

// timeout returns how long a call may take, 0 where nothing is said.
func (o Origin) timeout() time.Duration {
	return time.Duration(cmp.Or(o.Entry.TimeoutMS, o.Library.TimeoutMS)) * time.Millisecond
}

// settle applies the settings that the entry and its library have for every tool.
func (o Origin) settle(c *runtime.ToolConfig) {
	c.Timeout = cmp.Or(o.timeout(), c.Timeout)
	if o.Entry.Retryable != nil {
		c.NoRetry = !*o.Entry.Retryable
	}
	c.Repeat = cmp.Or(runtime.Repeat(o.Entry.Repeat), c.Repeat)
	if o.Entry.Parallel != nil {
		c.Concurrent = *o.Entry.Parallel
	}
	for _, rule := range o.Entry.Rules {
		args := make(map[string]string, len(rule.Arguments))
		for _, m := range rule.Arguments {
			args[m.Argument] = m.Pattern
		}
		c.Approval.Rules = append(c.Approval.Rules, runtime.ApprovalRule{Args: args, Then: runtime.Decision(rule.Approve)})
	}
	switch {
	case o.Entry.Approve != "":
		c.Approval.Default = runtime.Decision(o.Entry.Approve)
	case o.Library.Approve != "":
		c.Approval.Default = runtime.Decision(o.Library.Approve)
	}
}
