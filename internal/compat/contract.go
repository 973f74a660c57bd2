package compat

import (
	"cmp"
	"fmt"

	"github.com/gram-lang/gramc/runtime"
)

// Contracts returns what changed from the old tools to the new ones, for those
// who call them: in the order of the new ones, then those that are gone.
func Contracts(old, new []runtime.Contract) []Change {
	return contracts(old, new, Change{Class: Compatible, Message: "the tool is new"})
}

// contracts is Contracts, where added is what a new tool means.
func contracts(old, new []runtime.Contract, added Change) []Change {
	change := func(c Change, tool string) Change {
		c.Tool = tool
		return c
	}
	return changesByName(old, new, func(c runtime.Contract) string { return c.Name }, contractChanges,
		func(c runtime.Contract) Change { return change(added, c.Name) },
		func(c runtime.Contract) Change {
			return change(Change{Class: Breaking, Message: "the tool is gone"}, c.Name)
		})
}

// contractChanges compares two versions of a tool.
func contractChanges(old, new runtime.Contract) (list []Change) {
	report := func(class Class, path, message string) {
		list = append(list, Change{Class: class, Path: path, Message: message})
	}
	if old.Description != new.Description {
		report(Compatible, "/description", "the description has changed; the model reads another text")
	}
	list = append(list, reportSchemaChanges(old.Input, new.Input, inputRole)...)
	list = append(list, reportSchemaChanges(old.Output, new.Output, outputRole)...)
	if old.Timeout != new.Timeout {
		class, text := contractLimitChange("timeout", "the tool", old.Timeout, new.Timeout, "calls that took longer may fail now")
		report(class, "/timeout", text)
	}
	switch {
	case new.NoRetry && !old.NoRetry:
		report(Compatible, "/retryable", "the tool may not be called again after a failure now")
	case old.NoRetry && !new.NoRetry:
		report(Compatible, "/retryable", "the tool may be called again after a failure now")
	}
	if old.Repeat != new.Repeat {
		report(contractRepeatChange(old.Repeat, new.Repeat))
	}
	switch {
	case new.Strict && !old.Strict:
		report(Compatible, "/strict", "the provider enforces the schema now")
	case old.Strict && !new.Strict:
		report(Compatible, "/strict", "the provider does not enforce the schema any more")
	}
	for i := range list {
		list[i].Tool = new.Name
	}
	return list
}

// contractRepeatChange describes another repeat. A call that may be repeated now may have a
// second effect, where what does the work was made for one that is not. Who says nothing means once.
func contractRepeatChange(old, new runtime.Repeat) (class Class, path, message string) {
	text := describeChanged("repeat", "the tool", string(old), string(new))
	if is := cmp.Or(new, runtime.RepeatOnce); is.Stricter(cmp.Or(old, runtime.RepeatOnce)) != is {
		return Breaking, "/repeat", text + "; a call of unknown outcome may be made again now"
	}
	return Compatible, "/repeat", text
}

// contractLimitChange compares two limits, of which 0 is left to others.
func contractLimitChange[T ~int | ~int64](word, of string, old, new T, why string) (Class, string) {
	show := func(limit T) string {
		if limit == 0 {
			return ""
		}
		return fmt.Sprint(limit)
	}
	text := describeChanged(word, of, show(old), show(new))
	if old > 0 && new > old {
		return Compatible, text
	}
	return Breaking, text + "; " + why
}
