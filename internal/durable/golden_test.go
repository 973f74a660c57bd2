package durable_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/durable"
	"github.com/gram-lang/gramc/internal/golden"
	"github.com/gram-lang/gramc/internal/journal"
	"github.com/gram-lang/gramc/interp"
	"github.com/gram-lang/gramc/runtime"
)

// goldenRun has the entries of a run, one a line. It stays as it is for as long as
// [interp.StepsVersion] does: runs that people have begun go on with later versions of gramc.
const goldenRun = "testdata/run1.jsonl"

type goldenEntry struct {
	Key  string          `json:"key"`
	Kind string          `json:"kind"`
	Data json.RawMessage `json:"data"`
}

func TestRunsOfEarlierVersionsGoOn(t *testing.T) {
	if golden.Updating() {
		writeGoldenRun(t)
	}
	entries := readGoldenRun(t)
	var want []runtime.Message
	for n := 1; n < len(entries); n++ {
		s := newStage(t, busy)
		s.approve = allow
		s.restore(entries[:n])
		if _, err := s.run(nil); err != nil {
			t.Fatalf("after %d entries: %v", n, err)
		}
		made := 0
		for _, times := range s.effects {
			made += times
		}
		outcomes := 0
		for _, e := range entries[:n] {
			if e.Kind == "outcome" && !strings.HasSuffix(e.Key, "/approval") {
				outcomes++
			}
		}
		record := s.read()
		unknown := 0
		for _, step := range record.Steps {
			if step.Outcome.Unknown {
				unknown++
			}
		}
		if all := made + outcomes + unknown; all != 10 {
			t.Errorf("after %d entries, %d steps are made, %d replayed and %d unknown, of 10", n, made, outcomes, unknown)
		}
		if unknown > 0 {
			continue
		}
		if want == nil {
			want = record.End.Messages
		}
		if diff := cmp.Diff(want, []runtime.Message(record.End.Messages)); diff != "" {
			t.Errorf("after %d entries: %s", n, diff)
		}
	}
	s := newStage(t, busy)
	s.restore(entries)
	if end := s.read().End; end == nil || end.Content != "done" || !cmp.Equal(want, []runtime.Message(end.Messages)) {
		t.Errorf("the end is read as %+v", end)
	}
}

// restore makes a run of entries that nobody has claimed.
func (s *stage) restore(entries []journal.Entry) {
	s.t.Helper()
	s.open()
	defer s.close()
	claim, err := s.j.Create(s.t.Context(), &journal.Run{ID: "r", Agent: "a"}, []byte("program"), entries[0])
	if err == nil {
		err = claim.Append(s.t.Context(), entries[1:]...)
	}
	if err == nil {
		err = claim.Release(s.t.Context())
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func writeGoldenRun(t *testing.T) {
	s := newStage(t, busy)
	s.approve = allow
	if _, err := s.run(nil); err != nil {
		t.Fatal(err)
	}
	s.open()
	defer s.close()
	entries, err := s.j.Entries(t.Context(), "r")
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	for _, e := range entries {
		line, err := json.Marshal(goldenEntry{e.Key, e.Kind, e.Data})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	if err := os.MkdirAll(filepath.Dir(goldenRun), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(goldenRun, lines.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%s is written; review it", goldenRun)
}

func readGoldenRun(t *testing.T) (entries []journal.Entry) {
	t.Helper()
	text, err := os.ReadFile(goldenRun)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var e goldenEntry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, journal.Entry{Key: e.Key, Kind: e.Kind, Data: e.Data})
	}
	return entries
}

func TestRunsThatCannotGoOnSaySo(t *testing.T) {
	entries := readGoldenRun(t)
	changed := func(i int, from, to string) []journal.Entry {
		list := append([]journal.Entry(nil), entries...)
		list[i].Data = bytes.Replace(list[i].Data, []byte(from), []byte(to), 1)
		if bytes.Equal(list[i].Data, entries[i].Data) {
			t.Fatalf("entry %d has no %s", i, from)
		}
		return list[:len(list)-1]
	}
	call := 0
	for entries[call].Key != "1/1" {
		call++
	}
	unknown := append([]journal.Entry(nil), entries...)
	unknown[1].Kind = "later"
	for name, test := range map[string]struct {
		entries []journal.Entry
		want    string
	}{
		"loop":   {changed(0, `"loop":1`, `"loop":2`), "its loop has version 2, and this one continues version 1"},
		"format": {changed(0, `"format":1`, `"format":2`), "its journal has version 2"},
		"tool":   {changed(call, `"tool":"safe"`, `"tool":"other"`), `its step 1/1 was about tool "other", and is now about "safe"`},
		"args":   {changed(call, `"args_sha256":"`, `"args_sha256":"0`), "its step 1/1, of tool \"safe\", had other arguments"},
		"kind":   {unknown, `an entry is of kind "later"`},
		"broken": {changed(call, `{`, `[`), "step 1/1 of the run cannot be read"},
	} {
		s := newStage(t, busy)
		s.restore(test.entries)
		s.open()
		run, err := durable.Resume(t.Context(), s.j, "r", nil)
		if err == nil {
			_, err = last(t.Context(), run, s.bind(run.Options(&interp.Options{})))
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || len(s.effects) > 0 {
			t.Errorf("%s: %v, %v", name, err, s.effects)
		}
		var version *durable.VersionError
		if is := name == "loop" || name == "format"; errors.As(err, &version) != is {
			t.Errorf("%s: %T", name, err)
		}
		s.close()
		if _, err := durable.Read(t.Context(), reopened(t, s), "r"); (err == nil) != (name == "loop" || name == "tool" || name == "args") {
			t.Errorf("%s: it is read with the error %v", name, err)
		}
	}
}

// reopened returns the journal of a stage until the end of the test.
func reopened(t *testing.T, s *stage) *journal.Journal {
	s.open()
	t.Cleanup(s.close)
	return s.j
}
