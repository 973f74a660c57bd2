package diag

// typeEntries are the entries of the codes of named types.
func typeEntries() []Entry {
	return []Entry{{
		Code: CodeMissingTypeName, Severity: Error,
		Title:       "A type has no name.",
		Explanation: "A type is defined to be used by its name. Write the name before the label.",
		Wrong:       `[:Type {x::Number, y::Number}]`,
		Right:       `[Point:Type {x::Number, y::Number}]`,
	}, {
		Code: CodeInvalidTypeName, Severity: Error,
		Title: "A type cannot have this name.",
		Explanation: "Text, Int and the other types of the language mean one thing everywhere and cannot be defined again. " +
			"The names of types start with a capital letter, which tells them from tools and fields; one that does not is warned of.",
		Wrong: `[Text:Type {x::Number}]`,
		Right: `[Point:Type {x::Number}]`,
	}, {
		Code: CodeDuplicateType, Severity: Error,
		Title: "A type is defined twice.",
		Explanation: "A name means one type in a file and all that it imports. Rename one of the two, or remove it. " +
			"Files that do not import each other never conflict.",
		Wrong: "[Point:Type {x::Number}]\n[Point:Type {x::Number, y::Number}]",
		Right: "[Point:Type {x::Number}]\n[Place:Type {x::Number, y::Number}]",
	}, {
		Code: CodeInfiniteType, Severity: Error,
		Title: "A value of a type needs another value of that type, without end.",
		Explanation: "A type may hold itself where a value can stop: in an array, in an optional or nullable field, in one alternative of a union. " +
			"Without such a place nobody can make a value of it.",
		Wrong: `[Person:Type | (name::Text), (boss::Person)]`,
		Right: "[Person:Type | (name::Text), (boss::`Person?`)]",
	}, {
		Code: CodeUnusedType, Severity: Hint,
		Title:       "Nothing uses a type.",
		Explanation: "No tool and no agent of the file, and no type that they use, speaks of it. Files without agents are libraries: nothing is said there.",
		Wrong: "[greeter:Agent {instruction: \"Greet the user.\", model: \"OpenAI/gpt-4o-mini\"}]\n" +
			"[Point:Type {x::Number, y::Number}]",
		Right: `[greeter:Agent {instruction: "Greet the user.", model: "OpenAI/gpt-4o-mini"}]`,
	}}
}

// targetEntries are the entries of the codes of what providers take.
func targetEntries() []Entry {
	return []Entry{{
		Code: CodeTargetRefuses, Severity: Error,
		Title: "The API of a provider does not take a tool.",
		Explanation: "Each provider takes a part of JSON Schema, and some limits on names and sizes. A tool that the provider of the agent's model " +
			"would refuse is told before the first request. \"gramc schema --target\" shows what any of them gets.",
		Wrong: "[keeper:Agent {instruction: \"Keep notes.\", model: \"OpenAI/gpt-4o-mini\"} |\n" +
			"  [keep:Tool {description: \"Keeps notes by name\", strict: true} | (notes::`Map<Text>`)==>(::String)]]",
		Right: "[keeper:Agent {instruction: \"Keep notes.\", model: \"OpenAI/gpt-4o-mini\"} |\n" +
			"  [keep:Tool {description: \"Keeps notes by name\", strict: true} | (notes::`[{name: Text, note: Text}]`)==>(::String)]]",
	}, {
		Code: CodeTargetDrops, Severity: Warning,
		Title: "A provider gets less than the file says.",
		Explanation: "The API of a provider has no word for something in a schema, so it is left out of the request. gramc checks it when the model " +
			"has answered: nothing wrong gets through, but the model may need a second try.",
		Unshown: `only "gramc schema --target" and "gramc compile --target" tell it`,
	}, {
		Code: CodeToolNameCollision, Severity: Error,
		Title: "A provider knows two tools of an agent by one name.",
		Explanation: "Providers take letters, digits, _ and - in the name of a tool. Other characters are sent as _ and turned back in the answer, " +
			"which must be possible in one way only. Rename one of the two tools.",
		Wrong: "[clerk:Agent {instruction: \"Help.\", model: \"OpenAI/gpt-4o-mini\"} |\n" +
			"  [files.read:Tool {description: \"Reads a file\"} | (path::Text)==>(::String)],\n" +
			"  [files_read:Tool {description: \"Tells which files were read\"} | ()==>(::String)]]",
		Right: "[clerk:Agent {instruction: \"Help.\", model: \"OpenAI/gpt-4o-mini\"} |\n" +
			"  [files.read:Tool {description: \"Reads a file\"} | (path::Text)==>(::String)],\n" +
			"  [files.log:Tool {description: \"Tells which files were read\"} | ()==>(::String)]]",
	}}
}

// importEntries are the entries of the codes of imports.
func importEntries() []Entry {
	return []Entry{{
		Code: CodeInvalidImport, Severity: Error,
		Title: "An import is no path of a file of the project.",
		Explanation: "A file imports others by paths relative to itself, which start with ./ or ../ and have / between folders. " +
			"Nothing outside of the root of the project is read: that is the nearest folder around the file with .git in it, " +
			"else the working folder, else the folder of the file.",
		Wrong: `{import: ["/shared/types.gram"]}`,
		Right: `{import: ["./types.gram"]}`,
	}, {
		Code: CodeImportNotFound, Severity: Error,
		Title:       "An imported file cannot be read.",
		Explanation: "The path is relative to the file that imports, not to the working folder. The message says what the system told.",
		Unshown:     "it takes a second file that is missing",
	}}
}

