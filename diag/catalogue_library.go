package diag

func libraryEntries() []Entry {
	return append(libraryShapeEntries(), libraryTextEntries()...)
}

func libraryShapeEntries() []Entry {
	return []Entry{{
		Code: CodeNoLibrary, Severity: Error,
		Title: "Nothing in the file is a library.",
		Explanation: "A file that is given as a library needs a pattern in square brackets with the label Library. " +
			"Its elements say what does the work of which tool. Libraries of imported files do not count.",
		Unshown: "any file without a library is a good file until it is given as one",
	}, {
		Code: CodeMisplacedEntry, Severity: Error,
		Title: "An entry stands outside of a library, or a library where none can be.",
		Explanation: "What a tool is, for a model, stands in an agent; what does its work stands in a library, which is a pattern of its own. " +
			"So an agent file never names a program or a server, and one agent can work with several libraries. " +
			"An entry that stands by itself does nothing, which is only a hint.",
		Wrong: "[greeter:Agent {instruction: \"Greet people.\", model: \"OpenAI/gpt-4o-mini\"} |\n" +
			"  [sayHello:Command {run: [\"./say-hello\"]}]]",
		Right: "[greeter:Agent {instruction: \"Greet people.\", model: \"OpenAI/gpt-4o-mini\"} |\n" +
			"  [sayHello:Tool {description: \"Greets somebody\"} | (name::Text)==>(::Text)]]\n" +
			"[local:Library | [sayHello:Command {run: [\"./say-hello\"]}]]",
	}, {
		Code: CodeUnknownEntry, Severity: Error,
		Title: "An element of a library does not say what does the work.",
		Explanation: "Each element of a library is an entry in square brackets: the name of a tool, and one of the labels " +
			"Command, Http, Mcp and Builtin. A library without any entries is only warned of.",
		Wrong: `[local:Library | [sayHello:Comand {run: ["./say-hello"]}]]`,
		Right: `[local:Library | [sayHello:Command {run: ["./say-hello"]}]]`,
	}, {
		Code: CodeMissingEntryName, Severity: Error,
		Title:       "An entry of a library has no name.",
		Explanation: "An agent finds an entry by the name of the tool, which stands before the label. For an Mcp entry it is the name of the server.",
		Wrong:       `[local:Library | [:Command {run: ["./say-hello"]}]]`,
		Right:       `[local:Library | [sayHello:Command {run: ["./say-hello"]}]]`,
	}, {
		Code: CodeDuplicateEntry, Severity: Error,
		Title: "A library has a tool twice.",
		Explanation: "Which of the two would do the work cannot be known. To replace a tool of another library, put it into a library " +
			"that is given later. Two servers with a tool of one name get a prefix.",
		Wrong: "[local:Library |\n  [sayHello:Command {run: [\"./say-hello\"]}],\n  [sayHello:Builtin]]",
		Right: `[local:Library | [sayHello:Builtin]]`,
	}, {
		Code: CodeMissingEntryProperty, Severity: Error,
		Title: "An entry does not say what it needs to work.",
		Explanation: "A Command needs run or shell, an Http entry url, an Mcp entry command or url, and a built-in for files root, " +
			"outside of which it sees nothing.",
		Wrong: `[local:Library | [read_file:Builtin]]`,
		Right: `[local:Library | [read_file:Builtin {root: "./data"}]]`,
	}, {
		Code: CodeInvalidEntry, Severity: Error,
		Title: "A property of an entry has an impossible value.",
		Explanation: "The message says what the property takes. A program and its arguments stand in a list, each by itself: " +
			"nothing takes a line apart, and so nothing in an argument can become another one.",
		Wrong: `[local:Library | [sayHello:Command {run: "./say-hello --loud"}]]`,
		Right: `[local:Library | [sayHello:Command {run: ["./say-hello", "--loud"]}]]`,
	}, {
		Code: CodeInvalidRule, Severity: Error,
		Title: "A rule of approval cannot work.",
		Explanation: "A rule is a node labelled Allow, Ask or Deny, with a pattern for one argument or more: (:Deny {path: \"*.env\"}). " +
			"What holds for every call is no rule but the property approve.",
		Wrong: `[local:Library | [write_file:Builtin {root: "."} | (:Denny {path: "*.env"})]]`,
		Right: `[local:Library | [write_file:Builtin {root: "."} | (:Deny {path: "*.env"})]]`,
	}, {
		Code: CodeUnknownBuiltin, Severity: Error,
		Title: "There is no built-in tool of that name.",
		Explanation: "A Builtin entry is named as the built-in tool is. To give that another name, write it and name the tool by the " +
			"property builtin: [readNotes:Builtin {builtin: read_file, root: \"./notes\"}].",
		Wrong: `[local:Library | [readFile:Builtin {root: "./data"}]]`,
		Right: `[local:Library | [readFile:Builtin {builtin: read_file, root: "./data"}]]`,
	}}
}

