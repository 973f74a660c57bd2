package modelhttp

import (
	"strings"
	"testing"

	"github.com/gram-lang/gramc/runtime"
)

const testKey = "sk-test-0123456789"

// A key such as "test" is no secret, and occurs in answers.
func TestAShortKeyDoesNotChangeResponses(t *testing.T) {
	r := &runtime.Response{Content: "the test passes"}
	if newAPIKey("test").hideIn(r); r.Content != "the test passes" {
		t.Error(r.Content)
	}
}

func TestKeyIsInNoErrorText(t *testing.T) {
	const odd = `k"<&>/+key%`
	for _, key := range []string{testKey, odd, "abc"} {
		escaped := newAPIKey(key)
		for _, echo := range []string{
			key,
			strings.ReplaceAll(key, `"`, `\"`),
			`k%22%3C%26%3E%2F%2Bkey%25`,
			key[:2] + "\u200b" + key[2:], // an invisible character inside
			strings.Repeat("x", 190) + " " + key,
		} {
			text := escaped.show("your key "+echo+" is bad", 200)
			if strings.Contains(text, key) || strings.Contains(text, "%22%3C") && key == odd {
				t.Errorf("key %q shown in %q", key, text)
			}
		}
	}
}

func TestShortKeyIsHiddenOnlyAsAWord(t *testing.T) {
	got := newAPIKey("test").hide("the latest test, test-ed: test")
	if want := "the latest [hidden key], [hidden key]-ed: [hidden key]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
