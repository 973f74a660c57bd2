package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// languageTopic is the help on the language itself.
func languageTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "language",
		Short: "The gram language of agents in one page",
		Long:  strings.ReplaceAll(languagePage, "´", "`"),
	}
}

// languagePage has ´ in place of backticks.
const languagePage = `An agent is a pattern in square brackets: a name, the label Agent, a record, and
behind the bar its tools. A comment runs from // to the end of the line.

  [hello:Agent {
    instruction: "Greet the user with ´sayHello´.",
    model: "OpenAI/gpt-4o-mini"            // or Anthropic/…, Google/…
  } |
    [sayHello:Tool {description: "Returns a greeting"} |
      (personName::Text {default: "world"})==>(::String)
    ],
    otherTool                              // defined elsewhere, or imported
  ]

More of an agent: description, temperature, maxTokens, maxIterations, and
returns::Type, the type of its answer. More of a tool: timeout: 5s,
retryable: false, strict: true, deprecated: "use otherTool".

A signature is a chain of parameters with the result at its end, joined by ==>.
Without parameters it is ()==>(::String). A type of more than one word is written
in backticks.

  (city::Text)==>(days::Int {optional: true})==>(::´[Text]´)

  Text (String), Int (Integer), Number (Double), Bool (Boolean), Any, Null
  ´[Text]´, ´Text[]´             a list; also Array {of::Text}
  ´{a: Text, b?: Int = 1}´       fields; also Object {a::Text, b::Int}
  ´Map<Int>´, ´{*: Int}´         any keys, values of one type; also Map {of::Int}
  ´Text?´                        or null
  ´Int | Text´, ´"km" | "mi"´    one of several types, or values
  ´Text(minLength=1)´            with attributes

Attributes are in the record of a parameter, a field, a result or a type:

  default, optional: true, nullable: true, description, title, examples
  Int, Number    min, max, range: 1..10, exclusiveMin, exclusiveMax, multipleOf
  Text           minLength, maxLength, pattern, format: date
  Array          of, minItems, maxItems, unique: true
  Object         closed: true, minFields, maxFields
  single values  enum: ["a", "b"], const

One colon gives an attribute its value, two declare a field. Types have names:

  [Address:Type {description: "Where to"} | (street::Text), (zip::Text)]
  [Point:Type {x::Number, y::Number}]
  [Email:Type {format: email} | (::Text)]
  [Unit:Enum {values: ["km", "mi"]}]
  [Place:Union | (::Address), (::Point)]

A record at the start of a file imports the tools and types of others:

  {import: ["./types.gram"]}

Text is written in "…", '…' or backticks, with \n, \" and so on; a text of several
lines between two lines of three backticks. Numbers are 42, 1.5 and 0xFF; true
and false are the booleans; a list is [1, 2], a map is {key: value}.

docs/language.md has the details, and the JSON Schema of each type.`
