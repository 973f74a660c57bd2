package modelhttp

import (
	"cmp"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// An apiError is an error in the body of a response.
type apiError struct {
	found bool   // the body is JSON and contains an error
	text  string // the body itself when nothing is found
	code  string
	kind  string
	after time.Duration // how long the server asks to wait; 0 if it does not
}

// final reports whether the same request would fail again.
func (e apiError) final() bool {
	return slices.ContainsFunc([]string{e.code, e.kind}, func(s string) bool {
		return s == "insufficient_quota" || s == "invalid_api_key" || s == "API_KEY_INVALID"
	})
}

// The errors of providers and local servers about conversations that are too long,
// and about content. There are codes for them at some:
// https://platform.openai.com/docs/guides/error-codes (context_length_exceeded),
// https://learn.microsoft.com/azure/ai-services/openai/concepts/content-filter
// (content_filter), llama.cpp (exceed_context_size_error).
var (
	overflowText = apiErrorPattern(`(?i)context[_ -]?(length|window|size|limit)|prompt is too long|input is too long|(input|prompt) token count|` +
		`maximum number of tokens|too many (input |prompt )?tokens|exceeds (the )?token limit|request_too_large`)
	filterText = apiErrorPattern(`(?i)content[_ -](filter|policy|management policy)|prohibited_content|data_inspection_failed|safety system|(input|prompt|request) was flagged`)
)

// apiErrorPattern returns what compiles a pattern when it is first needed, and once.
func apiErrorPattern(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// words returns what of an error says its kind, without what is echoed at the end.
func (e apiError) words() string { return e.code + " " + e.kind + " " + e.text[:min(len(e.text), 500)] }

// reason returns the kind of the error, "" for none of its own.
func (e apiError) reason(status int) runtime.ErrorKind {
	matches := func(pattern func() *regexp.Regexp) bool {
		return status != http.StatusTooManyRequests && pattern().MatchString(e.words())
	}
	switch {
	case status == http.StatusUnauthorized, e.code == "invalid_api_key",
		e.kind == "authentication_error", e.kind == "permission_error", // Anthropic
		e.kind == "API_KEY_INVALID", e.kind == "PERMISSION_DENIED", // Google, with status 400 and 403
		status == http.StatusBadRequest && strings.Contains(e.text, "API key not valid"): // and without details
		return runtime.KindConfiguration
	case matches(overflowText):
		return runtime.KindContextOverflow
	case matches(filterText):
		return runtime.KindContentFilter
	}
	return ""
}

// The errors of providers that have too much to do:
// https://platform.claude.com/docs/en/api/errors (overloaded_error),
// https://ai.google.dev/gemini-api/docs/troubleshooting (UNAVAILABLE, RESOURCE_EXHAUSTED).
var (
	overloadText = apiErrorPattern(`(?i)overloaded|\bUNAVAILABLE\b|at capacity`)
	limitText    = apiErrorPattern(`(?i)rate[_ -]?limit|too many requests|\bRESOURCE_EXHAUSTED\b`)
)

// busy returns the kind of an error that may be none tomorrow, "" for any other.
func (e apiError) busy(status int) runtime.ErrorKind {
	switch {
	case e.final(), status >= 400 && status < 500 && status != http.StatusTooManyRequests:
		return ""
	case status == http.StatusServiceUnavailable, status == 529, overloadText().MatchString(e.words()): // 529 of Anthropic
		return runtime.KindOverloaded
	case status == http.StatusTooManyRequests, limitText().MatchString(e.words()):
		return runtime.KindRateLimit
	}
	return ""
}

// otherText is in errors that another model need not give: this one is not there, lacks a
// feature, or is not paid for.
var otherText = apiErrorPattern(`(?i)support|\bmodels?\b|model_|credit|billing|quota|balance|\bregion\b|location`)

// refuses reports whether an error says that the request is wrong, as it would be for
// every model.
func (e apiError) refuses(status int) bool {
	return (status == http.StatusBadRequest || status == http.StatusUnprocessableEntity) && !e.final() && !otherText().MatchString(e.words())
}

// readAPIError finds the error in a body. Servers use many forms:
// {"error":{"message":…,"code":…}}, [{"error":…}], {"error":"text"},
// {"message":…}, {"detail":…}, HTML, nothing.
func readAPIError(body []byte) apiError {
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
		e.found, e.text, inner = true, plainjson.Text(raw), nil
		if json.Unmarshal(raw, &inner) != nil {
			return e
		}
	}
	for _, key := range []string{"message", "detail", "msg"} {
		if raw, ok := inner[key]; ok {
			e.found, e.text = true, plainjson.Text(raw)
			break
		}
	}
	e.code, e.kind = plainjson.Text(inner["code"]), cmp.Or(plainjson.Text(inner["type"]), plainjson.Text(inner["status"]))
	e.addDetails(inner["details"])
	return e
}

// addDetails reads the details of an error of Google: the reason, and how long to
// wait (https://cloud.google.com/apis/design/errors, "ErrorInfo" and "RetryInfo").
func (e *apiError) addDetails(raw json.RawMessage) {
	var details []struct {
		Type   string `json:"@type"`
		Reason string `json:"reason"`
		Delay  string `json:"retryDelay"` // such as "34.5s"
	}
	if json.Unmarshal(raw, &details) != nil {
		return
	}
	for _, d := range details {
		switch {
		case strings.HasSuffix(d.Type, "google.rpc.ErrorInfo") && d.Reason == "API_KEY_INVALID":
			e.kind = d.Reason
		case strings.HasSuffix(d.Type, "google.rpc.RetryInfo"):
			if seconds, err := strconv.ParseFloat(strings.TrimSuffix(d.Delay, "s"), 64); err == nil {
				e.after = retryWait(seconds)
			}
		}
	}
}
