// Package workspace reads gram files and what they import.
//
// A file names in its header the files that it uses:
//
//	{import: ["./types.gram", "./tools/weather.gram"]}
//
// Paths are relative to the file, and nothing outside of the root of the
// project is read. Files may import each other; each is read once.
//
//	u, err := workspace.Open(workspace.NewDisk()).Load("clerk.gram")
//	…
//	program, problems := compile.File(u.File, u.Options(compile.Options{}))
//
// A command line opens one workspace for all its files, and an editor opens one
// whose source is what it shows. What a file means is decided by package compile.
package workspace
