// Package jsonschema reads JSON into ordered trees and compares JSON Schemas.
//
//	root, err := jsonschema.Read(text, nil)
//	if err != nil {
//		return err // a *SyntaxError with offsets
//	}
//	schema, _ := jsonschema.NewResolver(root).Follow(root) // behind its $ref
//	for _, m := range schema.MembersOf("properties") {
//		fmt.Println(m.Key, m.Start, m.Value.Raw())
//	}
//
// A [Node] keeps what encoding/json loses: the order of keys, the text of
// numbers, and where each value is. Trees are not changed; an [Edit] makes a
// new one that shares all unchanged parts, with their bytes.
//
// [KeywordNamed] is the table of keywords: what each constrains, and whether
// its value holds schemas.
//
// [Subtype] reports whether every value of a schema is a value of another one: yes,
// no with the locations where it is not, or undecided. It takes untrusted schemas:
// its work is limited.
//
// The reader is our own and not that of encoding/json/jsontext: duplicate keys
// and halves of surrogate pairs are reported to the caller, who may accept them
// and read on, errors have spans, and a tree of small arguments takes a third of
// the allocations.
//
// The package does no I/O. Package validator validates values.
package jsonschema
