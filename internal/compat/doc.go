// Package compat compares two versions of what tools and agents promise, and
// says of each change whether calls that worked go on to work.
//
//	for _, c := range compat.Agents(old, new) {
//		fmt.Println(c.Class, c.Agent, c.Tool, c.Message)
//	}
//
// A call goes on to work when the tool takes at least what it took, and gives
// at most what it gave: the schema of the arguments may get wider, that of the
// result narrower. Everything else is [Breaking], and so is what cannot be
// decided, with the word "may" in the message.
//
// A field that an object does not declare, and does not speak of with
// additionalProperties either, is no part of the promise: an object that gets
// one more optional field takes what it took.
//
// A [Lock] is the promises of tools as a file.
//
// The package validates no values; that is what [runtime.Schema] is for. It
// takes schemas of strangers: whatever they are, it ends, and soon.
package compat
