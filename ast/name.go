package ast

import "strings"

// NewName makes a name, quoted where it is not a symbol.
func NewName(text string) *Name {
	n := &Name{Text: text}
	if !isSymbolName(text) {
		n.Kind = NameQuoted
	}
	return n
}

func isSymbolName(text string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
	return text != "" && strings.IndexByte(letters, text[0]) >= 0 && strings.Trim(text, letters+"0123456789.@-") == ""
}

// A NameKind is how a name is written.
type NameKind uint8

// A Name is an identifier, a label or a key.
type Name struct {
	Base
	Kind NameKind
	Text string // without quotes and escapes
	Raw  string // as written; "" for a name made in code
}
