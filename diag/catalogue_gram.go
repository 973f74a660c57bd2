package diag

// frontEntries are those of the language front.
func frontEntries() []Entry {
	return []Entry{{
		Code: CodeSyntax, Severity: Error, Peers: []string{"syntax-error", "missing-node"},
		Title: "The text is not gram at this place.",
		Explanation: "Something stands where the language does not allow it, or something that it needs is missing. " +
			"What did not parse is checked no further, so mend these errors first; the message says what was expected, " +
			"and \"gramc help language\" shows the language on one page.",
		Wrong: `(ada:Person {name: "Ada" born: 1815})`,
		Right: `(ada:Person {name: "Ada", born: 1815})`,
	}, {
		Code: CodeTooDeep, Severity: Error,
		Title: "Brackets, or a type, are nested too deep.",
		Explanation: "A file may have 1,000 brackets open at once and a type expression 100, far more than people write or read. " +
			"Deeper text comes from a program that went wrong. Give the inner part a name of its own and refer to it.",
		Unshown: "it takes more than a thousand brackets, or a hundred in a type",
	}, {
		Code: CodeTooLarge, Severity: Error,
		Title: "A file, a signature or a compiled program is too large.",
		Explanation: "A file may have 16 MiB, a signature 4,000 parameters, fields and elements, and a compiled program 16 MiB. " +
			"No model reads as much. Split the file, or give agents fewer tools.",
		Unshown: "it takes more than 16 MiB, or a signature of more than 4,000 parts",
	}, {
		Code: CodeNotUTF8, Severity: Error,
		Title: "The file has bytes that are not UTF-8.",
		Explanation: "Gram files are UTF-8, and what the other bytes mean can only be guessed. " +
			"Save the file as UTF-8; where it was UTF-16 or Latin-1, an editor or iconv converts it.",
		Unshown: "its bytes would not be text",
	}, {
		Code: CodeTooManyErrors, Severity: Error,
		Title: "There are more problems than are shown.",
		Explanation: "At most 100 problems of a file are shown, errors before warnings. " +
			"Mend the first ones and check again: often one mistake brings many others.",
		Unshown: "it takes more than 100 problems",
	}}
}

// gramEntries are those of any gram file.
func gramEntries() []Entry {
	return []Entry{{
		Code: CodeDuplicateKey, Severity: Error, Peers: []string{"duplicate-key"},
		Title: "A key occurs twice in one record.",
		Explanation: "One of the two values would be lost, and programs differ in which. " +
			"A key is the same with and without quotes. Remove one of them, or rename it.",
		Wrong: `(ada:Person {name: "Ada", name: "Augusta Ada"})`,
		Right: `(ada:Person {name: "Ada", fullName: "Augusta Ada"})`,
	}, {
		Code: CodeNotPortable, Severity: Info,
		Title: "tree-sitter-gram, the grammar of other gram programs, refuses what gramc accepts here.",
		Explanation: "gramc reads a little more than tree-sitter-gram: nested arrays and maps, empty arrays, \"::\" in a map and some more. " +
			"Other gram programs may not read the file. Where that matters, write it otherwise; --strict-gram makes it an error.",
		Wrong: `(list {rows: [[1, 2], [3, 4]]})`,
		Right: `(list {row1: [1, 2], row2: [3, 4]})`,
	}, {
		Code: CodeInvisible, Severity: Warning,
		Title: "The file has a character that nobody sees.",
		Explanation: "Characters that turn the direction of writing or take no room can make an instruction look like another to its reviewer, " +
			"while the model reads what is really there. Remove the character; type the line anew if you cannot find it.",
		Wrong: "(ada:Person {name: \"A\u200bda\"})",
		Right: `(ada:Person {name: "Ada"})`,
	}, {
		Code: CodeOddNumber, Severity: Warning,
		Title: "A number is read otherwise than it looks.",
		Explanation: "Gram has no exponents, so 1e is a measurement in the unit e; a leading zero makes a number octal, as in C. " +
			"Write the number in decimal, or put it in quotes.",
		Wrong: `(a:Sample {permissions: 010})`,
		Right: `(a:Sample {permissions: 8})`,
	}, {
		Code: CodeOddLayout, Severity: Warning,
		Title: "Blanks, line ends or comments stand where nobody expects them.",
		Explanation: "The text is gram, but reads as something else: an arrow in two parts, a line of dashes that joins two nodes, " +
			"a quote that is closed on a later line. Write it without the gap.",
		Wrong: `(a)- ->(b)`,
		Right: `(a)-->(b)`,
	}, {
		Code: CodeDuplicateLabel, Severity: Warning,
		Title:       "A pattern has one label twice.",
		Explanation: "Labels are a set: the second one says nothing. Remove it, or write the one that was meant.",
		Wrong:       `(ada:Person:Person)`,
		Right:       `(ada:Person)`,
	}, {
		Code: CodeDuplicateAnnotation, Severity: Warning,
		Title:       "An annotation stands twice before a pattern.",
		Explanation: "Only the last one counts. Remove one of them.",
		Wrong:       `@author("Ada") @author("Grace") (a:Note)`,
		Right:       `@author("Ada") (a:Note)`,
	}, {
		Code: CodeDuplicateDefinition, Severity: Warning,
		Title: "One name is defined twice, and not in the same words.",
		Explanation: "A pattern with labels or a record defines its name, and a name stands for one thing in a file. " +
			"Refer to the first by its name alone, or rename the second.",
		Wrong: `(ada:Person) (ada:Admin)`,
		Right: `(ada:Person:Admin) (ada)`,
		Peers: []string{"duplicate-element"},
	}, {
		Code: CodeSelfReference, Severity: Warning,
		Title:       "A pattern is an element of itself.",
		Explanation: "It would hold itself without end. Refer to another pattern.",
		Wrong:       `[team:Team | team]`,
		Right:       "[team:Team | ada]\n(ada:Person)",
	}}
}
