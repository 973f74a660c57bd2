package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// runSettings are how a session was begun: what gramc resume needs besides the journal.
type runSettings struct {
	Folder    string   `json:"folder"`              // the working directory
	Flags     []string `json:"flags,omitempty"`     // of gramc run
	Providers []string `json:"providers,omitempty"` // files of --providers
	Script    bool     `json:"script,omitempty"`    // it was begun with messages, by --durable
}

// passingFlags are the flags of gramc run that concern one process alone: what it reads
// and shows, where it keeps what, and how long it runs.
var passingFlags = []string{"message", "attach", "trace", "record", "record-tools", "replay", "json", "quiet", "timeout",
	"durable", "session", "no-session", "state", "state-key-file", "color", "providers", "model", "agent"}

// settingsNow returns the settings of a session that the command begins.
func (r *runner) settingsNow() (*runSettings, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	s := &runSettings{Folder: folder, Script: len(r.messages) > 0}
	for _, name := range r.providerFiles {
		path, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		s.Providers = append(s.Providers, path)
	}
	r.keeping.flags.Visit(func(f *pflag.Flag) {
		if slices.Contains(passingFlags, f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			if f.Name == "library" {
				if path, absErr := filepath.Abs(value); absErr == nil {
					value = path
				}
			}
			s.Flags = append(s.Flags, "--"+f.Name+"="+value)
		}
	})
	return s, nil
}

// encode returns the settings as they are kept.
func (s *runSettings) encode() []byte {
	text, err := json.Marshal(s)
	if err != nil {
		panic("gramc: settings have no JSON form: " + err.Error())
	}
	return text
}

// readSettings reads the settings of a session.
func readSettings(text []byte) (*runSettings, error) {
	s := &runSettings{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("the settings of the session cannot be read: %w", err)
	}
	return s, nil
}

// take makes a new runner one that goes on with the session of the settings.
func (r *runner) take(s *runSettings) error {
	cmd := &cobra.Command{}
	r.addFlags(cmd)
	if err := cmd.ParseFlags(s.Flags); err != nil {
		return fmt.Errorf("the session was begun with a flag that this version of gramc does not take: %w", err)
	}
	if r.providerFiles == nil {
		r.providerFiles = s.Providers
	}
	if here, err := os.Getwd(); err != nil || here != s.Folder {
		if err := os.Chdir(s.Folder); err != nil {
			return fmt.Errorf("the session was begun in a folder that cannot be entered: %w", err)
		}
		r.note("in " + cleanLine(s.Folder))
	}
	var err error
	r.account, err = r.budget.account(cmd)
	if r.offline {
		r.account = nil
	}
	return err
}
