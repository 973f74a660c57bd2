// Package interp runs agents: it sends the conversation to a model, calls the
// tools that the model asks for, adds their results to the conversation, and
// repeats that until the model answers with text.
//
//	agent, problems := interp.Load(file, "", interp.ModeAuto)
//	…
//	bound, err := interp.Bind(agent, library, model, nil)
//	if err != nil {
//		return err
//	}
//	response, err := bound.Run(ctx, "Hello!", nil)
//	if err != nil {
//		return err
//	}
//	fmt.Println(response.Content)
//	conversation = response.Conversation // for the next message
//
// [Load] makes an [Agent] from the tree of a gram file or from a compiled
// program; both run through the same loop. [Bind] proves that its tools fit.
// [Bound.Events] yields every step of a run, [Bound.Run] returns its end.
//
// A tool that fails does not end a run: the model gets the reason and may try
// something else. What ends a run without an answer is a [*runtime.Error], or
// the end of the context.
//
// The package knows no provider; see [runtime.Model].
package interp
