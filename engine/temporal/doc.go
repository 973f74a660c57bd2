// Package temporal makes durable runs on a Temporal server, for those who outgrow one machine:
// any number of processes share the work, and each run goes on when one of them dies. It
// is the loop of package interp and the entries of package durable, as in a journal.
//
//	engine, err := temporal.Dial(ctx, &temporal.Options{Address: "127.0.0.1:7233", Store: store})
//	go engine.Work(ctx, open)
//	id, err := engine.Start(ctx, &temporal.Begin{Run: about, Program: program, Start: start})
//	for record, err := range engine.Follow(ctx, id) { … }
//
// A run is a workflow, and each step of it is an activity, Model or Tool. An activity rebuilds the
// loop from the entries in the history of the workflow, makes its step, and returns the entries
// that a journal would get, and which calls come next. The workflow schedules these: it
// contains nothing else, so that it stays deterministic whatever the loop does. The history is the
// only truth. What a process does whose activity was given to another one is refused by the server.
//
// What a kill does:
//
//   - during a request, an approval, or a call that may be repeated: the activity is made again
//     when its heartbeats have been missing for 5 s;
//   - during any other call: the activity is not made again. Nobody knows what the call did, and
//     the model gets that as its result, as package durable has it;
//   - between two activities: nothing is lost, and nothing made again.
//
// What is larger than 64 KB is not in the history: it is in a [Store], and the history has its
// hash. So are programs, once each, and the conversations that runs continue.
package temporal
