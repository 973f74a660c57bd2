package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// A version identifies a build of gramc.
type version struct {
	version string // "devel" when it was not built from a release
	commit  string // "" when unknown
}

// readVersion reads what the Go toolchain put into the binary.
func readVersion() version {
	v := version{version: "devel"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		v.version = strings.TrimPrefix(info.Main.Version, "v")
	}
	modified := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			v.commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = ", modified"
		}
	}
	if v.commit != "" {
		v.commit += modified
	}
	return v
}

// String returns the version as the command version prints it.
func (v version) String() string {
	text := v.version
	if v.commit != "" {
		text += " (" + v.commit + ")"
	}
	return text + " " + runtime.Version()
}

func (c *cli) versionCommand() *cobra.Command {
	return command("version", cobra.NoArgs, func(*cobra.Command, []string) error {
		_, err := fmt.Fprintf(c.out, "gramc %s\n", readVersion())
		return err
	})
}
