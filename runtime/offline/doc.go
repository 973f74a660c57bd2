// Package offline is a [runtime.Model] that calls no model: fixed rules choose
// the tools of an agent and make their arguments from the user's message. It
// needs no network and no key, the same request always gets the same response,
// and every response in plain text starts with "[offline]".
//
//	m := offline.New()
//	bound, err := interp.Bind(agent, lib, m, nil)
//	// response.Content: [offline] sayHello answered: Hello, Ada! Nice to meet you.
//
// The tools that the message names are called, each once: "sayHello" and "say
// hello" both name sayHello. If it names none, the first tool is called. Their
// results are the response.
//
//   - An enum gets the first of its members that the message mentions.
//   - A boolean is true if the message mentions the name of its property.
//   - A number gets the next number of the message that fits.
//   - A string gets the next quoted text. A property whose name ends with name
//     gets the name that the user gave: "I am Ada" or "My name is Ada". A string
//     with a format or a regular expression gets the next word that fits.
//   - Optional properties for which the message has no value are left out.
//     Required ones get their default; without one, a string gets the whole
//     message, and everything else the simplest value that the schema allows.
//
// Arguments always satisfy the schema of the tool. A tool for whose schema these
// rules find none, such as one with an unusual "not", is not called, and the
// response reports it. An agent with an output schema returns the last tool
// result that fits it, or a value made by the same rules.
//
// The package is for demos, first steps and continuous integration; for tests
// of a loop use [runtime.Script].
package offline
