package lsp_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gram-lang/gramc/internal/lsp"
)

func TestRandomEditsAskForEverything(t *testing.T) {
	got, want := Requests(t), lsp.Methods()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("they ask for\n%q\nand the server answers\n%q", got, want)
	}
}

// TestRandomEdits edits a document at random, asks for anything meanwhile, and
// compares what the server then knows with a document opened afresh. FuzzEdits goes on.
func TestRandomEdits(t *testing.T) {
	for seed := range uint64(4) {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 1))
			utf8 := seed%2 == 1
			c := Start(t, nil)
			var capabilities any
			if utf8 {
				capabilities = json.RawMessage(`{"general":{"positionEncodings":["utf-8","utf-16"]}}`)
			}
			c.Initialize(capabilities)
			text := "[a:Agent {instruction: \"😀\", model: \"OpenAI/m\"} | t]\r\n"
			c.Open(memo, text)
			requests := Requests(t)
			var pending []*Pending
			for version := 2; version < 122; version++ {
				changes := RandomChanges(random, text, utf8)
				text = Apply(text, utf8, changes...)
				c.Change(memo, version, changes...)
				at := RandomPosition(random, text)
				pending = append(pending, c.Start(requests[random.IntN(len(requests))], Params(memo, at)))
				if version%20 == 0 {
					c.CheckText(memo, text)
				}
			}
			for _, p := range pending {
				if err := p.Wait(nil); err != nil && code(err) == -32603 {
					t.Error(err)
				}
			}
			c.CheckText(memo, text)
			if got := c.Shutdown(); got != 0 {
				t.Errorf("exit code %d", got)
			}
		})
	}
}
