// Package scenario runs tests of agents: it holds their conversations, with a
// scripted, recorded or real model, and compares what happened with what must hold.
//
//	outcome := scenario.Run(ctx, test, &scenario.Options{Agent: agent, Library: tools})
//	if !outcome.Passed() { … }
//
// Package compile/scenario makes the tests of a gram file.
package scenario
