package main

import "testing"

// A command line makes the command that it starts with, and no other: that is most of the
// time of a start.
func TestACommandLineMakesOneCommand(t *testing.T) {
	c := newCLI(&stdio{lookup: noVariables})
	for name, make := range c.commands() {
		if cmd := make(); cmd.Name() != name {
			t.Errorf("%s makes the command %q", name, cmd.Name())
		}
		root := c.rootCommand([]string{name})
		if found, _, err := root.Find([]string{name}); err != nil || found.Name() != name {
			t.Errorf("%s is not found: %v", name, err)
		}
		if all := root.Commands(); len(all) != 1 {
			t.Errorf("%s makes %d commands", name, len(all))
		}
	}
	if all := c.rootCommand(nil).Commands(); len(all) < len(c.commands()) {
		t.Errorf("%d commands", len(all))
	}
}
