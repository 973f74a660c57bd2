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
	return command("version", cobra.NoArgs, func(*cobra.Command, []string) error {
		_, err := fmt.Fprintf(c.out, "gramc %s\n", readVersion())
		return err
	})
}

// A version identifies a build of gramc.
type version struct {
	version string // "devel" when it was not built from a release
	commit  string // "" when unknown
}

// readVersion reads what the Go toolchain put into the binary.
func readVersion() version {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version{version: "devel"}
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	v := version{version: cmp.Or(strings.TrimPrefix(strings.Trim(info.Main.Version, "()"), "v"), "devel")}
	if commit := settings["vcs.revision"]; commit != "" {
		v.commit = commit[:min(len(commit), 12)]
		if settings["vcs.modified"] == "true" {
			v.commit += ", modified"
		}
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
