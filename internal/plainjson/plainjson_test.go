package plainjson

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestNothingIsEscapedForBrowsers(t *testing.T) {
	for text, want := range map[string]string{
		"":                `""`,
		"<a> & <b>":       `"<a> & <b>"`,
		"\"quoted\"\n":    `"\"quoted\"\n"`,
		"broken \xff":     `"broken \ufffd"`,
		"ends in space\t": `"ends in space\t"`,
	} {
		if got := string(String(text)); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{strings.Repeat("€<\n", 100_000), strings.Repeat("x\xff\x80", 100_000), strings.Repeat("a", 32<<10)} {
		if want, err := Marshal(text); err != nil || string(String(text)) != string(want) {
			t.Errorf("%.10q… is not what Marshal writes, %v", text, err)
		}
	}
	nested, err := Marshal(map[string]any{"raw": json.RawMessage(`"<&>"`)})
	if want := `{"raw":"<&>"}`; err != nil || string(nested) != want {
		t.Errorf("got %s, %v, want %s", nested, err, want)
	}
	if text, err := Marshal(func() {}); err == nil {
		t.Errorf("a function is written as %s", text)
	}
}
