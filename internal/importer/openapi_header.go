package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// This file decides which parameters in headers are arguments where a library sends them.

// unsentHeader reports whether a parameter in a header or a cookie is no argument: OpenAPI
// ignores it, the client sets it, or it is a secret, which no model should know. A secret that is
// required comes from the environment, and others are not sent.
func (a *openAPIArguments) unsentHeader(item, p *jsonschema.Node, name, in string, required bool) bool {
	ignored := strings.ToLower(name)
	if in == "cookie" {
		ignored = ""
	}
	switch ignored {
	case "accept", "content-type", "authorization", "host", "content-length", "transfer-encoding", "te", "trailer", "connection", "keep-alive",
		"upgrade", "proxy-connection", "proxy-authorization", "expect", "accept-encoding", "content-encoding", "cookie":
		return true
	}
	hasScheme := slices.ContainsFunc(a.forms.service.schemesList(), func(scheme *jsonschema.Node) bool {
		scheme = a.target(scheme)
		return scheme.Get("in").Text() == in && strings.EqualFold(scheme.Get("name").Text(), name)
	})
	switch {
	case !hasScheme && !isSecretHeader(name) && p.Get("schema").Get("format").Text() != "password":
		return false
	case hasScheme && !required:
	case !required:
		a.assumed(a.span(item), nil, "the %s %s is not an argument, and is not sent", in, quoteText(name))
	default:
		word := strings.Map(func(r rune) rune {
			if r > 'z' || !isServiceNameByte(byte(r)) {
				return '_'
			}
			return r
		}, strings.ToUpper(name))
		variable := "${" + a.forms.service.prefix + "_" + word + "}"
		a.assumed(a.span(item), nil, "the %s %s is not an argument: each call sends the environment variable %s", in, quoteText(name), variable)
		if in == "cookie" {
			a.entry.cookies = append(a.entry.cookies, placed{name, variable})
		} else {
			a.entry.headers = append(a.entry.headers, placed{name, variable})
		}
	}
	return true
}

// schemesList returns the security schemes of a document.
func (s *openAPIService) schemesList() (all []*jsonschema.Node) {
	if s.schemes != nil {
		for _, m := range s.schemes.Members {
			all = append(all, m.Value)
		}
	}
	return all
}

// isSecretHeader reports whether a header proves who asks, by its name.
func isSecretHeader(name string) bool {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r > 'z' || !isServiceNameByte(byte(r)) })
	for i, word := range words {
		switch word {
		case "token", "secret", "password", "auth", "authorization", "credential", "credentials", "apikey", "session":
			return true
		case "key":
			if i == 0 || words[i-1] != "idempotency" {
				return true
			}
		}
	}
	return false
}
