package gramc_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFuzzTargets lets every fuzz target run for some seconds on new inputs.
func TestFuzzTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	found := 0
	err := filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`).FindAllSubmatch(text, -1) {
			found++
			target, dir := string(m[1]), "./"+filepath.ToSlash(filepath.Dir(path))
			t.Run(target, func(t *testing.T) {
				run(t, nil, "go", "test", dir, "-run=^$", "-fuzz=^"+target+"$", "-fuzztime=5s", "-fuzzminimizetime=1x")
			})
		}
		return nil
	})
	if err != nil || found < 4 {
		t.Errorf("%d fuzz targets: %v", found, err)
	}
}

// TestCommandsBuildForOtherSystems builds every command, statically, for the
// systems that tests do not run on.
func TestCommandsBuildForOtherSystems(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	for _, target := range []string{"windows/amd64", "darwin/arm64", "linux/arm64"} {
		system, arch, _ := strings.Cut(target, "/")
		t.Run(system+"-"+arch, func(t *testing.T) {
			run(t, []string{"CGO_ENABLED=0", "GOOS=" + system, "GOARCH=" + arch}, "go", "build", "-o", t.TempDir(), "./cmd/...")
		})
	}
}

func run(t *testing.T, env []string, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
