package grammar_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/golden"
)

// TestTextMateGrammarColoursWhatTheLexerSees compares the grammar that editors
// colour with, byte by byte, with the lexer.
func TestTextMateGrammarColoursWhatTheLexerSees(t *testing.T) {
	folder := filepath.Join("..", "editors", "vscode")
	golden.Needs(t, "node")
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err != nil {
		golden.Missing(t, "node", err)
	}
	t.Run("corpus", func(t *testing.T) { compareColours(t, folder, corpus(t)) })
	var texts []string
	for _, f := range golden.Inputs(t) {
		texts = append(texts, golden.Read(t, f))
	}
	for _, pattern := range []string{"*.gram", "*/*.gram"} {
		examples, _ := filepath.Glob(filepath.Join("..", "examples", filepath.FromSlash(pattern)))
		for _, f := range examples {
			texts = append(texts, golden.Read(t, f))
		}
	}
	compareColours(t, folder, texts)
}

// compareColours colours texts by the grammar in a folder.
func compareColours(t *testing.T, folder string, texts []string) {
	t.Helper()
	for i, text := range texts {
		texts[i] = string([]rune(text)) // JSON takes no bytes that are no text
	}
	input, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", filepath.Join("scripts", "classes.js"))
	cmd.Dir, cmd.Stdin, cmd.Stderr = folder, bytes.NewReader(input), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var coloured []string
	if err := json.Unmarshal(out, &coloured); err != nil || len(coloured) != len(texts) {
		t.Fatalf("%d of %d texts came back: %v", len(coloured), len(texts), err)
	}
	for i, text := range texts {
		compareClasses(t, text, coloured[i], grammar.Classes(text))
	}
}

func compareClasses(t *testing.T, text, got, want string) {
	t.Helper()
	if len(got) != len(text) {
		t.Errorf("%q: %d bytes are coloured, of %d", text, len(got), len(text))
		return
	}
	for i := range text {
		blank := strings.IndexByte(" \t\r\n", text[i]) >= 0
		if !blank && want[i] != '?' && got[i] != want[i] {
			t.Errorf("%q is coloured as %c from byte %d on, and it is %c:\n%s\n%s", text, got[i], i, want[i], got, want)
			return
		}
	}
}