// lintEntries are the entries of the codes of what is not wrong but probably
// not meant.
func lintEntries() []Entry {
	return []Entry{{
		Code: CodeMissingTool, Severity: Warning,
		Title: "An instruction speaks of a tool that the agent does not have.",
		Explanation: "A name in backticks that is a tool of the file, or nearly one of the agent's, tells the model to call what it cannot see. " +
			"Give the tool to the agent, or correct the name.",
		Wrong: "[greeter:Agent {instruction: \"Greet the user with `sayHelo`.\", model: \"OpenAI/gpt-4o-mini\"} |\n" +
			"  [sayHello:Tool {description: \"Returns a friendly greeting\"} | (personName::Text)==>(::String)]]",
		Right: "[greeter:Agent {instruction: \"Greet the user with `sayHello`.\", model: \"OpenAI/gpt-4o-mini\"} |\n" +
			"  [sayHello:Tool {description: \"Returns a friendly greeting\"} | (personName::Text)==>(::String)]]",
	}, {
		Code: CodeUnusedTool, Severity: Hint,
		Title:       "No agent of the file has a tool.",
		Explanation: "Refer to it by its name in the list of an agent, or remove it. Files without agents are libraries: nothing is said there.",
		Wrong: "[greeter:Agent {instruction: \"Greet the user.\", model: \"OpenAI/gpt-4o-mini\"}]\n" +
			"[sayHello:Tool {description: \"Returns a friendly greeting\"} | (personName::Text)==>(::String)]",
		Right: "[greeter:Agent {instruction: \"Greet the user.\", model: \"OpenAI/gpt-4o-mini\"} | sayHello]\n" +
			"[sayHello:Tool {description: \"Returns a friendly greeting\"} | (personName::Text)==>(::String)]",
	}, {
		Code: CodeUnusedImport, Severity: Hint,
		Title: "Nothing of an imported file is used.",
		Explanation: "Neither the file nor what that file imports defines a tool or a type that is used here. Remove the import. " +
			"Files that define nothing themselves gather others, and nothing is said there.",
		Unshown: "it takes a second file",
	}, {
		Code: CodeMissingDescription, Severity: Hint,
		Title:       "A parameter has no description, and most others of its tool have one.",
		Explanation: "A model reads descriptions to fill in arguments. Where some parameters are described, one that is not was probably forgotten.",
		Wrong:       `[book:Tool {description: "Books a room"} | (city::Text {description: "Name of the city"})==>(guest::Text {description: "Full name"})==>(nights::Int)==>(::String)]`,
		Right:       `[book:Tool {description: "Books a room"} | (city::Text {description: "Name of the city"})==>(guest::Text {description: "Full name"})==>(nights::Int {description: "Counted from today"})==>(::String)]`,
	}, {
		Code: CodeUntyped, Severity: Hint,
		Title:       "A parameter takes any object, or a list of anything.",
		Explanation: "The model has to guess what belongs inside, and nothing can be checked. Name the fields of an object, and say what a list is of; or describe the parameter.",
		Wrong:       `[save:Tool {description: "Saves an order"} | (order::Object)==>(::String)]`,
		Right:       `[save:Tool {description: "Saves an order"} | (order::Object {sku::Text, amount::Int})==>(::String)]`,
	}, {
		Code: CodeDeprecated, Severity: Hint,
		Title: "A tool or a type is used that is deprecated.",
		Explanation: "Its author says that it should not be used any more, by deprecated: true or by a text that says what to use instead. " +
			"It works as before. Use what the text says, where there is one; an editor strikes through what is deprecated.",
		Wrong: "[greeter:Agent {instruction: \"Greet the user.\", model: \"OpenAI/gpt-4o-mini\"} | hello]\n" +
			"[hello:Tool {description: \"Returns a greeting\", deprecated: \"use sayHello\"} | (name::Text)==>(::String)]",
		Right: "[greeter:Agent {instruction: \"Greet the user.\", model: \"OpenAI/gpt-4o-mini\"} | sayHello]\n" +
			"[sayHello:Tool {description: \"Returns a friendly greeting\"} | (name::Text)==>(::String)]",
	}}
}

// definitionEntries are the entries of the codes of definitions that become
// gram.
func definitionEntries() []Entry {
	const unshown = `it is told of JSON, by "gramc import" alone`
	return []Entry{{
		Code: CodeNotJSON, Severity: Error,
		Title:       "The text is not JSON.",
		Explanation: "Definitions of tools are read as JSON or JSON Lines, an OpenAPI document as YAML too. The place is where the text stops to be JSON.",
		Unshown:     unshown,
	}, {
		Code: CodeNoDefinition, Severity: Error,
		Title: "Something defines no tool.",
		Explanation: "Read are the tools of chat APIs, the answer of an MCP server to tools/list, single definitions with a name and parameters, " +
			"and OpenAPI documents of version 3. What is none of them is left out.",
		Unshown: unshown,
	}, {
		Code: CodeImportLost, Severity: Error,
		Title: "Gram cannot say something of a definition.",
		Explanation: "The tool is written without it, with a comment that says so, and the model would see less than before. " +
			"Say it in the description of the parameter, or check it in the tool.",
		Unshown: unshown,
	}, {
		Code: CodeImportRewritten, Severity: Info,
		Title:       "Something of a definition is said in another way.",
		Explanation: "The gram text means the same as the definition, but the schema that is made of it is not the same word by word.",
		Unshown:     unshown,
	}, {
		Code: CodeImportAssumed, Severity: Warning,
		Title:       "A definition leaves out what gram needs.",
		Explanation: "A tool of gram has a name and a description. The message says what was written in their place; read it and improve it.",
		Unshown:     unshown,
	}}
}
