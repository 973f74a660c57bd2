package process

import (
	"os"
	"runtime"
)

// Environment returns the variables that every program needs, as far as they
// are set, and then extra, "NAME=value" each. The rest of the environment may
// contain keys and passwords and is left out.
func Environment(extra []string) []string {
	names := []string{"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"}
	if runtime.GOOS == "windows" {
		names = []string{
			"PATH", "PATHEXT", "SystemRoot", "SystemDrive", "ComSpec", "TEMP", "TMP", "USERPROFILE",
			"APPDATA", "LOCALAPPDATA", "ProgramData", "ProgramFiles",
		}
	}
	env := []string{}
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return append(env, extra...)
}
