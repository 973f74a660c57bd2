package diag

// signatureEntries are those of type signatures.
func signatureEntries() []Entry {
	return []Entry{{
		Code: CodeEmptySignature, Severity: Error, Signature: true,
		Title:       "The text of a signature is empty.",
		Explanation: "A signature has at least a result; a tool without parameters has (::String) or ()==>(::String).",
		Wrong:       `// nothing here`,
		Right:       `()==>(::String)`,
	}, {
		Code: CodeTrailingInput, Severity: Error, Signature: true,
		Title: "Something stands beside the one signature of a text.",
		Explanation: "A text of a signature is one chain of nodes and nothing else: no header record before it, no second chain behind it. " +
			"Two nodes side by side are two patterns; an arrow joins them.",
		Wrong: `(name::Text)(::String)`,
		Right: `(name::Text)==>(::String)`,
	}, {
		Code: CodeInvalidChain, Severity: Error, Signature: true,
		Title: "The nodes of a signature have no order that makes sense.",
		Explanation: "The parameters come first and the result last, so all arrows must point to the right, or all to the left. " +
			"An empty node () stands for no parameters and has no place among others.",
		Wrong: `(name::Text)==>(times::Int)<==(::String)`,
		Right: `(name::Text)==>(times::Int)==>(::String)`,
	}, {
		Code: CodeMissingType, Severity: Error, Signature: true,
		Title: "A parameter has no type.",
		Explanation: "The type stands behind two colons; a word without them is a name. " +
			"Without a type the model may send anything.",
		Wrong: `(name)==>(::String)`,
		Right: `(name::Text)==>(::String)`,
	}, {
		Code: CodeMultipleTypes, Severity: Error, Signature: true,
		Title:       "A parameter or a result has more than one type.",
		Explanation: "Each has exactly one type. Keep one of the labels.",
		Wrong:       `(name:Text:Int)==>(::String)`,
		Right:       `(name::Text)==>(::String)`,
	}, {
		Code: CodeUnknownType, Severity: Error, Signature: true,
		Title: "There is no type of that name.",
		Explanation: "The types are Text (or String), Int (Integer), Double (Number), Bool (Boolean), Object and Array, " +
			"and what is made of them: `[Text]`, `{name: Text}`, `Maybe Text`. The case of letters counts.",
		Wrong: `(name::Txt)==>(::String)`,
		Right: `(name::Text)==>(::String)`,
	}, {
		Code: CodeHaskellType, Severity: Error, Signature: true,
		Title: "A type is applied to another, as Haskell and others do it.",
		Explanation: "Only Maybe takes a type behind it. An array of texts is `[Text]`, and IO has no meaning: " +
			"whether a tool has effects is no matter of its signature.",
		Wrong: "(name::Text)==>(::`IO Text`)",
		Right: `(name::Text)==>(::Text)`,
	}, {
		Code: CodeInvalidType, Severity: Error, Signature: true,
		Title: "A type cannot stand where it does.",
		Explanation: "Maybe says that a parameter or a field may be left out, so it makes no sense for the elements of an array or a result. " +
			"A field needs a type, not a value.",
		Wrong: "(names::`[Maybe Text]`)==>(::String)",
		Right: "(names::`[Text]`)==>(::String)",
	}, {
		Code: CodeMissingReturnType, Severity: Error, Signature: true,
		Title: "A signature has no result type.",
		Explanation: "The last node of the chain is the result, and it has a type and no name. " +
			"A tool that gives nothing worth a word gives a String.",
		Wrong: `(name::Text)`,
		Right: `(name::Text)==>(::String)`,
	}, {
		Code: CodeMissingParameterName, Severity: Warning, Signature: true,
		Title: "A parameter has no name.",
		Explanation: "Models send arguments by name, so that a parameter without one is called arg1, arg2 and so on, which tells the model nothing. " +
			"Write a name before the colons. --strict makes it an error.",
		Wrong: `(::Text)==>(::String)`,
		Right: `(name::Text)==>(::String)`,
	}, {
		Code: CodeDuplicateParameter, Severity: Error, Signature: true,
		Title:       "Two parameters of a signature have one name.",
		Explanation: "Arguments are sent by name, so that one of the two could never be given. Rename one.",
		Wrong:       `(name::Text)==>(name::Text)==>(::String)`,
		Right:       `(firstName::Text)==>(lastName::Text)==>(::String)`,
	}, {
		Code: CodeDuplicateField, Severity: Error, Signature: true,
		Title:       "Two fields of an object have one name.",
		Explanation: "An object has each of its fields once. Rename one, or remove it.",
		Wrong:       "(person::`{name: Text, name: Text}`)==>(::String)",
		Right:       "(person::`{firstName: Text, lastName: Text}`)==>(::String)",
	}, {
		Code: CodeDefaultTypeMismatch, Severity: Error, Signature: true,
		Title: "A default is not a value of its type.",
		Explanation: "The default is what the tool gets when the model leaves the parameter out, so it must be of the type of the parameter. " +
			"Change the default, or the type.",
		Wrong: `(times::Int {default: "one"})==>(::String)`,
		Right: `(times::Int {default: 1})==>(::String)`,
	}, {
		Code: CodeMalformedFields, Severity: Error, Signature: true,
		Title: "The fields of an object are not written as fields.",
		Explanation: "Only an Object has fields, each a property name::Type of its node; " +
			"the older list [{name:\"a\", type:\"Text\"}] is accepted too. Each field has a name and a type.",
		Wrong: `(person::Text {age::Int})==>(::String)`,
		Right: `(person::Object {age::Int})==>(::String)`,
	}, {
		Code: CodeInvalidConstraint, Severity: Error, Signature: true,
		Title: "A property of an agent, a tool, a parameter or a type has a value that makes no sense.",
		Explanation: "Each of these properties has its kind of value: optional and retryable are true or false, timeout is a time such as 5s, " +
			"min and max are numbers and belong to Int and Number, pattern is a regular expression and belongs to Text. " +
			"The message says which value is wanted.",
		Wrong: `(name::Text {optional: "yes"})==>(::String)`,
		Right: `(name::Text {optional: true})==>(::String)`,
	}, {
		Code: CodeUnknownFormat, Severity: Warning, Signature: true,
		Title:       "The format of a text is probably misspelt.",
		Explanation: "Formats that are checked are date-time, time, date, duration, email, hostname, ipv4, ipv6, uuid and uri. Another one is passed on and says nothing to gramc.",
		Wrong:       `(address::Text {format: emial})==>(::String)`,
		Right:       `(address::Text {format: email})==>(::String)`,
	}}
}