func libraryTextEntries() []Entry {
	return []Entry{{
		Code: CodeInvalidTemplate, Severity: Error,
		Title: "Braces hold no argument, or one where none may stand.",
		Explanation: "In the arguments of run, and in the path and the query of a url, {name} is the argument of a call; the braces themselves " +
			"are {{ and }}. An argument comes from the model. So none can stand where it would choose the program, the host, or what a shell runs.",
		Wrong: `[local:Library | [sayHello:Command {run: ["sh", "-c", "echo Hello {name}"]}]]`,
		Right: `[local:Library | [sayHello:Command {run: ["echo", "Hello {name}"]}]]`,
	}, {
		Code: CodeUnknownVariable, Severity: Error,
		Title: "A template or a rule names what is no parameter.",
		Explanation: "What stands between the braces, or before the pattern of a rule, is a parameter of the signature. " +
			"Where an entry has no signature, it is one of the agent's tool, and told when the two come together.",
		Wrong: "[local:Library |\n  [weather:Http {url: \"https://api.example.test/{town}\"} | (city::Text)==>(::Text)]]",
		Right: "[local:Library |\n  [weather:Http {url: \"https://api.example.test/{city}\"} | (city::Text)==>(::Text)]]",
	}, {
		Code: CodeInvalidSecret, Severity: Error,
		Title: "What stands behind ${ is no environment variable.",
		Explanation: "In the texts of a library ${NAME} is the environment variable NAME, a name of letters, digits and _. " +
			"There are no defaults and no other signs; $${ is ${ as text.",
		Wrong: `[local:Library | [sayHello:Command {run: ["./say-hello", "${USER"]}]]`,
		Right: `[local:Library | [sayHello:Command {run: ["./say-hello", "${USER}"]}]]`,
	}, {
		Code: CodePlainVariable, Severity: Hint,
		Title: "This looks like an environment variable and is plain text.",
		Explanation: "An environment variable is written ${NAME}, with braces, and only in a library. " +
			"In the instruction of an agent it is text that the model sees.",
		Wrong: `[local:Library | [sayHello:Command {run: ["./say-hello", "$USER"]}]]`,
		Right: `[local:Library | [sayHello:Command {run: ["./say-hello", "${USER}"]}]]`,
	}, {
		Code: CodeLiteralSecret, Severity: Warning,
		Title: "A secret stands in the file.",
		Explanation: "A library is a file that is shared and kept, and everybody who has it has the secret. Write ${NAME}, and put the secret " +
			"into the environment. From there it comes into no log and no message either.",
		Wrong: `[local:Library | [search:Http {url: "https://api.example.test/search", headers: {"X-Api-Key": "4f9c2"}}]]`,
		Right: `[local:Library | [search:Http {url: "https://api.example.test/search", headers: {"X-Api-Key": "${SEARCH_KEY}"}}]]`,
	}, {
		Code: CodeInsecureURL, Severity: Warning,
		Title:       "A secret goes over http://.",
		Explanation: "Everybody on the way can read what goes over http://, and change it. Write https://. Only to this machine itself it does not matter.",
		Wrong:       `[local:Library | [search:Http {url: "http://api.example.test/search", headers: {Authorization: "Bearer ${SEARCH_KEY}"}}]]`,
		Right:       `[local:Library | [search:Http {url: "https://api.example.test/search", headers: {Authorization: "Bearer ${SEARCH_KEY}"}}]]`,
	}, {
		Code: CodeClosedHost, Severity: Warning,
		Title: "gramc does not connect to the host of a url.",
		Explanation: "Tools reach public addresses at the ports 80 and 443, and nothing else: not this machine, and not the private network. " +
			"What is meant to be open is named with its port in allowHosts.",
		Wrong: `[local:Library | [stock:Http {url: "http://127.0.0.1:8080/stock"}]]`,
		Right: `[local:Library | [stock:Http {url: "http://127.0.0.1:8080/stock", allowHosts: ["127.0.0.1:8080"]}]]`,
	}, {
		Code: CodeMissingImplementation, Severity: Error,
		Title: "No library has a tool of an agent.",
		Explanation: "The agent cannot run with the libraries that were given: nothing does the work of one of its tools. " +
			"Add an entry of that name, or mend the spelling of one; the case of letters counts.",
		Unshown: "it takes an agent and a library, which are two files",
	}, {
		Code: CodeContractMismatch, Severity: Error,
		Title: "An agent and a library differ in what a tool is.",
		Explanation: "What an entry says of its tool, a description or a signature, must be what the agent says: the model is told the one, and the other would do the work. " +
			"Change one of them, or leave it out in the library, which then takes what the agent says. Results that differ are only warned of.",
		Unshown: "it takes an agent and a library, which are two files",
	}, {
		Code: CodeShadowedTool, Severity: Warning,
		Title: "A later library replaces a tool of an earlier one.",
		Explanation: "Of several libraries with one tool, the one that is named last does the work. Where that is meant, say so in its entry: replaces: true. " +
			"Else give the tool another name, or an Mcp entry a prefix.",
		Unshown: "it takes two libraries, which are two files",
	}, {
		Code: CodeDataLeak, Severity: Warning,
		Title: "The tools of an agent together can give private data away.",
		Explanation: "A page, a mail or a file may hold text that speaks to the model. An agent that takes in such text, can read private data and can send something " +
			"to the outside may do what that text says, and no instruction prevents it surely. Take one of the three away, let a person agree to the calls of one " +
			"(approve: ask in the library), or say in the library what a tool really does (traits: none).",
		Wrong: "[clerk:Agent {instruction: \"Answer questions.\", model: \"OpenAI/gpt-4o-mini\"} |\n" +
			"  [read_file:Tool {description: \"Reads a file\"} | (path::Text)==>(content::Text)],\n" +
			"  [web_scraper:Tool {description: \"Reads a page\"} | (url::Text)==>(text::Text)]]",
		Right: "[clerk:Agent {instruction: \"Answer questions.\", model: \"OpenAI/gpt-4o-mini\"} |\n" +
			"  [calculator:Tool {description: \"Computes\"} | (expression::Text)==>(result::Number)],\n" +
			"  [web_scraper:Tool {description: \"Reads a page\"} | (url::Text)==>(text::Text)]]",
	}}
}
