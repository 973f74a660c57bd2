// Package provider knows what the API of each model provider takes: the names of
// tools, the JSON Schema of their arguments and of answers, and the limits on
// both. It reports before a request what the API would refuse.
//
//	lowered, problems := provider.Lower(schema, provider.OpenAIStrict)
//	if lowered == nil {
//		return problems // at least one of them is an Error
//	}
//	…send lowered; then turn what the model sends back:
//	args = provider.Restore(schema, args)
//
// [Lower] writes a schema as a target takes it, [Wrap] gives it an object as
// its root, and [Names] gives tools names that the target takes. The limits
// are in one table, in limits.go, with links to the documentation.
//
// The package reads JSON Schema 2020-12 and knows nothing of gram. It does not
// validate values: that is left to the validator of the run, with the schema
// as it was before it was lowered.
package provider
