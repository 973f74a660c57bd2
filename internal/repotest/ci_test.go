package repotest

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
				args := []string{"test", dir, "-run=^$", "-fuzz=^" + target + "$", "-fuzztime=5s", "-fuzzminimizetime=1x"}
				if out, err := exec.Command("go", args...).CombinedOutput(); err == nil || !endedInMidst(string(out)) {
					mustPass(t, args, out, err)
					return
				}
				run(t, nil, "go", args...)
			})
		}
		return nil
	})
	if err != nil || found < 4 {
		t.Errorf("%d fuzz targets: %v", found, err)
	}
}

// endedInMidst reports whether fuzzing failed for nothing but that its time was
// over while an input was tried: go.dev/issue/75804, mended in Go 1.27.
func endedInMidst(out string) bool {
	return strings.Contains(out, "context deadline exceeded") && !strings.Contains(out, "Failing input") && !strings.Contains(out, "panic")
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
	out, err := cmd.CombinedOutput()
	mustPass(t, args, out, err)
}

func mustPass(t *testing.T, args []string, out []byte, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
