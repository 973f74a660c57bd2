package lsp_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tokenAnswer is either answer of the server about semantic tokens.
type tokenAnswer struct {
	ResultID string
	Data     []uint32
	Edits    *[]struct {
		Start, DeleteCount int
		Data               []uint32
	}
}

// TestSemanticTokensDelta tests that tokens which are kept up by differences are
// those of a document that was just opened, whatever is typed.
func TestSemanticTokensDelta(t *testing.T) {
	names, err := filepath.Glob("../../testdata/golden/*.gram")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	c := Start(t, nil)
	c.Initialize(nil)
	pieces := []string{"", "😀", "\r\n", "\"", "`", "```md\n", "[", "]", "{a:", "::Text", "// c\n", "e\u0301", "`x: Int`", "x"}
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(7, uint64(i)))
		text, uri := string(data), "untitled:"+filepath.Base(name)
		c.Open(uri, text)
		kept := tokensOf(t, c, uri, "full", nil)
		for version := 2; version < 7; version++ {
			start := runeStart(text, r.IntN(len(text)+1))
			end := runeStart(text, min(len(text), start+r.IntN(4)))
			piece := pieces[r.IntN(len(pieces))]
			change := Change{Range: &Range{Start: positionIn(text, start), End: positionIn(text, end)}, Text: piece}
			text = text[:start] + piece + text[end:]
			c.Change(uri, version, change)
			next := tokensOf(t, c, uri, "full/delta", map[string]any{"previousResultId": kept.ResultID})
			if next.Edits != nil {
				list := kept.Data
				for _, e := range *next.Edits {
					list = slices.Concat(list[:e.Start], e.Data, list[e.Start+e.DeleteCount:])
				}
				next.Data = list
			} else {
				t.Error("the server has forgotten what it sent")
			}
			kept = next
			fresh := uri + "-fresh"
			c.Open(fresh, text)
			if want := tokensOf(t, c, fresh, "full", nil); !slices.Equal(kept.Data, want.Data) {
				t.Fatalf("%s, version %d: the tokens are\n%v\nnot\n%v", name, version, kept.Data, want.Data)
			}
			checkTokens(t, text, kept.Data)
			c.CloseDocument(fresh)
		}
		c.CloseDocument(uri)
	}
	if code := c.Shutdown(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func tokensOf(t *testing.T, c *Client, uri, which string, more map[string]any) tokenAnswer {
	t.Helper()
	params := map[string]any{"textDocument": Document(uri)}
	for key, value := range more {
		params[key] = value
	}
	var raw json.RawMessage
	var answer tokenAnswer
	if err := c.Call("textDocument/semanticTokens/"+which, params, &raw); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return answer
}

// checkTokens checks that no token leaves its line or meets the one before it.
func checkTokens(t *testing.T, text string, data []uint32) {
	t.Helper()
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	line, column, end := 0, 0, 0
	for ; len(data) > 0; data = data[5:] {
		if data[0] > 0 {
			line, column, end = line+int(data[0]), 0, 0
		}
		column += int(data[1])
		if column < end || data[2] == 0 {
			t.Fatalf("a token of line %d at %d meets the one before", line, column)
		}
		end = column + int(data[2])
		if width := positionIn(lines[line], len(lines[line])).Character; end > width {
			t.Fatalf("a token of line %d ends at %d of %d: %q", line, end, width, lines[line])
		}
	}
}

// runeStart returns the start of the character at an offset.
func runeStart(text string, offset int) int {
	for offset > 0 && offset < len(text) && (text[offset]&0xC0 == 0x80 || text[offset-1] == '\r' && text[offset] == '\n') {
		offset--
	}
	return offset
}

// positionIn returns the position of an offset of a text.
func positionIn(text string, offset int) Position {
	before := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text[:offset])
	line := before[strings.LastIndexByte(before, '\n')+1:]
	column := 0
	for _, r := range line {
		if column++; r > 0xFFFF {
			column++
		}
	}
	return Position{Line: strings.Count(before, "\n"), Character: column}
}
