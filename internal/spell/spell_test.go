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
