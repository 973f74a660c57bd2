package report

import (
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/excerpt"
)

// MaxQuoted is how many runes of the author's text a message repeats.
const MaxQuoted = 60

// Quote returns text in quotes, cut where it is long.
func Quote(text string) string {
	if len(text) <= MaxQuoted && IsPlain(text) { // nearly always
		return `"` + text + `"`
	}
	return strconv.Quote(Clip(text))
}

// Named returns what a message calls the thing of a kind ("the tool") that has a name.
func Named(kind, name string) string {
	if len(name) <= MaxQuoted && IsPlain(name) {
		return kind + ` "` + name + `"`
	}
	return kind + " " + Quote(name)
}

// IsPlain reports whether a text is made of letters, digits and _ of ASCII alone.
func IsPlain(text string) bool {
	for _, b := range []byte(text) {
		if !('a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_') {
			return false
		}
	}
	return true
}

// Clip returns text, cut where it is long.
func Clip(text string) string { return excerpt.Short(text, MaxQuoted) }

// Blank reports whether text says nothing.
func Blank(text string) bool { return strings.TrimSpace(text) == "" }

// KindOf names the kind of a value for a message.
func KindOf(v ast.Value) string {
	switch v := v.(type) {
	case *ast.String:
		return "text"
	case *ast.Tagged:
		return "tagged text"
	case *ast.Number:
		switch v.Kind {
		case ast.Decimal:
			return "a decimal number"
		case ast.Measurement:
			return "a measurement"
		}
		return "an integer"
	case *ast.Bool:
		return "a boolean"
	case *ast.Symbol:
		return "the word " + Clip(v.Text)
	case *ast.Range:
		return "a range"
	case *ast.Array:
		return "an array"
	}
	return "a map"
}
