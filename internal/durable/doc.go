// Package durable makes runs that survive the end of their process: what each step of a run
// led to is in a journal before the run goes on, and a run that is resumed does no
// finished step twice.
//
//	run, err := durable.Begin(ctx, j, &journal.Run{Agent: "clerk"}, program, start, nil)
//	bound, err := interp.Bind(agent, library, model, run.Options(nil))
//	for event, err := range run.Events(ctx, bound) { … }
//
// A process can end at any moment. What happens then, when the run is resumed:
//
//   - before the first entry is written: there is no run. With [Options.Ahead] its first request
//     may have been sent, which costs money and nothing else;
//   - during a request, or before its outcome is written: the request is sent again, which costs
//     money and nothing else;
//   - during an approval: the question is asked again;
//   - during a call of a tool that may be repeated, or before its outcome is written: the
//     call is made again, with the same [runtime.CallKey];
//   - during any other call, after its intent is written and before its outcome is: nobody knows
//     what the call did. It is not made again. The model gets that as its result, or
//     a person decides;
//   - after an outcome is written: the step is not made again;
//   - before the end of the run is written: all steps are replayed, and it is written then.
//
// A write that fails ends the run before the next step. Pieces of responses are not
// journaled.
package durable
