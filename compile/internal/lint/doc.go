// Package lint reports what is suspicious in any gram file, whatever the file
// describes: misleading layout, numbers that are not what they seem, names that
// are defined twice, and extensions that tree-sitter-gram does not accept.
package lint
