package compat

import (
	"fmt"
	"slices"
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
	name := func(a *interp.Agent) string { return a.Name }
	if len(old) == 1 && len(new) == 1 {
		name = func(*interp.Agent) string { return "" }
	}
	return changesByName(old, new, name, agentChanges,
		func(a *interp.Agent) Change { return Change{Compatible, a.Name, "", "", "the agent is new"} },
		func(a *interp.Agent) Change {
			return Change{Breaking, a.Name, "", "", "the agent is gone; callers no longer find it"}
		})
}

// agentChanges compares two versions of an agent.
func agentChanges(old, new *interp.Agent) (list []Change) {
	report := func(class Class, path, format string, args ...any) {
		list = append(list, Change{Class: class, Path: path, Message: fmt.Sprintf(format, args...)})
	}
	if old.Name != new.Name {
		report(Breaking, "/name", "the agent is called %s now, and was %s; callers no longer find it by name", describeText(new.Name), describeText(old.Name))
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
	if was, is := agentTemperature(old), agentTemperature(new); was != is {
		report(Compatible, "/temperature", "%s; answers may differ", describeChanged("temperature", "the agent", was, is))
	}
	if old.MaxTokens != new.MaxTokens {
		class, text := contractLimitChange("limit of tokens", "the agent", old.MaxTokens, new.MaxTokens, "answers that used to fit may now be cut off")
		report(class, "/maxTokens", "%s", text)
	}
	if old.MaxIterations != new.MaxIterations {
		class, text := contractLimitChange("limit of requests", "the agent", old.MaxIterations, new.MaxIterations, "runs that used to finish may now be cut off")
		report(class, "/maxIterations", "%s", text)
	}
	list = append(list, agentBudgetChanges(old, new)...)
	list = append(list, agentReturnsChanges(old, new)...)
	list = append(list, contracts(old.Tools, new.Tools, Change{Class: Breaking, Message: "the tool is new, and libraries need it now"})...)
	for i := range list {
		list[i].Agent = new.Name
	}
	return list
}

// agentBudgetChanges compares what two versions of an agent may spend for one message.
func agentBudgetChanges(old, new *interp.Agent) []Change {
	list := slices.Concat(
		agentBudgetChange("/maxRequests", "budget of requests", old.Budget.Requests, new.Budget.Requests),
		agentBudgetChange("/maxTotalTokens", "budget of tokens", old.Budget.Tokens, new.Budget.Tokens),
		agentBudgetChange("/maxCost", "budget of cost", old.Budget.Cost, new.Budget.Cost),
		agentBudgetChange("/timeout", "timeout", old.Timeout, new.Timeout),
	)
	if old.OnOverflow != new.OnOverflow {
		list = append(list, Change{Class: Compatible, Path: "/onOverflow", Message: "onOverflow has changed; long conversations go on otherwise"})
	}
	return list
}

// agentBudgetChange compares one budget; 0 is none.
func agentBudgetChange[T ~int | ~int64](path, word string, old, new T) []Change {
	if old == new {
		return nil
	}
	class, text := contractLimitChange(word, "the agent", old, new, "runs that used to finish may now be cut off")
	if new == 0 {
		class, text = Compatible, "the agent has no "+word+" any more"
	}
	return []Change{{Class: class, Path: path, Message: text}}
}

func agentTemperature(a *interp.Agent) string {
	if a.Temperature == nil {
		return ""
	}
	return strconv.FormatFloat(*a.Temperature, 'g', -1, 64)
}

// agentReturnsChanges compares the types of the answers of two versions of an agent.
func agentReturnsChanges(old, new *interp.Agent) []Change {
	report := func(what string) []Change {
		return []Change{{Class: Breaking, Path: answersRole.path, Message: what + "; callers do not expect that"}}
	}
	switch {
	case len(old.Returns) == 0 && len(new.Returns) == 0:
		return nil
	case len(old.Returns) == 0:
		return report("the answers have a type now, and were text")
	case len(new.Returns) == 0:
		return report("the answers are text now, and had a type")
	}
	return reportSchemaChanges(old.Returns, new.Returns, answersRole)
}
