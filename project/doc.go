// Package project reads gram files and what they import.
//
// A file says in its header what it uses:
//
//	{import: ["./types.gram", "./tools/weather.gram"]}
//
// Paths are relative to the file, and nothing outside of the root of the
// project is read. Files may import each other; each is read once.
package project
