package diag

// agentEntries are those of agents.
func agentEntries() []Entry {
	return []Entry{{
		Code: CodeNoAgent, Severity: Error,
		Title: "Nothing in the file is an agent.",
		Explanation: "To compile or run a file it needs an agent: a pattern in square brackets with the label Agent. " +
			"A file of only tools or only data is fine to check.",
		Wrong: `(greeter:Agent {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"})`,
		Right: `[greeter:Agent {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
	}, {
		Code: CodeMultipleAgents, Severity: Error,
		Title: "The file has several agents, and a run needs one.",
		Explanation: "Which of them is meant cannot be guessed. Name one: gramc run --agent NAME. " +
			"Nothing is wrong with the file itself.",
		Wrong: "[greeter:Agent {instruction: \"Greet people.\", model: \"OpenAI/gpt-4o-mini\"}]\n" +
			"[poet:Agent {instruction: \"Answer in verse.\", model: \"OpenAI/gpt-4o-mini\"}]",
		Right: `[greeter:Agent {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
	}, {
		Code: CodeUnknownAgent, Severity: Error,
		Title: "The file has no agent of the name that was asked for.",
		Explanation: "gramc run --agent names an agent that is not there. The message lists those that are; " +
			"the case of letters counts.",
		Unshown: "it depends on the name on the command line, not on the text",
	}, {
		Code: CodeMissingAgentLabel, Severity: Warning,
		Title: "A pattern looks like an agent but is not labelled Agent.",
		Explanation: "It has an instruction and a model, so it was probably meant as an agent. " +
			"Without the label it is only data, and nothing can run it. Write :Agent behind its name.",
		Wrong: `[greeter:Agnt {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
		Right: `[greeter:Agent {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
	}, {
		Code: CodeMissingAgentName, Severity: Error,
		Title: "An agent has no name.",
		Explanation: "An agent is chosen and shown by its name, which stands before the label. " +
			"A name property does as well, with a warning, for older files.",
		Wrong: `[:Agent {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
		Right: `[greeter:Agent {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
	}, {
		Code: CodeConflictingName, Severity: Error,
		Title: "Something has two names that differ.",
		Explanation: "An agent has its name before the label and may repeat it as a property, but both must be the same, " +
			"or nobody knows how to refer to it. Remove the property. " +
			"A parameter with paramName is called by that name; this is only a hint.",
		Wrong: `[greeter:Agent {name: "host", instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
		Right: `[greeter:Agent {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
	}, {
		Code: CodeMissingInstruction, Severity: Error,
		Title: "An agent has no instruction.",
		Explanation: "The instruction is what the model is told before all messages; without it there is no agent. " +
			"Add the property instruction, or mend its spelling.",
		Wrong: `[greeter:Agent {model: "OpenAI/gpt-4o-mini"}]`,
		Right: `[greeter:Agent {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
	}, {
		Code: CodeEmptyInstruction, Severity: Error,
		Title:       "The instruction of an agent is empty.",
		Explanation: "An instruction of nothing, or of blanks, tells the model nothing. Say what the agent is for.",
		Wrong:       `[greeter:Agent {instruction: " ", model: "OpenAI/gpt-4o-mini"}]`,
		Right:       `[greeter:Agent {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
	}, {
		Code: CodeInvalidInstruction, Severity: Error,
		Title:       "The instruction of an agent is not text.",
		Explanation: "An instruction is text in quotes, or between ``` fences when it has several lines. Put it in quotes.",
		Wrong:       `[greeter:Agent {instruction: Greet, model: "OpenAI/gpt-4o-mini"}]`,
		Right:       `[greeter:Agent {instruction: "Greet", model: "OpenAI/gpt-4o-mini"}]`,
	}, {
		Code: CodeInvalidDescription, Severity: Error,
		Title: "A description is not text.",
		Explanation: "The description of an agent, a parameter, a field or a result is text that people and models read. " +
			"Put it in quotes.",
		Wrong: `[greeter:Agent {description: Greeter, instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
		Right: `[greeter:Agent {description: "Greeter", instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
	}, {
		Code: CodeMissingModel, Severity: Error,
		Title: "An agent has no model.",
		Explanation: "The model says which language model answers, and who serves it. " +
			"Add the property model with a provider and an id, such as \"OpenAI/gpt-4o-mini\".",
		Wrong: `[greeter:Agent {instruction: "Greet people."}]`,
		Right: `[greeter:Agent {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
	}, {
		Code: CodeInvalidModel, Severity: Error,
		Title: "The model of an agent is none that can be asked.",
		Explanation: "A model is text of the form \"Provider/id\", where the provider is OpenAI, Anthropic or Google. " +
			"An id without provider is taken as one of OpenAI.",
		Wrong: `[greeter:Agent {instruction: "Greet people.", model: "OpenIA/gpt-4o-mini"}]`,
		Right: `[greeter:Agent {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini"}]`,
	}, {
		Code: CodeNoProvider, Severity: Warning,
		Title: "A model without a provider looks like one of another provider than OpenAI.",
		Explanation: "A model without a provider is asked at OpenAI, where models of this name are not found. " +
			"Write the provider before the id.",
		Wrong: `[greeter:Agent {instruction: "Greet people.", model: "claude-sonnet-4"}]`,
		Right: `[greeter:Agent {instruction: "Greet people.", model: "Anthropic/claude-sonnet-4"}]`,
	}, {
		Code: CodeDuplicateAgent, Severity: Error, Peers: []string{"duplicate-element"},
		Title: "Two agents of a file have one name.",
		Explanation: "A name must tell which agent is meant, for people and for gramc run --agent. " +
			"Rename one of them, or remove it.",
		Wrong: "[greeter:Agent {instruction: \"Greet people.\", model: \"OpenAI/gpt-4o-mini\"}]\n" +
			"[greeter:Agent {instruction: \"Answer in verse.\", model: \"OpenAI/gpt-4o-mini\"}]",
		Right: "[greeter:Agent {instruction: \"Greet people.\", model: \"OpenAI/gpt-4o-mini\"}]\n" +
			"[poet:Agent {instruction: \"Answer in verse.\", model: \"OpenAI/gpt-4o-mini\"}]",
	}, {
		Code: CodeUnknownProperty, Severity: Warning,
		Title: "A property has no meaning where it stands.",
		Explanation: "Agents, tools, parameters and fields each have a few properties that mean something; any other is ignored, " +
			"which is seldom what was wanted. Mend its spelling, or remove it.",
		Wrong: `[greeter:Agent {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini", descripton: "Greets"}]`,
		Right: `[greeter:Agent {instruction: "Greet people.", model: "OpenAI/gpt-4o-mini", description: "Greets"}]`,
	}}
}
