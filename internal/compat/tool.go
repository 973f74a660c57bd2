package compat

import "github.com/gram-lang/gramc/runtime"

// Contracts returns what changed from the old tools to the new ones, for those
// who call them: in the order of the new ones, then those that are gone.
func Contracts(old, new []runtime.Contract) []Change { return contracts(old, new, "") }

// contracts is Contracts, where a new tool is breaking for a reason, or not.
func contracts(old, new []runtime.Contract, needed string) []Change {
	var list []Change
	before := make(map[string]*runtime.Contract, len(old))
	for i := range old {
		before[old[i].Name] = &old[i]
	}
	kept := map[string]bool{}
	for i := range new {
		name := new[i].Name
		kept[name] = true
		switch was := before[name]; {
		case was != nil:
			list = append(list, contractChanges(was, &new[i])...)
		case needed != "":
			list = append(list, Change{Breaking, "", name, "", needed})
		default:
			list = append(list, Change{Compatible, "", name, "", "the tool is new"})
		}
	}
	for i := range old {
		if name := old[i].Name; !kept[name] {
			list = append(list, Change{Breaking, "", name, "", "the tool is gone"})
		}
	}
	return list
}

// contractChanges compares two versions of a tool.
func contractChanges(old, new *runtime.Contract) (list []Change) {
	report := func(class Class, path, message string) {
		list = append(list, Change{class, "", new.Name, path, message})
	}
	if old.Description != new.Description {
		report(Compatible, "/description", "the description has changed; the model reads another text")
	}
	list = append(list, compareSchemas(old.Input, new.Input, inputRole)...)
	list = append(list, compareSchemas(old.Output, new.Output, outputRole)...)
	for i := range list {
		list[i].Tool = new.Name
	}
	if old.Timeout != new.Timeout {
		text := changed("timeout", "the tool", timeout(old), timeout(new))
		if old.Timeout > 0 && new.Timeout > old.Timeout {
			report(Compatible, "/timeout", text)
		} else {
			report(Breaking, "/timeout", text+"; calls that took longer may fail now")
		}
	}
	flag := func(was, is bool, path, on, off string) {
		switch {
		case is && !was:
			report(Compatible, path, on)
		case was && !is:
			report(Compatible, path, off)
		}
	}
	flag(old.NoRetry, new.NoRetry, "/retryable",
		"the tool may not be called again after a failure now", "the tool may be called again after a failure now")
	flag(old.Strict, new.Strict, "/strict", "the provider enforces the schema now", "the provider does not enforce the schema any more")
	return list
}

func timeout(c *runtime.Contract) string {
	if c.Timeout == 0 {
		return ""
	}
	return c.Timeout.String()
}
