// Package journal keeps what runs have done, in one SQLite file that survives
// the end of the process at any moment. Several processes may share the file.
//
//	j, err := journal.Open(folder, nil)
//	claim, err := j.Create(ctx, &journal.Run{Agent: "clerk"}, program, start)
//	err = claim.Append(ctx, journal.Entry{Key: "1", Kind: "outcome", Data: data})
//	err = claim.End(ctx, journal.Finished, "")
//
// A run is a list of entries, numbered from 0 without a gap. One process at a
// time has the claim of a run and appends to it: it holds a lock that the system
// releases when the process ends, however that happens. Each claim has a higher
// epoch than the one before, and an append of an older epoch is refused, so that
// a process which slept through its own replacement cannot write any more.
//
// An append is on the disk when it returns. Appends that wait at the same time
// share one transaction. After an append has failed, the claim writes nothing more.
//
// The package knows nothing about agents: what the entries say is the business of
// package durable.
package journal
