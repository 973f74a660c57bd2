// Package openai is a [runtime.Model] that speaks the chat completions
// protocol of OpenAI, which Anthropic, Google and most local servers speak too.
//
//	m, err := openai.New(openai.Options{Provider: "OpenAI", APIKey: key})
//	…
//	response, err := m.Generate(ctx, &runtime.Request{
//		Model:    "gpt-4o-mini",
//		Messages: []runtime.Message{runtime.UserMessage("Hello")},
//	})
//
// Generate retries after lost connections, overloaded servers and unusable
// responses; no tool has run yet, so this is safe. Every failure is a
// [*runtime.Error]. The key is sent only to the host of the base URL and appears
// in no error.
//
// Stream does the same and yields the pieces of the response as they arrive. A stream
// that ends without an end mark or a finish reason is a failure.
//
// The package does not read the environment (see [KeyVariables]), and does not run
// tools: package interp does.
package openai
