package main

import (
	"io"
	"testing"
)

// A test that still runs after an interrupt leaves no server behind.
func TestNothingIsOpenedAfterTheTests(t *testing.T) {
	dir, env, _ := recordFiles(t)
	file := writeTests(t, dir, "agent.test.gram", `[noon:Test {library: "./local.gram", model: live} | [:User {text: "What time is it?"}]]`)
	c := newCLI(&stdio{out: io.Discard, err: io.Discard, lookup: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	s, err := c.loadTests([]string{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	l := s.opened(s.cases[0])
	if _, err := s.tools(t.Context(), s.cases[0]); err == nil || err.Error() != "the tests have ended" || l.set != nil {
		t.Errorf("%v", err)
	}
}
