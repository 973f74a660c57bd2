// Package offline is a [runtime.Model] without a model: it calls the tools of
// an agent and answers from their results, by fixed rules, without network,
// key, time or chance. The same request always gets the same answer, and every
// answer in words starts with "[offline]".
//
//	m := offline.New()
//	bound, err := interp.Bind(agent, lib, m, nil)
//	// response.Content: [offline] sayHello answered: Hello, Ada! Nice to meet you.
//
// # Which tool
//
// The tools that the user's message names are called, each once, in the order
// of the message: "sayHello" and "say hello" both name sayHello. If it names
// none, the one tool is called that shares most words with the message, where
// words of its name count three times and those of its description, and of the
// sentences of the instruction that mention it, once. In a tie, and if there
// is nothing in common, it is the first one. When no call is left, the results
// since the message are the answer.
//
// # Which arguments
//
//   - A string whose name suggests the name of a person (name, personName,
//     user…) gets the name that the user gave last, anywhere in the
//     conversation: "My name is Ada", "I am Ada", "I'm Ada", "call me Ada".
//     After "I am" it must have a capital, so that nobody is called hungry.
//   - An enum gets the member that the message mentions first.
//   - A number gets the next number of the message that fits, a string the
//     next quoted text, a string with a format or a pattern the next word that
//     fits, a string called expression the arithmetic in the message.
//   - A boolean is true if the message mentions its name, and false if it says
//     no, not or without before it; "true", "yes", "false" and "no" also count.
//   - Arrays take all numbers, quoted texts or enum members that are left.
//   - Optional properties for which the message has no value are left out.
//     Required ones get their default; else strings get the whole message (the
//     name of a person: "friend"), enums their first member, and everything
//     else the simplest value that the schema allows.
//
// Arguments always satisfy the schema of the tool. A schema for which these
// rules find none, such as one with an odd "not", is not called, and the
// answer says so.
//
// # Which answer
//
// An answer with a schema is the last result of a tool that fits it, or else a
// value that is made by the rules for arguments. It is plain JSON, without the
// mark in front. If there is none, the answer is text and says so.
//
// The package is for demos, first steps and continuous integration. It
// understands nothing; for tests of a loop use [runtime.Script].
package offline
