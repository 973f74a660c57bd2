package excerpt

import "testing"

func TestShortSaysThatTextGoesOn(t *testing.T) {
	for text, want := range map[string]string{"": "", "éé": "éé", "ééé": "éé…"} {
		if got := Short(text, 2); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

func TestNoCharacterIsCut(t *testing.T) {
	tests := []struct {
		text         string
		most         int
		bytes, runes string
	}{
		{"", 0, "", ""},
		{"abc", 3, "abc", "abc"},
		{"abcd", 3, "abc", "abc"},
		{"aéé", 2, "a", "aé"},
		{"aéé", 3, "aé", "aéé"},
		{"😀😀", 3, "", "😀😀"},
		{"😀😀", 1, "", "😀"},
		{"\x80\x80\x80", 2, "", "\x80\x80"}, // no character starts anywhere
	}
	for _, tt := range tests {
		if got := Bytes(tt.text, tt.most); got != tt.bytes {
			t.Errorf("Bytes(%q, %d) is %q, want %q", tt.text, tt.most, got, tt.bytes)
		}
		if got := Bytes([]byte(tt.text), tt.most); string(got) != tt.bytes {
			t.Errorf("Bytes of the bytes of %q is %q, want %q", tt.text, got, tt.bytes)
		}
		if got := Runes(tt.text, tt.most); got != tt.runes {
			t.Errorf("Runes(%q, %d) is %q, want %q", tt.text, tt.most, got, tt.runes)
		}
	}
}
