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
// not, and $vocabulary has no effect. Numbers are compared exactly, whatever their size.
//
// Validation reads the text of a value from place to place and makes no tree of it: a
// valid value costs no memory, however large it is. Schemas and values may be hostile:
// the work for one value is limited.
//
// The package does not say in words what is wrong; package runtime does.
package validator
