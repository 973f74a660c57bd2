package main

import (
	"errors"
	"os"
	"slices"

	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// A recordFlags are the flags that record a run, or replay one.
type recordFlags struct {
	record, replay string // names of files
	tools          bool

	file      *os.File // of the recording that is written
	recording *runtime.Recording
	replayer  *runtime.Replayer
}

func (r *runner) checkRecordFlags() error {
	f := &r.recorded
	switch {
	case f.tools && f.record == "":
		return errors.New("--record-tools has no effect without --record FILE")
	case f.record != "" && f.replay != "":
		return errors.New("--replay calls no model, so there is nothing for --record; use one of them")
	case f.replay != "" && (r.offline || r.baseURL != ""):
		return errors.New("--replay calls no model, so --offline and --base-url have no effect; use one of them")
	}
	return nil
}

// openRecording opens the files of --record and --replay.
func (r *runner) openRecording() (err error) {
	f := &r.recorded
	switch {
	case f.record != "":
		if f.file, err = r.createPrivate("--record", f.record); err != nil {
			return err
		}
		f.recording = runtime.NewRecording(f.file, r.withoutSecrets)
	case f.replay != "":
		f.replayer, err = r.readRecording(f.replay, r.withoutSecrets)
	}
	return err
}

// readRecording reads a recording, and reports what is wrong with it.
func (c *cli) readRecording(name string, redact func(string) string) (*runtime.Replayer, error) {
	c.filesRead.Store(name, true) // also one that does not exist yet: --watch waits for it
	file, err := openRegular(name)
	if err != nil {
		return nil, unusableInput(name, err)
	}
	defer file.Close()
	replayer, err := runtime.ReadRecording(file, redact)
	if err != nil {
		return nil, unusableInput(name, err)
	}
	return replayer, nil
}

// closeRecording ends what --record writes.
func (r *runner) closeRecording() error {
	f := &r.recorded
	if f.file == nil {
		return nil
	}
	if err := errors.Join(f.recording.Err(), f.file.Close()); err != nil {
		return unusableInput("--record "+f.record, err)
	}
	return nil
}

// recordedModels returns models that record, or the recording in place of each.
func (r *runner) recordedModels(models []runtime.Model) []runtime.Model {
	if r.recorded.recording == nil {
		return models
	}
	return recordModels(r.recorded.recording, models)
}

// recordModels puts a recorder in the place of each model.
func recordModels(recording *runtime.Recording, models []runtime.Model) []runtime.Model {
	for i, m := range models {
		models[i] = recording.Recorder(m)
	}
	return models
}

// replayModels returns a recording in the place of each model of an agent.
func replayModels(replayer *runtime.Replayer, a *interp.Agent) []runtime.Model {
	return slices.Repeat([]runtime.Model{replayer}, len(a.Models()))
}

// spentThen returns what stands before the sum of what was spent: a replay spends nothing.
func (f *recordFlags) spentThen() string {
	if f.replayer == nil {
		return ""
	}
	return "nothing was spent; the recording took "
}

// replaysTools reports whether the results of tools come from a recording. No library
// is opened then.
func (f *recordFlags) replaysTools() bool { return f.replayer != nil && f.replayer.HasTools() }

// recordedTools returns tools that record, or whose results are those of the recording.
func (r *runner) recordedTools(tools runtime.Library) (runtime.Library, error) {
	switch f := &r.recorded; {
	case f.tools:
		return f.recording.Library(tools), nil
	case f.replaysTools():
		return f.replayer.Tools(r.agent.Tools)
	}
	return tools, nil
}
