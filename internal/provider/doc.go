// Package provider knows what the API of each model provider accepts: names of
// tools, JSON Schemas of arguments and of structured output, and their limits. It
// reports before a request what the API would refuse.
//
//	lowered, problems := provider.Lower(schema, provider.OpenAIStrict)
//	if lowered == nil {
//		return problems // at least one of them is an Error
//	}
//	…send lowered; then turn what the model sends back:
//	args = provider.Restore(schema, args)
//
// [Lower] rewrites a schema for a target, [Wrap] makes its root an object, and
// [Names] gives tools names that the target accepts. The limits are in one table,
// in limits.go, with links to the documentation.
//
// The package reads JSON Schema 2020-12 and knows nothing about gram. It does not
// validate values: the run does that, with the original schema.
package provider
