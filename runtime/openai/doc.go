// Package openai is a [runtime.Model] that speaks the chat completions
// protocol of OpenAI, which Anthropic, Google and most local servers speak too.
//
//	m, err := openai.New(openai.Options{Provider: "OpenAI", APIKey: key})
//	…
//	answer, err := m.Generate(ctx, &runtime.Request{
//		Model:    "gpt-4o-mini",
//		Messages: []runtime.Message{runtime.UserMessage("Hello")},
//	})
//
// One call of Generate is one answer: lost connections, full servers and
// broken answers are retried inside, because nothing has been executed yet.
// Whatever goes wrong in the end is a [*runtime.Error]. The key goes to the
// host it was given for and into no error text.
//
// The package does not read the environment (see [KeyVariables]), does not
// stream, and does not run tools: that is the loop in package interp.
package openai
