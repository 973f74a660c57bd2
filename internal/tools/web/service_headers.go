package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/gram-lang/gramc/internal/template"
)

// ownHeaders are set by the client or change the connection.
var ownHeaders = []string{
	"Host", "Content-Length", "Transfer-Encoding", "Te", "Trailer", "Connection", "Keep-Alive", "Upgrade",
	"Proxy-Connection", "Proxy-Authorization", "Expect", "Accept-Encoding", "Content-Encoding",
}

// maxHeader is how long a header with its arguments may be, in bytes.
const maxHeader = 8 << 10

// Headers are the headers of a service, by their canonical names.
type serviceHeaders map[string]template.Template

// newServiceHeaders checks headers. Its errors do not show their values, which may be secret.
func newServiceHeaders(headers map[string]template.Template) (serviceHeaders, error) {
	checked := serviceHeaders{}
	for name, value := range headers {
		key := http.CanonicalHeaderKey(name)
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			return nil, fmt.Errorf("headers: %q is not the name of a header", name)
		case slices.Contains(ownHeaders, key):
			return nil, fmt.Errorf("headers: %s cannot be set", key)
		case checked[key] != nil:
			return nil, fmt.Errorf("headers: %s is there twice", key)
		case !httpguts.ValidHeaderFieldValue(value.Expand(func(string) string { return "" })):
			return nil, fmt.Errorf("headers: the value of %s has a line end or another control character", key)
		case value.Has(template.Environment):
			return nil, fmt.Errorf("headers: the variable ${%s} has no value yet", value.Names(template.Environment)[0])
		}
		checked[key] = value
	}
	return checked, nil
}

// names returns the arguments in the headers.
func (h serviceHeaders) names() (names []string) {
	for _, key := range slices.Sorted(maps.Keys(h)) {
		names = append(names, h[key].Names(template.Argument)...)
	}
	return names
}

// fill sets the headers with arguments in them. One with an argument that is not given is not
// sent. A value never ends a header: it is one line without control characters.
func (h serviceHeaders) fill(to http.Header, given map[string]json.RawMessage) error {
	for _, key := range slices.Sorted(maps.Keys(h)) {
		absent := func(argument string) bool {
			value := given[argument]
			return value == nil || string(value) == "null" || string(value) == "[]"
		}
		parts, escape := []template.Template{h[key]}, unescapedAddress
		if key == "Cookie" {
			parts, escape = cookiesOf(h[key]), escapedCookie
		}
		parts = slices.DeleteFunc(parts, func(t template.Template) bool {
			return slices.ContainsFunc(t.Names(template.Argument), absent)
		})
		if len(parts) == 0 {
			continue
		}
		value, err := expandAddress(joinCookies(parts), func(argument string) ([]string, error) {
			texts, ok := callScalars(given[argument])
			if !ok || slices.ContainsFunc(texts, func(text string) bool { return !httpguts.ValidHeaderFieldValue(text) }) {
				return nil, invalidRequest("%s must be a text of one line, a number, a boolean or a list of these: it is part of a header", argument)
			}
			return texts, nil
		}, escape)
		if err != nil {
			return err
		}
		if len(value) > maxHeader && len(h[key].Names(template.Argument)) > 0 {
			return invalidRequest("%s is too long: a header has at most %d bytes", h[key].Names(template.Argument)[0], maxHeader)
		}
		to.Set(key, strings.TrimSpace(value))
	}
	return nil
}

// cookiesOf returns the cookies in the value of a header, each as a template.
func cookiesOf(t template.Template) []template.Template {
	cookies := []template.Template{nil}
	add := func(p template.Part) { cookies[len(cookies)-1] = append(cookies[len(cookies)-1], p) }
	for _, part := range t {
		if part.Kind != template.Literal {
			add(part)
			continue
		}
		for i, text := range strings.Split(part.Text, ";") {
			if i > 0 {
				cookies = append(cookies, nil)
			}
			if text = strings.TrimSpace(text); text != "" {
				add(template.Part{Text: text})
			}
		}
	}
	return slices.DeleteFunc(cookies, func(c template.Template) bool { return len(c) == 0 })
}

// joinCookies returns templates as one, with semicolons between them.
func joinCookies(cookies []template.Template) (all template.Template) {
	for i, cookie := range cookies {
		if i > 0 {
			all = append(all, template.Part{Text: "; "})
		}
		all = append(all, cookie...)
	}
	return all
}

// escapedCookie escapes a value, so that it neither ends its cookie nor begins another one.
func escapedCookie(_, text string) string { return url.PathEscape(text) }
