// Package validator checks JSON values against JSON Schemas and reports every way in
// which a value fails.
//
//	schema, err := validator.Compile(root) // a tree of package jsonschema
//	if err != nil {
//		return err
//	}
//	if failure := schema.Validate(text); failure != nil {
//		return report(failure) // a tree: which keyword, where, what was found
//	}
//
// A schema is of draft 2020-12 unless its $schema names 2019-09, 07, 06 or 04.
// References lead to other parts of the same schema or to the schema of a draft;
// nothing is ever loaded. Formats are checked, contentEncoding and contentMediaType are
// not, and $vocabulary has no effect. A part that names another draft must also be what
// the draft of the root allows. Numbers are compared exactly, whatever their size.
//
// Validation reads the text of a value from place to place and makes no tree of it: a
// valid value costs no memory, however large it is. Schemas and values may be hostile:
// the work for one value is limited.
//
// The package does not say in words what is wrong; package runtime does.
//
// It is our own since no other one does all of this: google/jsonschema-go stops at the
// first failure and does not say where it is, compares numbers as float64 and checks no
// formats; santhosh-tekuri/jsonschema, beside which it is fuzzed, compiles the schemas of
// five drafts whenever a program starts, and needs a decoded value.
package validator
