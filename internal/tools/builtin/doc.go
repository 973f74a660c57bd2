// Package builtin has the tools that come with gramc: files below one folder, a
// calculator and a clock. Each is made by its name:
//
//	t, err := builtin.New("read_file", builtin.Options{Root: "data"})
//	if err == nil {
//		lib, err = lib.Add(t.Name(), t)
//	}
//
// [Library] has what needs no options and changes nothing.
//
// The arguments come from a model and are not trusted. So paths are relative and
// stay below the root, even if the folder changes during a call; links are not
// followed; pipes and devices are not opened; a file with a second hard link is
// neither read nor replaced; names that start with a dot are hidden by default; a
// file is read completely or not at all, and replaced completely or not at all.
// Another program that changes the folder can make a call fail, but not lead it
// outside.
//
// The tools that use the network are in package web.
package builtin
