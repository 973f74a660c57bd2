// Package compat compares two versions of agents and tools, and reports for each
// change whether existing calls still work.
//
//	for _, c := range compat.Agents(old, new) {
//		fmt.Println(c.Class, c.Agent, c.Tool, c.Message)
//	}
//
// Existing calls still work if the tool takes at least what it took before, and
// returns at most what it returned before: the new schema of the arguments is a
// supertype of the old one, that of the result a subtype. Everything else is
// [Breaking], and so is what cannot be decided; its message contains "may".
//
// A property that an object does not declare, and that no additionalProperties
// covers, is not part of the promise: an object that gains an optional property
// still takes what it took before.
//
// A [Lock] records descriptions and schemas of tools in a file.
//
// The package does not validate values; see [runtime.Schema]. Schemas
// can be untrusted: the work is limited.
package compat
