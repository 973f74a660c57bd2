package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func cliWith(env map[string]string) *cli {
	return newCLI(&stdio{lookup: func(name string) (string, bool) { value, ok := env[name]; return value, ok }})
}

func TestWhereSessionsAre(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	for _, tt := range []struct {
		system, want string
		env          map[string]string
	}{
		{"linux", "/home/ada/.local/state/gramc", map[string]string{"HOME": "/home/ada"}},
		{"linux", "/state/gramc", map[string]string{"HOME": "/home/ada", "XDG_STATE_HOME": "/state"}},
		{"linux", "/home/ada/.local/state/gramc", map[string]string{"HOME": "/home/ada", "XDG_STATE_HOME": "relative"}},
		{"darwin", "/Users/ada/Library/Application Support/gramc", map[string]string{"HOME": "/Users/ada"}},
		{"darwin", "/state/gramc", map[string]string{"HOME": "/Users/ada", "XDG_STATE_HOME": "/state"}},
		{"windows", "/local/gramc", map[string]string{"LOCALAPPDATA": "/local", "HOME": "/home/ada", "XDG_STATE_HOME": "/state"}},
		{"linux", "", nil},
		{"linux", "", map[string]string{"HOME": "relative"}},
		{"windows", "", map[string]string{"HOME": "/home/ada"}},
	} {
		if got := cliWith(tt.env).userState(tt.system); got != tt.want {
			t.Errorf("%s with %v: %q, want %q", tt.system, tt.env, got, tt.want)
		}
	}
	c := cliWith(map[string]string{"HOME": "/home/ada", "GRAMC_STATE": "/kept"})
	if got, err := c.state.folderIn(c); got != "/kept" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	c.state.folder = "here"
	if got, err := c.state.folderIn(c); !filepath.IsAbs(got) || filepath.Base(got) != "here" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	c = cliWith(nil)
	if _, err := c.state.folderIn(c); err == nil || !strings.Contains(err.Error(), "--state") {
		t.Error(err)
	}
}

func TestAFileInTheProjectDoesNotSayWhereSessionsAre(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ".env"), []byte("GRAMC_STATE=/elsewhere\nGRAMC_STATE_KEY="+strings.Repeat("00", 32)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	c := cliWith(map[string]string{"HOME": "/home/ada"})
	if got, err := c.state.folderIn(c); err != nil || strings.Contains(got, "elsewhere") {
		t.Errorf("%q, %v", got, err)
	}
	if key, err := c.state.keyIn(c); key != nil || err != nil {
		t.Errorf("%x, %v", key, err)
	}
}

func TestTheKeyOfSessions(t *testing.T) {
	dir := t.TempDir()
	file, empty := filepath.Join(dir, "key"), filepath.Join(dir, "empty")
	for name, text := range map[string]string{file: "of the file\n", empty: " \n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		file, want string
		env        map[string]string
	}{
		{"", "", nil},
		{"", "of the environment", map[string]string{"GRAMC_STATE_KEY": "of the environment"}},
		{file, "of the file", map[string]string{"GRAMC_STATE_KEY": "of the environment"}},
		{"", "error: $GRAMC_STATE_KEY has no key for the sessions", map[string]string{"GRAMC_STATE_KEY": ""}},
		{empty, "error: " + empty + " has no key for the sessions", nil},
	} {
		c := cliWith(tt.env)
		c.state.keyFile = tt.file
		key, err := c.state.keyIn(c)
		got := string(key)
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != tt.want {
			t.Errorf("file %q, %v: %q, want %q", tt.file, tt.env, got, tt.want)
		}
	}
}
