package lsp_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// The limits of the fuzzer: bytes of a text, and edits of it.
const (
	maxInput = 1 << 14
	maxEdits = 64
)

// FuzzEdits edits a document of the language server and asks for anything
// meanwhile, at random places. The server never stumbles, and has the text of the reference in
// the end.
func FuzzEdits(f *testing.F) {
	for i, text := range []string{
		"", "[a:Agent {instruction: \"😀\", model: \"OpenAI/m\"} | t]\r\n[t:Tool {description: \"d\"} | (x::Text)==>(::T)]\n[T:Type {x::Int}]",
		"\ufeff//\r//\r\n```\n😀\n```", `[a:Agent {instruction: "i", model: "OpenAI/m"} | [t:Tool {description: "d"} | (a::Text)==>(::Int)]]`,
	} {
		f.Add(text, []byte("some edits, and some more of them"), uint64(i))
	}
	f.Fuzz(func(t *testing.T, text string, script []byte, seed uint64) {
		if len(text) > maxInput || len(script) > maxEdits {
			t.Skip()
		}
		text = strings.ToValidUTF8(text, "\ufffd") // JSON holds nothing else
		random := rand.New(rand.NewPCG(seed, 1))
		utf8 := seed%2 == 1
		const uri = "untitled:fuzz"
		c := Start(t, nil)
		var capabilities any
		if utf8 {
			capabilities = json.RawMessage(`{"general":{"positionEncodings":["utf-8"]}}`)
		}
		c.Initialize(capabilities)
		c.Open(uri, text)
		requests := Requests(t)
		var pending []*Pending
		for i, op := range script {
			if op%2 == 0 {
				at := RandomPosition(random, text)
				pending = append(pending, c.Start(requests[int(op/2)%len(requests)], Params(uri, at)))
				continue
			}
			change := RandomChange(random, text)
			if op%3 == 0 && change.Range != nil {
				change.Range.Start = Position{Line: int(op >> 4), Character: int(op & 15)}
			}
			text = Apply(text, utf8, change)
			c.Change(uri, i+2, change)
		}
		for _, p := range pending {
			if err := p.Wait(nil); err != nil && strings.HasPrefix(err.Error(), "-32603") {
				t.Error(err)
			}
		}
		c.CheckText(uri, text)
		if code := c.Shutdown(); code != 0 {
			t.Errorf("exit code %d", code)
		}
	})
}
