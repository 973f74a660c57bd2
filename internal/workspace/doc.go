// Package workspace reads gram files and what they import.
//
// A file says in its header what it uses:
//
//	{import: ["./types.gram", "./tools/weather.gram"]}
//
// Paths are relative to the file, and nothing outside of the root of the
// project is read. Files may import each other; each is read once.
//
//	p := project.New(project.RootOf("clerk.gram"), read)
//	file, err := p.Load("clerk.gram")
//	…
//	program, problems := compile.File(file.File, &compile.Options{Imported: file.Imported()})
//
// The problems of file.Problems come before those. What a file means, package
// compile says.
package workspace
