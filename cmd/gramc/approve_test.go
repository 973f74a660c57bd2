package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gram-lang/gramc/interp"
)

// asked lets an approver decide calls of the tool write with those arguments,
// one after another, and returns what it said and showed.
func asked(t *testing.T, a *approver, args ...string) (said []bool, shown string) {
	t.Helper()
	var out bytes.Buffer
	a.out = &out
	for _, text := range args {
		yes, err := a.ask(t.Context(), &interp.ApprovalRequest{Agent: "clerk", Tool: "write", Args: json.RawMessage(text)})
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, yes)
	}
	return said, out.String()
}

func TestTheUserIsAskedWithTheArguments(t *testing.T) {
	const question = "clerk wants to call write with\n  path: \"a.txt\"\n  text: \"two\\nlines\"\nMay it? [y]es, [n]o, [a]lways this tool: "
	for typed, want := range map[string]bool{"y\n": true, "  YES \n": true, "n\n": false, "no\n": false, "a\n": true, "y": true} {
		said, shown := asked(t, &approver{in: strings.NewReader(typed)}, `{"text":"two\nlines","path":"a.txt"}`)
		if said[0] != want || shown != question {
			t.Errorf("%q: %v after\n%s", typed, said, shown)
		}
	}
}

func TestTheUserIsAskedAgainUntilTheAnswerIsOne(t *testing.T) {
	said, shown := asked(t, &approver{in: strings.NewReader("what?\n\nyep\ny\n")}, `{}`)
	if !said[0] || strings.Count(shown, "May it?") != 4 {
		t.Errorf("%v after\n%s", said, shown)
	}
}

func TestNoAnswerIsNo(t *testing.T) {
	for name, in := range map[string]io.Reader{
		"nothing": strings.NewReader(""), "nonsense": strings.NewReader("hm\nhm\n"), "a broken terminal": iotest.ErrReader(errors.New("gone")),
		"a line without an end": strings.NewReader(strings.Repeat("y", 1<<20)),
	} {
		said, shown := asked(t, &approver{in: in}, `{}`, `{}`)
		if said[0] || said[1] || !strings.HasSuffix(shown, "no\n") {
			t.Errorf("%s: %v after\n%s", name, said, shown)
		}
	}
}

func TestAlwaysIsForOneTool(t *testing.T) {
	a := &approver{in: strings.NewReader("a\nn\n")}
	if said, shown := asked(t, a, `{}`, `{"path":"b"}`); !said[0] || !said[1] || strings.Count(shown, "May it?") != 1 {
		t.Errorf("%v after\n%s", said, shown)
	}
	yes, err := a.ask(t.Context(), &interp.ApprovalRequest{Agent: "clerk", Tool: "delete"})
	if yes || err != nil {
		t.Errorf("another tool: %v, %v", yes, err)
	}
}

func TestAnAnswerTypedAheadCountsForTheNextQuestion(t *testing.T) {
	said, _ := asked(t, &approver{in: strings.NewReader("y\nn\ny\n")}, `{}`, `{}`, `{}`)
	if !said[0] || said[1] || !said[2] {
		t.Errorf("%v", said)
	}
}

func TestTheEndOfTheRunEndsTheQuestion(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, _ := io.Pipe() // nobody types
	yes, err := (&approver{in: in, out: io.Discard}).ask(ctx, &interp.ApprovalRequest{Tool: "write"})
	if yes || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", yes, err)
	}
}

func TestWhatIsAskedCannotSteerTheTerminal(t *testing.T) {
	_, shown := asked(t, &approver{in: strings.NewReader("n\n")},
		`{"\u001b[2J":"\u001b]0;x\u0007", "b":"`+"\u202e\x7f"+`", "c":"`+strings.Repeat("é", 5000)+`", "d": {"deep": ["\u001b"]}}`)
	for _, bad := range []string{"\x1b", "\x07", "\u202e", "\x7f"} {
		if strings.Contains(shown, bad) {
			t.Errorf("%q is shown in\n%s", bad, shown)
		}
	}
	if !strings.Contains(shown, "… (10002 bytes)\n") || len(shown) > 6000 {
		t.Errorf("%d bytes:\n%.300s", len(shown), shown)
	}
}
