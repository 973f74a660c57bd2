// Package anthropic sends the requests of a run to Anthropic's Messages API, with
// the types of its SDK (https://platform.claude.com/docs/en/api/messages).
//
// The instruction and the tools come first and are the same bytes in every request
// of a run, with marks for the cache of the API, so that a turn pays the full price
// only for what is new in it. Thinking comes back unchanged, in the Extra of its
// message, under the name of the provider.
//
//	model, err := anthropic.New(anthropic.Options{APIKey: os.Getenv("ANTHROPIC_API_KEY")})
//
// Of the SDK, only requests and responses are used. It reads no environment and no
// configuration file, records no traces and repeats nothing; connections, retries
// and limits are those of all models.
package anthropic
