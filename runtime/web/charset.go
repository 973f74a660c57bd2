package web

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/gram-lang/gramc/runtime/guard"
)

// decoded returns the body of an answer as UTF-8, from the encoding that its
// content type, its first bytes or its meta elements name.
func decoded(a *guard.Answer) string {
	encoding, name, certain := charset.DetermineEncoding(a.Body, a.Header.Get("Content-Type"))
	guessed := !certain && name == "windows-1252" // also what is said of anything
	if name != "utf-8" && !(guessed && utf8.Valid(a.Body)) {
		if text, err := encoding.NewDecoder().Bytes(a.Body); err == nil {
			return string(text)
		}
	}
	body := bytes.TrimPrefix(a.Body, []byte("\ufeff"))
	return strings.ToValidUTF8(string(body), "\ufffd")
}

// mediaType returns the type of an answer, in lower case, without parameters.
func mediaType(a *guard.Answer) string {
	header := a.Header.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(header)
	if err != nil {
		kind, _, _ = strings.Cut(header, ";")
	}
	return strings.ToLower(strings.TrimSpace(kind))
}

func isJSON(kind string) bool {
	return kind == "application/json" || kind == "text/json" || strings.HasSuffix(kind, "+json")
}
