// Package gemini is a [runtime.Model] that speaks the Gemini API of Google:
// generateContent, and streamGenerateContent with server-sent events.
//
//	m, err := gemini.New(gemini.Options{APIKey: key})
//	…
//	response, err := m.Generate(ctx, &runtime.Request{
//		Model:    "gemini-2.5-flash",
//		Messages: []runtime.Message{runtime.UserMessage("Hello")},
//	})
//
// It is a small adapter over REST. Google's own module, google.golang.org/genai,
// would add gRPC, OpenCensus and 8 MB to every program, for one POST request and its
// response.
//
// Parts of a response that must come back unchanged, such as those with thought
// signatures, are kept in the Extra of the message. Calls of other models, which have
// no signature, are sent with the placeholder that Google documents for them.
//
// Requests are repeated after lost connections, overloaded servers and unusable
// responses; no tool has run yet, so this is safe. Every failure is a
// [*runtime.Error]. The key is sent in a header, only to the host of the base URL,
// and appears in no error.
//
// The package does not read the environment, and does not run tools: package interp
// does.
package gemini
