package web

import (
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/gram-lang/gramc/internal/guard"
)

// decodeMediaType returns the body of a response as UTF-8, from the encoding that its
// first bytes, its content type or, in HTML, its meta elements name.
func decodeMediaType(r *guard.Response) string {
	start := r.Body
	if !isHTMLMediaType(mediaType(r)) {
		start = start[:min(len(start), 3)] // for the byte order mark alone
	}
	encoding, name, certain := charset.DetermineEncoding(start, r.Header.Get("Content-Type"))
	guessed := !certain && name == "windows-1252" // the default guess
	body := r.Body
	if name != "utf-8" && !(guessed && utf8.Valid(body)) {
		if text, err := encoding.NewDecoder().Bytes(body); err == nil {
			body = text
		}
	}
	return strings.ToValidUTF8(strings.TrimPrefix(string(body), "\ufeff"), "\ufffd")
}

// mediaType returns the type of a response, in lower case, without parameters.
func mediaType(r *guard.Response) string {
	header := r.Header.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(header)
	if err != nil {
		kind, _, _ = strings.Cut(header, ";")
	}
	return strings.ToLower(strings.TrimSpace(kind))
}

func isHTMLMediaType(kind string) bool { return kind == "text/html" || kind == "application/xhtml+xml" }

func isJSONMediaType(kind string) bool {
	return kind == "application/json" || kind == "text/json" || strings.HasSuffix(kind, "+json")
}
