package diag

// toolEntries are those of tools.
func toolEntries() []Entry {
	return []Entry{{
		Code: CodeMissingToolLabel, Severity: Error,
		Title: "An element of an agent is not a tool.",
		Explanation: "What stands behind the | of an agent are its tools: patterns in square brackets with the label Tool, " +
			"or names of such patterns. Add the label, or move the element out of the agent.",
		Wrong: "[greeter:Agent {instruction: \"Greet people.\", model: \"OpenAI/gpt-4o-mini\"} |\n" +
			"  [sayHello {description: \"Says hello\"} | (name::Text)==>(::String)]]",
		Right: "[greeter:Agent {instruction: \"Greet people.\", model: \"OpenAI/gpt-4o-mini\"} |\n" +
			"  [sayHello:Tool {description: \"Says hello\"} | (name::Text)==>(::String)]]",
	}, {
		Code: CodeMissingToolName, Severity: Error,
		Title:       "A tool has no name.",
		Explanation: "The model calls a tool by its name, which stands before the label. A name property does not count.",
		Wrong:       `[:Tool {description: "Says hello"} | (name::Text)==>(::String)]`,
		Right:       `[sayHello:Tool {description: "Says hello"} | (name::Text)==>(::String)]`,
	}, {
		Code: CodeInvalidToolName, Severity: Error,
		Title: "A tool cannot have this name.",
		Explanation: "Blanks, dots and letters of any script are fine: a provider that takes less gets another name, which is turned back in its answer. " +
			"Characters that nobody sees, such as tabs, and more than 256 bytes are not.",
		Wrong: "[`get\\tweather`:Tool {description: \"Tells the weather of a city\"} | (city::Text)==>(::String)]",
		Right: `[getWeather:Tool {description: "Tells the weather of a city"} | (city::Text)==>(::String)]`,
	}, {
		Code: CodeMissingToolDescription, Severity: Error,
		Title: "A tool has no description.",
		Explanation: "The description is all that a model knows of what a tool does: it chooses tools by it. " +
			"Add the property description, as text.",
		Wrong: `[sayHello:Tool | (name::Text)==>(::String)]`,
		Right: `[sayHello:Tool {description: "Says hello"} | (name::Text)==>(::String)]`,
	}, {
		Code: CodeEmptyToolDescription, Severity: Error,
		Title:       "The description of a tool is empty.",
		Explanation: "The model chooses tools by their descriptions, and this one says nothing. Say what the tool does and when to use it.",
		Wrong:       `[sayHello:Tool {description: ""} | (name::Text)==>(::String)]`,
		Right:       `[sayHello:Tool {description: "Says hello"} | (name::Text)==>(::String)]`,
	}, {
		Code: CodeMissingSignature, Severity: Error,
		Title: "A tool has no signature.",
		Explanation: "The signature says what a tool takes and what it gives; the schema that the model fills in is made from it. " +
			"Write it behind the | as a chain of nodes: the parameters, then the result.",
		Wrong: `[sayHello:Tool {description: "Says hello"}]`,
		Right: `[sayHello:Tool {description: "Says hello"} | (name::Text)==>(::String)]`,
	}, {
		Code: CodeMultipleSignatures, Severity: Error,
		Title: "A tool has more than one signature.",
		Explanation: "A tool is one function with one signature. Several parameters stand in one chain; " +
			"two functions are two tools.",
		Wrong: `[add:Tool {description: "Adds"} | (a::Int)==>(::Int), (b::Int)==>(::Int)]`,
		Right: `[add:Tool {description: "Adds"} | (a::Int)==>(b::Int)==>(::Int)]`,
	}, {
		Code: CodeDuplicateTool, Severity: Error, Peers: []string{"duplicate-element"},
		Title: "Two tools of a file have one name.",
		Explanation: "A name must tell which tool is meant, for the agents that refer to it and for the model that calls it. " +
			"Rename one, or write the tool once and refer to it by its name. The same text twice is only a hint.",
		Wrong: "[greet:Tool {description: \"Says hello\"} | (name::Text)==>(::String)]\n" +
			"[greet:Tool {description: \"Says goodbye\"} | (name::Text)==>(::String)]",
		Right: "[greet:Tool {description: \"Says hello\"} | (name::Text)==>(::String)]\n" +
			"[part:Tool {description: \"Says goodbye\"} | (name::Text)==>(::String)]",
	}, {
		Code: CodeUndefinedReference, Severity: Error,
		Title: "A name refers to nothing in the file.",
		Explanation: "A bare name among the elements of an agent stands for a tool that the file defines elsewhere, before or after. " +
			"Mend its spelling, or define the tool.",
		Wrong: "[greeter:Agent {instruction: \"Greet people.\", model: \"OpenAI/gpt-4o-mini\"} | sayHelo]\n" +
			"[sayHello:Tool {description: \"Says hello\"} | (name::Text)==>(::String)]",
		Right: "[greeter:Agent {instruction: \"Greet people.\", model: \"OpenAI/gpt-4o-mini\"} | sayHello]\n" +
			"[sayHello:Tool {description: \"Says hello\"} | (name::Text)==>(::String)]",
	}, {
		Code: CodeVocabulary, Severity: Warning,
		Title: "Parameters of different tools have one name and differ in type or default.",
		Explanation: "A model that sees one name with two meanings mixes them up. " +
			"Give both the same type and default, or different names.",
		Wrong: "[forecast:Tool {description: \"Forecasts the weather\"} | (days::Int)==>(::String)]\n" +
			"[remind:Tool {description: \"Sets reminders\"} | (days::Text)==>(::String)]",
		Right: "[forecast:Tool {description: \"Forecasts the weather\"} | (days::Int)==>(::String)]\n" +
			"[remind:Tool {description: \"Sets reminders\"} | (weekdays::Text)==>(::String)]",
	}}
}
