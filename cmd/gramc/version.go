package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func (c *cli) versionCommand() *cobra.Command {
	return command("version", noArguments, func(*cobra.Command, []string) error {
		_, err := fmt.Fprintf(c.out, "gramc %s\n", versionLine())
		return err
	})
}

// versionLine returns the versions of gramc and of Go.
func versionLine() string { return version() + " " + runtime.Version() }

// version returns the version of gramc that the Go toolchain put into the binary,
// in which a build without a release has its commit; "devel" when there is none.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	return cmp.Or(strings.TrimPrefix(strings.Trim(info.Main.Version, "()"), "v"), "devel")
}
