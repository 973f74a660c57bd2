// Package compat compares two versions of what tools and agents promise, and
// says of each change whether existing calls still work.
//
//	for _, c := range compat.Agents(old, new) {
//		fmt.Println(c.Class, c.Agent, c.Tool, c.Message)
//	}
//
// Existing calls still work if the tool takes at least what it took before, and
// returns at most what it returned before: the new schema of the arguments is a
// supertype of the old one, that of the result a subtype. Everything else is
// [Breaking], and so is what cannot be decided, with the word "may" in the
// message.
//
// A property that an object does not declare, where additionalProperties says
// nothing of it either, is not part of the promise: an object that gains an
// optional property takes what it took before.
//
// A [Lock] is the promises of tools as a file.
//
// The package does not validate values; see [runtime.Schema]. It takes untrusted
// schemas: its work is limited, whatever they are.
package compat
