package main

import "github.com/spf13/cobra"

// languageTopic is the help on the language itself.
func languageTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "language",
		Short: "The gram language of agents in one page",
		Long: `An agent is a pattern in square brackets: a name, the label Agent, a record, and
behind the bar its tools. A comment runs from // to the end of the line.

  [hello:Agent {
    description: "Greets people",          // may be left out
    instruction: "Greet the user.",
    model: "OpenAI/gpt-4o-mini"            // or Anthropic/…, Google/…
  } |
    [sayHello:Tool {description: "Returns a greeting"} |
      (personName::Text {default: "world"})==>(::String)],
    otherTool                              // a tool defined elsewhere in the file
  ]

A tool has a description and one signature: its parameters and its result, each
in parentheses, joined by ==>. Without parameters it is ()==>(::String).

  (city::Text)==>(days::Int {optional: true})==>(::Array {elementType: "Text"})

Types, each with a second name:

  Text, String     Int, Integer     Double, Number     Bool, Boolean
  Object           any fields, or the declared ones: (user::Object {name::Text, age::Int})
  Array            any elements, or one type: (tags::Array {elementType: "Text"})

A type of more than one word stands in backticks:

  (tags::` + "`[Text]`" + `)   (user::` + "`{name: Text, age: Maybe Int}`" + `)   (size::` + "`Maybe Int`" + `)

In the record of a tool:

  timeout: 5s        how long a call may take; also 500ms, 2m
  retryable: false   after a failure the model may not call it again

In the record of a parameter:

  default: …         the value when none is given; makes it optional
  optional: true     may be left out
  description: "…"   tells the model what it is
  paramName: "…"     its name in JSON, where that is no identifier
  fields: [{name: "a", type: "Text"}]   fields of an Object, in the older form

Text stands in "…", '…' or backticks, with \n, \" and so on; a text of several
lines between two lines of three backticks. Numbers are 42, 1.5 and 0xFF; true
and false are the booleans; a list is [1, 2], a map is {key: value}.`,
	}
}
