package compat

import (
	"fmt"
	"strconv"

	"github.com/gram-lang/gramc/interp"
)

// Agents returns what changed from the old agents of a file to the new ones: in
// the order of the new ones, then those that are gone; of each the agent
// itself first, then its tools. Where there is one agent, old and new, it is
// the same one, whatever it is called.
//
// The tools of an agent must be in its library. A new one breaks every library that
// lacks it, and a removed one changes the agent's answers, so both are [Breaking].
func Agents(old, new []*interp.Agent) []Change {
	var list []Change
	before := make(map[string]*interp.Agent, len(old))
	for _, a := range old {
		before[a.Name] = a
	}
	if len(old) == 1 && len(new) == 1 {
		before[new[0].Name] = old[0]
	}
	kept := map[*interp.Agent]bool{}
	for _, a := range new {
		was := before[a.Name]
		if was == nil {
			list = append(list, Change{Compatible, a.Name, "", "", "the agent is new"})
			continue
		}
		kept[was] = true
		list = append(list, agentChanges(was, a)...)
	}
	for _, a := range old {
		if !kept[a] {
			list = append(list, Change{Breaking, a.Name, "", "", "the agent is gone; callers no longer find it"})
		}
	}
	return list
}

// agentChanges compares two versions of an agent.
func agentChanges(old, new *interp.Agent) (list []Change) {
	report := func(class Class, path, format string, args ...any) {
		list = append(list, Change{class, new.Name, "", path, fmt.Sprintf(format, args...)})
	}
	if old.Name != new.Name {
		report(Breaking, "/name", "the agent is called %s now, and was %s; callers no longer find it by name", showText(new.Name), showText(old.Name))
	}
	if old.Description != new.Description {
		report(Compatible, "/description", "the description has changed")
	}
	if old.Model != new.Model {
		report(Compatible, "/model", "the model is %s now, and was %s; answers may differ", new.Model, old.Model)
	}
	if old.Instruction != new.Instruction {
		report(Compatible, "/instruction", "the instruction has changed; the model reads another text")
	}
	if was, is := temperature(old), temperature(new); was != is {
		report(Compatible, "/temperature", "%s; answers may differ", changed("temperature", "the agent", was, is))
	}
	if old.MaxTokens != new.MaxTokens {
		class, text := limitChange("limit of tokens", old.MaxTokens, new.MaxTokens, "answers that used to fit may now be cut off")
		report(class, "/maxTokens", "%s", text)
	}
	if old.MaxIterations != new.MaxIterations {
		class, text := limitChange("limit of requests", old.MaxIterations, new.MaxIterations, "runs that used to finish may now be cut off")
		report(class, "/maxIterations", "%s", text)
	}
	list = append(list, returnsChanges(old, new)...)
	for _, c := range contracts(old.Tools, new.Tools, "the tool is new, and libraries need it now") {
		c.Agent = new.Name
		list = append(list, c)
	}
	return list
}

func temperature(a *interp.Agent) string {
	if a.Temperature == nil {
		return ""
	}
	return strconv.FormatFloat(*a.Temperature, 'g', -1, 64)
}

// limitChange compares two limits, of which 0 is left to others.
func limitChange(word string, old, new int, why string) (Class, string) {
	text := changed(word, "the agent", limitText(old), limitText(new))
	if old > 0 && new > old {
		return Compatible, text
	}
	return Breaking, text + "; " + why
}

func limitText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// returnsChanges compares the types of the answers of two versions of an agent.
func returnsChanges(old, new *interp.Agent) []Change {
	report := func(what string) []Change {
		return []Change{{Breaking, new.Name, "", answersRole.path, what + "; callers do not expect that"}}
	}
	switch {
	case len(old.Returns) == 0 && len(new.Returns) == 0:
		return nil
	case len(old.Returns) == 0:
		return report("the answers have a type now, and were text")
	case len(new.Returns) == 0:
		return report("the answers are text now, and had a type")
	}
	list := compareSchemas(old.Returns, new.Returns, answersRole)
	for i := range list {
		list[i].Agent = new.Name
	}
	return list
}
