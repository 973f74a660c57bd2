package main

import (
	"io"
	"os"
	"strings"
	"testing"
)

func TestColourIsForTerminalsThatWantIt(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil || !isTerminal(terminal) {
		t.Skip("there are no terminals here", err)
	}
	defer terminal.Close()
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer device.Close()
	for _, test := range []struct {
		name string
		err  io.Writer
		env  map[string]string
		want bool
	}{
		{"a terminal", terminal, nil, true},
		{"NO_COLOR", terminal, map[string]string{"NO_COLOR": "1"}, false},
		{"an empty NO_COLOR", terminal, map[string]string{"NO_COLOR": ""}, true},
		{"a dumb terminal", terminal, map[string]string{"TERM": "dumb"}, false},
		{"another device", device, nil, false},
		{"a pipe", &strings.Builder{}, nil, false},
	} {
		s := &stdio{err: test.err, lookup: func(v string) (string, bool) { value, ok := test.env[v]; return value, ok }}
		if got := newCLI(s).colored(); got != test.want {
			t.Errorf("%s: colour %v", test.name, got)
		}
	}
}

func TestCleanTextCannotSteerATerminal(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 日本 👩‍💻 a\u00a0b":   "plain é 日本 👩‍💻 a\u00a0b",
		"two\nlines\r\n\tand a tab": "two\nlines\n\tand a tab",
		"\x1b[2J\x07\rover\x7f":     `\x1b[2J\x07\x0dover\x7f`,
		"\u009b31m\u202ex\u2028":    `\u{9b}31m\u{202e}x\u{2028}`,
		"bad \xff":                  `bad \xff`,
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestShortValuesStayOnOneLine(t *testing.T) {
	if got := shortJSON([]byte("{\"a\": [1,\n 2]}")); got != `{"a":[1,2]}` {
		t.Errorf("JSON is shown as %s", got)
	}
	if got := shortJSON([]byte("no\nJSON")); got != `no\nJSON` {
		t.Errorf("a message is shown as %s", got)
	}
	got := shortJSON([]byte(strings.Repeat("é", maxShown)))
	if want := strings.Repeat("é", maxShown/2) + "… (2000 bytes)"; got != want {
		t.Errorf("a long value is shown in %d bytes", len(got))
	}
}
