package host

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/plainjson"
)

// minLine is the length from which on a line of a secret of several lines, such
// as a private key, is secret by itself.
const minLine = 8

// maxPiece is the length of the pieces that a long secret is looked for in: the
// time of a search grows with it.
const maxPiece = 2048

// spellingPieces cuts a value that is long.
func spellingPieces(value string) []string {
	var list []string
	for len(value) > 2*maxPiece {
		piece := excerpt.Bytes(value, maxPiece)
		if piece == "" {
			piece = value[:maxPiece] // bytes of no character
		}
		list, value = append(list, piece), value[len(piece):]
	}
	return append(list, value)
}

// spellings returns the ways in which a value comes back from programs and
// servers that do not hide it: as it is, line by line, in JSON and in messages
// that quote it, once and twice, in URLs, in pages, as base64 whatever comes
// before it, as in basic authentication, and in hexadecimal digits. Space
// around the value is no part of it, since it may get lost on the way.
func spellings(value string) []string {
	value = strings.TrimSpace(value)
	bases := []string{value, strings.ToValidUTF8(value, "\uFFFD"), string([]rune(value)), braceSpelling(value)}
	if strings.Contains(value, "\n") {
		for line := range strings.Lines(value) {
			if line = strings.TrimSpace(line); len(line) >= minLine {
				bases = append(bases, line)
			}
		}
	}
	forms := slices.Clone(bases)
	for _, base := range bases {
		for _, once := range quotedSpellings(base) {
			forms = append(forms, once)
			forms = append(forms, quotedSpellings(once)...)
		}
	}
	for _, form := range forms {
		forms = append(forms, excerpt.Printable(form, math.MaxInt)) // as in the start of a response
	}
	forms = append(forms, urlSpellings(value)...)
	for _, page := range pageSpellings(value) {
		forms = append(forms, page)
		forms = append(forms, quotedSpellings(page)...)
	}
	forms = append(forms, base64Spellings(value)...)
	digits := hex.EncodeToString([]byte(value))
	forms = append(forms, digits, strings.ToUpper(digits), strings.ReplaceAll(value, "'", `'\''`))
	slices.Sort(forms)
	return slices.DeleteFunc(slices.Compact(forms), func(form string) bool { return len(form) < minSecret })
}

// braceSpelling returns a text as a template has it.
func braceSpelling(text string) string {
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(text)
}

// quotedSpellings returns a text as it is between quotes: in JSON as most
// programs write it, and in messages.
func quotedSpellings(text string) []string {
	plain, forBrowsers := string(plainjson.String(text)), ""
	if escaped, err := json.Marshal(text); err == nil {
		forBrowsers = string(escaped)
	}
	var forms []string
	for _, quoted := range []string{plain, forBrowsers, asciiSpelling(plain), strconv.Quote(text), strconv.QuoteToASCII(text)} {
		inner := quoted[1 : len(quoted)-1]
		forms = append(forms, inner, strings.ReplaceAll(inner, "/", `\/`))
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// asciiSpelling returns JSON with escapes for all characters that are not ASCII.
func asciiSpelling(quoted string) string {
	var b strings.Builder
	for _, r := range quoted {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return b.String()
}

// urlSpellings returns a text as it is in URLs and in forms: programs differ in
// what they escape, and in how they write it.
func urlSpellings(text string) []string {
	const unreserved = "-_.~"
	var forms []string
	for _, stays := range []string{
		unreserved, unreserved + "!'()*", unreserved + "*+", unreserved + "$&+:=@", unreserved + "$&+,/:;=@", "!#$%&'()*+,-./:;=?@[]_~",
	} {
		for _, format := range []string{"%%%02X", "%%%02x"} {
			var b strings.Builder
			for i := range len(text) {
				c := text[i]
				letter := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
				if letter || strings.IndexByte(stays, c) >= 0 {
					b.WriteByte(c)
				} else {
					fmt.Fprintf(&b, format, c)
				}
			}
			forms = append(forms, b.String(), strings.ReplaceAll(b.String(), "%20", "+"))
		}
	}
	return forms
}

// pageSpellings returns a text as it is in HTML and XML.
func pageSpellings(text string) []string {
	escaped := html.EscapeString(text)
	named := strings.ReplaceAll(escaped, "&#34;", "&quot;")
	return []string{
		escaped, named, strings.ReplaceAll(named, "&#39;", "&#x27;"), strings.ReplaceAll(named, "&#39;", "&apos;"),
		strings.NewReplacer("&#34;", `"`, "&#39;", "'").Replace(escaped),
	}
}

// base64Spellings returns what stays the same of a text in base64, whatever comes
// before and after it.
func base64Spellings(text string) []string {
	var forms []string
	for before := range 3 {
		// The digits with bits of what comes before are not ours, and nor
		// is the last one when it holds bits of what follows.
		ours := [...]int{0, 2, 3}[before]
		padded := append(make([]byte, before), text...)
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			forms = append(forms, e.EncodeToString(padded)[ours:len(padded)*8/6])
		}
	}
	return forms
}
