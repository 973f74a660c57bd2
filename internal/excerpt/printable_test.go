package excerpt

import "testing"

func TestPrintableIsOneShortLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "",
		" a\n\tb  ":           "a b",
		"\x1bre\u200b\ad\xff": "red",
		"abcdef":              "abcd…",
		"abc def":             "abc d…",
		"abcd \n":             "abcd",
	} {
		if got := Printable(text, 4); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
