package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/golden"
)

const (
	guideHeading = "# Writing agents in gram\n"
	skillHeader  = `---
name: gram
description: Writing and checking LLM agents in gram (.gram files) with gramc. Use it before writing or changing a .gram file.
---

`
)

// TestTheGuideForCodingAgents checks that the page is short, that its commands
// exist, and that the two other places which show it have the same text.
func TestTheGuideForCodingAgents(t *testing.T) {
	code, page, _ := gramc("", nil, "help", "agents")
	if code != exitFine || !strings.HasPrefix(page, guideHeading) {
		t.Fatalf("exit code %d and\n%s", code, page)
	}
	if len(page) > 8<<10 {
		t.Errorf("%d bytes are more than 8 KB", len(page))
	}
	root := newCLI(&stdio{lookup: noVariables}).rootCommand(nil)
	root.InitDefaultHelpCmd()
	commands := regexp.MustCompile("gramc ([a-z]+)").FindAllStringSubmatch(page, -1)
	if len(commands) < 10 {
		t.Errorf("%d commands", len(commands))
	}
	for _, m := range commands {
		if cmd, _, err := root.Find(m[1:]); err != nil || cmd == root {
			t.Errorf("there is no command %q", m[0])
		}
	}
	golden.CompareFile(t, filepath.FromSlash("../../llms.txt"), []byte(page))
	golden.CompareFile(t, filepath.FromSlash("../../skills/gram/SKILL.md"), []byte(skillHeader+page))
}

// TestTheGuideShowsRealGram checks the agent of the guide with its library, and
// prints the schema of each signature and type that the guide shows.
func TestTheGuideShowsRealGram(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```gram\n(.*?)```").FindAllStringSubmatch(guide(), -1)
	if len(blocks) != 2 {
		t.Fatalf("%d blocks", len(blocks))
	}
	folder := t.TempDir()
	agent, library := filepath.Join(folder, "agent.gram"), filepath.Join(folder, "library.gram")
	for name, b := range map[string][]string{agent: blocks[0], library: blocks[1]} {
		if err := os.WriteFile(name, []byte(b[1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, stderr := gramc("", nil, "check", "--strict", "--strict-gram", "--library", library, agent); code != exitFine || stderr != "" {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if code, stdout, stderr := gramc("", nil, "fmt", "--check", agent, library); code != exitFine {
		t.Errorf("not formatted: %s%s", stdout, stderr)
	}
	shown := 0
	for _, m := range regexp.MustCompile("``([^`]*`[^`]*`[^`]*)``|`(\\(.*?\\))`").FindAllStringSubmatch(guide(), -1) {
		signature := m[1] + m[2]
		switch {
		case !strings.HasPrefix(signature, "("):
			continue
		case !strings.Contains(signature, "==>"):
			signature += "==>(::Text)"
		}
		shown++
		if code, _, stderr := gramc("", nil, "schema", "--strict", "--strict-gram", "-e", signature); code != exitFine || stderr != "" {
			t.Errorf("%s\n%s", signature, stderr)
		}
	}
	if shown < 7 {
		t.Errorf("%d signatures", shown)
	}
}
