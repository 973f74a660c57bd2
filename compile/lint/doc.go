// Package lint reports what is odd in any gram file, whatever the file is about:
// layout that misleads, numbers that are not what they seem, names that are
// defined twice, and what the reference grammar of gram does not accept.
package lint
