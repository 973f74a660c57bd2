// Package interp runs agents: it sends the conversation to a model, calls the
// tools that the model requests, adds their results to the conversation, and
// repeats that until the model responds with text.
//
//	agent, problems := interp.Load(file, "", interp.ModeAuto, nil)
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
// [Load] makes an [Agent] from the tree of a gram file, [FromProgram] from a
// compiled program; both run in the same loop. [Bind] proves that the tools of the agent fit.
// [Bound.Events] yields every step of a run, [Bound.Run] returns its response.
//
// A tool that fails does not end a run: the model gets the error and can try
// something else. A run without a response ends with a [*runtime.Error], or with
// the error of the context.
//
// The package knows no provider; see [runtime.Model].
package interp
