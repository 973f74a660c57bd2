// Package builtin holds the tools that come with gramc: files below one folder,
// a calculator and a clock. Each is bound by its name:
//
//	t, err := builtin.New("read_file", builtin.Options{Root: "data"})
//	if err == nil {
//		lib, err = lib.Add(t.Name(), t)
//	}
//
// [Library] has what needs no options and changes nothing.
//
// The arguments come from a model, which may have them from anywhere. So paths
// are relative and stay below the root, whatever happens there meanwhile; links
// are not followed; pipes and devices are not opened; a file with a second name
// is neither read nor replaced; names that start with a dot are not there
// unless that is wanted; a file is read whole or not at all, and replaced whole
// or not at all. Another program that may change the folder can make a call
// fail, but not lead it out.
//
// It is not a collection of tools for every purpose: a program that needs more
// adds its own to the library. Those that use the network are in runtime/web.
package builtin
