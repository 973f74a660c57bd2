package main

import (
	"errors"
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"strings"

	"github.com/spf13/cobra"
)

// stateFlags are the flags of the commands that use the user's state: sessions and
// durable runs.
type stateFlags struct {
	folder  string // --state
	keyFile string // --state-key-file
}

func (s *stateFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.folder, "state", "", "keep sessions in `DIR` (default $GRAMC_STATE, or the state folder of the user)")
	cmd.Flags().StringVar(&s.keyFile, "state-key-file", "", "encrypt sessions with the key in `FILE` (default $GRAMC_STATE_KEY, or no encryption)")
	if err := cmd.MarkFlagDirname("state"); err != nil {
		panic("gramc: " + err.Error())
	}
}

// folderIn returns the absolute path of the folder with the sessions of the user. What
// decides is the flag, the environment, and what the system wants; a file .env does not:
// it may have been downloaded.
func (s *stateFlags) folderIn(c *cli) (string, error) {
	if s.folder != "" {
		return filepath.Abs(s.folder)
	}
	if folder, _ := c.lookup("GRAMC_STATE"); folder != "" {
		return filepath.Abs(folder)
	}
	if folder := c.userState(goruntime.GOOS); folder != "" {
		return folder, nil
	}
	return "", errors.New("there is no folder for sessions, since no home folder is known; name one with --state or $GRAMC_STATE")
}

// userState returns the folder in which a system wants the state of the user's programs;
// "" if that is unknown.
func (c *cli) userState(system string) string {
	variable := func(name string) string {
		value, _ := c.lookup(name)
		if !filepath.IsAbs(value) {
			return ""
		}
		return value
	}
	home := variable("HOME")
	state := variable("XDG_STATE_HOME")
	switch {
	case system == "windows":
		state = variable("LOCALAPPDATA")
	case state != "" || home == "":
	case system == "darwin":
		state = filepath.Join(home, "Library", "Application Support")
	default:
		state = filepath.Join(home, ".local", "state")
	}
	if state == "" {
		return ""
	}
	return filepath.Join(state, "gramc")
}

// keyIn returns the key that encrypts sessions; nil without one.
func (s *stateFlags) keyIn(c *cli) ([]byte, error) {
	key, from := "", "$GRAMC_STATE_KEY"
	if s.keyFile != "" {
		text, err := c.readInput(s.keyFile)
		if err != nil {
			return nil, err
		}
		key, from = text, s.keyFile
	} else if value, ok := c.lookup("GRAMC_STATE_KEY"); ok {
		key = value
	} else {
		return nil, nil
	}
	if key = strings.TrimSpace(key); key == "" {
		return nil, fmt.Errorf("%s has no key for the sessions", from)
	}
	return []byte(key), nil
}

// place returns the state folder, and the key that encrypts what is in it; nil without one.
func (s *stateFlags) place(c *cli) (folder string, key []byte, err error) {
	if folder, err = s.folderIn(c); err == nil {
		key, err = s.keyIn(c)
	}
	return folder, key, err
}

// private returns the folders that no tool for files may enter.
func (s *stateFlags) private(c *cli) []string {
	folder, err := s.folderIn(c)
	if err != nil {
		return nil
	}
	return []string{folder}
}
