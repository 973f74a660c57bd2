package terminal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/interp"
)

// A person is someone who types a line at each question.
type person struct {
	mu    sync.Mutex
	shown bytes.Buffer
	typed chan string
}

func (p *person) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown.Write(text)
	if strings.HasPrefix(string(text), "Allow this call") {
		p.typed <- ""
	}
	return len(text), nil
}

// asked asks for a call at a terminal. Before the first question, early is typed,
// and then one answer at each.
func asked(t *testing.T, args, early string, answers ...string) (yes bool, shown string) {
	t.Helper()
	in, keys := io.Pipe()
	p := &person{typed: make(chan string)}
	go func() {
		_, _ = io.WriteString(keys, early)
		for _, answer := range answers {
			<-p.typed
			_, _ = io.WriteString(keys, answer+"\n")
		}
		_ = keys.Close()
		for range p.typed {
		}
	}()
	yes, err := NewApprover(in, p, nil).Approve(t.Context(), &interp.ApprovalRequest{Agent: "clerk", Tool: "run", Args: json.RawMessage(args)})
	if err != nil {
		t.Fatal(err)
	}
	close(p.typed)
	return yes, p.shown.String()
}

func TestAQuestionIsAnswered(t *testing.T) {
	for _, tt := range []struct {
		early   string
		answers []string
		want    bool
	}{
		{"", []string{"y"}, true},
		{"", []string{"YES "}, true},
		{"", []string{"a"}, true},
		{"", []string{"n"}, false},
		{"", []string{"what?", "", "no"}, false},
		{"", nil, false},                      // the terminal is gone
		{"y\nyes\na\n", []string{"n"}, false}, // typed before there was a question
	} {
		if got, _ := asked(t, `{"x":1}`, tt.early, tt.answers...); got != tt.want {
			t.Errorf("%q %q: %v", tt.early, tt.answers, got)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a := NewApprover(strings.NewReader(""), io.Discard, nil)
	if _, err := a.Approve(ctx, &interp.ApprovalRequest{Args: json.RawMessage(`{}`)}); !errors.Is(err, context.Canceled) {
		t.Errorf("a run that has ended asks on: %v", err)
	}
}

func TestAQuestionShowsWhatIsCalled(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{`{}`, "  {}\n"},
		{`{"b":[1,{"x":null}],"a":"text"}`, "  a: \"text\"\n  b: [1,{\"x\":null}]\n"},
		{`{"cmd":"\u0072\u006d -rf"}`, "  cmd: \"rm -rf\"\n"},
		{`{"cmd":"ls\u001b[2K\u001b[1A\r\n\u0007"}`, `  cmd: "ls\u001b[2K\u001b[1A\r\n\u0007"` + "\n"},
		{"{\"cmd\":\"a\u009b2Jb\u202egpj.exe\u200b\u2066\"}", `  cmd: "a\u{9b}2Jb\u{202e}gpj.exe\u{200b}\u{2066}"` + "\n"},
		{"{\"cmd\":\"a\u00a0b\u3164c\u2800d\ufe0fe\U000e0041\"}", `  cmd: "a\u{a0}b\u{3164}c\u{2800}d\u{fe0f}e\u{e0041}"` + "\n"},
		{`{"cmd":"ls` + strings.Repeat(" ", 3000) + `; rm -rf /"}`, `  cmd: "ls [3000 spaces] ; rm -rf /"` + "\n"},
		{`{"x: 1\n  y":2}`, `  "x: 1\n  y": 2` + "\n"},
		{`{"host":"p` + "\u0430" + `ypal.com"}`, "  host: \"p\u0430ypal.com\"\n    (letters of several alphabets: \"p\\u0430ypal\")\n"},
		{`{"text":"привет, κόσμε and Grüße, naïve 日本"}`, "  text: \"привет, κόσμε and Grüße, naïve 日本\"\n"},
		{`not json`, "  not json\n"},
	} {
		yes, shown := asked(t, tt.args, "", "y")
		want := "clerk wants to call run with\n" + tt.want + "Allow this call? [y]es, [n]o, [a]lways this tool, [e]dit: "
		if shown != want || !yes {
			t.Errorf("shown\n%s\nwant\n%s", shown, want)
		}
	}
}

func TestMoreThanAPersonReadsNeedsAWholeYes(t *testing.T) {
	many := map[string]string{}
	for i := range 2000 {
		many[strings.Repeat("n", i%7)+string(rune('a'+i%26))+strings.Repeat("x", i/26)] = "value"
	}
	lines, _ := json.Marshal(many)
	for _, args := range []string{
		`{"cmd":"ls ` + strings.Repeat("x", 10_000) + `; rm -rf /"}`,
		`{"` + strings.Repeat("k", 10_000) + `":1,"z":"` + strings.Repeat("ä", 5000) + `"}`,
		string(lines),
	} {
		for answer, want := range map[string]bool{"yes": true, "n": false} {
			yes, shown := asked(t, args, "", "y", "a", answer)
			if yes != want || len(shown) > 2*visible.MaxArguments || !strings.Contains(shown, "left out") {
				t.Errorf("%s is %v, and %d bytes are shown:\n%.500s", answer, yes, len(shown), shown)
			}
		}
	}
	if _, shown := asked(t, `{"cmd":"ls `+strings.Repeat("x", 10_000)+`; rm -rf /"}`, "", "n"); !strings.Contains(shown, `; rm -rf /"`) {
		t.Error("the end of a long argument is not shown")
	}
}
