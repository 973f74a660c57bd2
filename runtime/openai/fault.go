package openai

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gram-lang/gramc/internal/excerpt"
)

// A fault is the failure of one attempt. Its text does not contain the key.
type fault struct {
	status   int           // 0: there was no response
	text     string        // for people
	code     string        // of the server, such as "insufficient_quota"
	retries  int           // how often the request can be repeated
	after    time.Duration // how long the server asks to wait before that
	attempts int
	err      error
}

// Error returns the text, with the number of attempts when there were several.
func (f *fault) Error() string {
	if f.attempts > 1 {
		return fmt.Sprintf("%s (tried %d times)", f.text, f.attempts)
	}
	return f.text
}

// Unwrap returns the cause, which is safe to show.
func (f *fault) Unwrap() error { return f.err }

func (f *fault) badKey() bool {
	return f.status == http.StatusUnauthorized || f.code == "invalid_api_key" ||
		// Google
		f.status == http.StatusBadRequest && strings.Contains(f.text, "API key not valid")
}

// badBody returns the fault of a body that is not a chat completion.
func badBody(body []byte, what string, key secret) *fault {
	return &fault{status: http.StatusOK, text: "the response " + what + ": " + key.show(string(body), 200)}
}

// An apiError is an error in the body of a response.
type apiError struct {
	found bool   // the body is JSON and contains an error
	text  string // the body itself when nothing is found
	code  string
	kind  string
}

// final reports whether the same request would fail again.
func (e apiError) final() bool {
	return slices.ContainsFunc([]string{e.code, e.kind}, func(s string) bool {
		return s == "insufficient_quota" || s == "invalid_api_key"
	})
}

// describe finds the error in a body. Servers use many forms:
// {"error":{"message":…,"code":…}}, [{"error":…}], {"error":"text"},
// {"message":…}, {"detail":…}, HTML, nothing.
func describe(body []byte) apiError {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var top map[string]json.RawMessage
	if json.Unmarshal(body, &top) != nil {
		return apiError{text: string(body)}
	}
	inner := top
	e := apiError{text: string(body)}
	if raw := top["error"]; len(raw) > 0 && string(raw) != "null" {
		e.found, e.text, inner = true, plain(raw), nil
		if json.Unmarshal(raw, &inner) != nil {
			return e
		}
	}
	for _, key := range []string{"message", "detail", "msg"} {
		if raw, ok := inner[key]; ok {
			e.found, e.text = true, plain(raw)
			break
		}
	}
	e.code, e.kind = plain(inner["code"]), plain(inner["type"])
	return e
}

// plain returns the text of a JSON string, "" for null, and the JSON of any other
// value.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// A secret is a value that must not appear in texts for people.
type secret string

const hidden = "[hidden key]"

// hide returns text without the key, plain or escaped. A short key, as local
// servers accept it, is hidden only where it is a whole word.
func (s secret) hide(text string) string {
	key := string(s)
	quoted, _ := json.Marshal(key)
	for _, form := range []string{key, string(quoted[1 : len(quoted)-1]), url.QueryEscape(key), url.PathEscape(key)} {
		text = replace(text, form, len(key) < 8)
	}
	return text
}

// replace replaces key in text, or with onlyWords the keys that are no part of a
// longer word.
func replace(text, key string, onlyWords bool) string {
	parts := strings.Split(text, key)
	var out strings.Builder
	for i, part := range parts {
		if i > 0 {
			before := parts[i-1]
			if onlyWords && (before != "" && inWord(before[len(before)-1]) || part != "" && inWord(part[0])) {
				out.WriteString(key)
			} else {
				out.WriteString(hidden)
			}
		}
		out.WriteString(part)
	}
	return out.String()
}

func inWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80
}

// show returns the first n printable characters of text without the key.
func (s secret) show(text string, n int) string {
	// Again at the end: control characters can have split the key.
	return s.hide(excerpt.Printable(s.hide(text), n))
}
