package jsonpointer

import "testing"

func TestTokensAreKeysAgain(t *testing.T) {
	for key, token := range map[string]string{
		"": "", "a b": "a b", "/": "~1", "~": "~0", "~1": "~01", "a/b~c": "a~1b~0c",
	} {
		if got := Token(key); got != token {
			t.Errorf("the token of %q is %q, want %q", key, got, token)
		}
		if got := Key(token); got != key {
			t.Errorf("the key of %q is %q, want %q", token, got, key)
		}
	}
}
