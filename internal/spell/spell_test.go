package spell

import (
	"strings"
	"testing"
)

func TestNearestIsSparing(t *testing.T) {
	types := []string{"Text", "String", "Int", "Integer", "Double", "Number", "Bool", "Boolean", "Object", "Array"}
	for word, want := range map[string]string{
		"text": "Text", "Txt": "Text", "Stirng": "String", "Integr": "Integer", "Foo": "", "": "", "I": "",
		"Numbr": "Number", "Text": "Text", strings.Repeat("x", 100): "", "Oböect": "Object",
	} {
		if got := Nearest(word, types); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestASlipIsOneLetterOfALongWord(t *testing.T) {
	for _, tt := range []struct {
		word, meant string
		want        bool
	}{
		{"Strin", "String", true}, {"Stirng", "String", true}, {"STRIGN", "String", true}, {"Text", "Text", true},
		{"text", "Text", true}, {"int", "Int", true}, {"off", "of", false}, {"Txt", "Text", false}, {"Srtig", "String", false},
		{"", "", true}, {"Boolesn", "Boolean", true}, {strings.Repeat("x", 100), strings.Repeat("x", 99), false},
	} {
		if got := Slip(tt.word, tt.meant); got != tt.want {
			t.Errorf("Slip(%q, %q) = %v", tt.word, tt.meant, got)
		}
	}
}
