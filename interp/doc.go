// Package interp runs agents: it asks a model, calls the tools that the model
// wants, tells it the results, and does so until the model answers with text.
//
//	response, err := interp.Run(ctx, agent, "Hello!", nil, library, model, nil)
//	if err != nil {
//		return err
//	}
//	fmt.Println(response.Content)
//	conversation = response.Conversation // for the next turn
//
// An [Agent] is made from the tree of a gram file or from a compiled program;
// both run through the same loop. [Events] shows every step of it, [Run] only
// the end.
//
// A tool that fails does not end a run: the model is told why and may try
// something else. What ends a run without an answer is an
// [*runtime.Error], or the end of the context.
//
// The package does not know any provider: that is what a [runtime.Model] is
// for.
package interp
