package journal

import (
	"errors"
	"strings"
	"testing"
)

func TestARunIsWhatWasAppended(t *testing.T) {
	for name, o := range map[string]*Options{"plain": nil, "encrypted": {Key: []byte("a passphrase of many words")}} {
		t.Run(name, func(t *testing.T) {
			dir := newFolder(t)
			j := opened(t, dir, o)
			long := strings.Repeat("long ", 1000)
			c := begun(t, j, Run{ID: "a", Session: "s", Agent: "clerk", File: "clerk.gram", Title: "hello"})
			must(t, c.Append(t.Context(), Entry{Key: "1", Kind: "intent"}, Entry{Key: "1", Kind: "outcome", Data: []byte(long)}))
			must(t, c.End(t.Context(), Failed, "no model", Entry{Kind: "end", Data: []byte("{}")}))
			if err := c.Append(t.Context(), Entry{Key: "2"}); !errors.Is(err, ErrEnded) {
				t.Errorf("an append after the end: %v", err)
			}
			must(t, j.Close())

			j = opened(t, dir, o)
			if got, want := entriesText(t, j, "a"), `start//1/"hello" intent/1/1/ outcome/1/1/`+long+` end//1/{}`; got != want {
				t.Errorf("the entries are %s", got)
			}
			r, err := j.Run(t.Context(), "a")
			must(t, err)
			if r.Status != Failed || r.Error != "no model" || r.Title != "hello" || r.Agent != "clerk" || r.File != "clerk.gram" || r.Entries != 4 || r.Live {
				t.Errorf("the run is %+v", r)
			}
			program, err := j.Program(t.Context(), r.Program)
			if err != nil || string(program) != "program" {
				t.Errorf("the program is %q, %v", program, err)
			}
			s, err := j.Session(t.Context(), "s")
			if err != nil || s.Head != "a" || s.Title != "hello" || s.Updated.Before(r.Updated) {
				t.Errorf("the session is %+v, %v", s, err)
			}
		})
	}
}

func TestRunsThatAreLeft(t *testing.T) {
	j := opened(t, newFolder(t), nil)
	begun(t, j, Run{ID: "live"})
	must(t, begun(t, j, Run{ID: "released"}).Release(t.Context()))
	must(t, begun(t, j, Run{ID: "decided"}).End(t.Context(), Waiting, ""))
	must(t, j.Decide(t.Context(), "decided", Decision{Key: "1"}))
	for _, status := range []Status{Waiting, Finished, Failed, Cancelled} {
		must(t, begun(t, j, Run{ID: string(status)}).End(t.Context(), status, ""))
	}
	left, err := j.Left(t.Context())
	must(t, err)
	if len(left) != 2 || left[0].ID != "decided" || left[1].ID != "released" {
		t.Errorf("%+v", left)
	}
}

func TestOneClaimAtATime(t *testing.T) {
	dir := newFolder(t)
	j, other := opened(t, dir, nil), opened(t, dir, nil)
	c := begun(t, j, Run{ID: "a"})
	for _, j := range []*Journal{j, other} {
		if _, err := j.Claim(t.Context(), "a"); !errors.Is(err, ErrHeld) {
			t.Errorf("a second claim: %v", err)
		}
	}
	must(t, c.Release(t.Context()))
	second, err := other.Claim(t.Context(), "a")
	must(t, err)
	if second.Epoch() != 2 {
		t.Errorf("the epoch is %d", second.Epoch())
	}
	third, err := j.TakeOver(t.Context(), "a")
	must(t, err)
	<-second.Cancelled()
	if err := second.Append(t.Context(), Entry{Key: "1"}); !errors.Is(err, ErrFenced) {
		t.Errorf("an append of an older epoch: %v", err)
	}
	must(t, third.Append(t.Context(), Entry{Key: "1"}))
	must(t, third.End(t.Context(), Finished, ""))
	if _, err := other.Claim(t.Context(), "a"); !errors.Is(err, ErrEnded) {
		t.Errorf("a claim of a finished run: %v", err)
	}
	if got, want := entriesText(t, j, "a"), `start//1/"hello" /1/3/`; got != want {
		t.Errorf("the entries are %s", got)
	}
}

func TestRunsOfOneUserAreNotThoseOfAnother(t *testing.T) {
	j := opened(t, newFolder(t), nil)
	for _, user := range []string{"", "ada", "bea"} {
		c, err := j.Create(t.Context(), &Run{Session: "of-" + user, User: user}, []byte("program"), Entry{Kind: "start"})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.End(t.Context(), Finished, ""); err != nil {
			t.Fatal(err)
		}
	}
	ada := "ada"
	runs, err := j.Runs(t.Context(), Filter{User: &ada})
	if err != nil || len(runs) != 1 || runs[0].User != "ada" {
		t.Errorf("the runs of ada: %v, %v", runs, err)
	}
	sessions, err := j.Sessions(t.Context(), Filter{User: &ada})
	if err != nil || len(sessions) != 1 || sessions[0].User != "ada" {
		t.Errorf("the sessions of ada: %v, %v", sessions, err)
	}
	if all, err := j.Runs(t.Context(), Filter{}); err != nil || len(all) != 3 {
		t.Errorf("all runs: %v, %v", all, err)
	}
	if _, err := j.Create(t.Context(), &Run{Session: "of-ada", Parent: runs[0].ID, User: "bea"}, nil, Entry{Kind: "start"}); err != ErrMoved {
		t.Errorf("a session of somebody else is continued: %v", err)
	}
}
