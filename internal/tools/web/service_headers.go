package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/gram-lang/gramc/internal/template"
)

// ownHeaders are set by the client or change the connection.
var ownHeaders = []string{
	"Host", "Content-Length", "Transfer-Encoding", "Te", "Trailer", "Connection", "Keep-Alive", "Upgrade",
	"Proxy-Connection", "Proxy-Authorization", "Expect", "Accept-Encoding", "Content-Encoding", "Cookie",
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
		absent := func(argument string) bool { value := given[argument]; return value == nil || string(value) == "null" }
		if slices.ContainsFunc(h[key].Names(template.Argument), absent) {
			continue
		}
		value, err := expandAddress(h[key], func(argument string) (string, error) {
			text, ok := callScalar(given[argument])
			if !ok || !httpguts.ValidHeaderFieldValue(text) {
				return "", invalidRequest("%s must be a text of one line, a number or a boolean: it is part of a header", argument)
			}
			return text, nil
		}, unescapedAddress)
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
