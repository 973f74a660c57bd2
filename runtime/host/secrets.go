package host

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/internal/template"
)

// minSecret is the length from which on a value can be hidden: shorter ones would be
// found everywhere.
const minSecret = 8

// secrets are the environment variables that libraries use.
type secrets struct {
	lookup  func(name string) (string, bool)
	hidden  []secret
	seen    []string // names of secrets
	missing []string // of the entry that is being opened
}

// A secret is a variable whose value must not be shown.
type secret struct{ name, value string }

// value returns the value of a variable.
func (s *secrets) value(name string) string {
	value, set := s.lookup(name)
	if !set || value == "" {
		if !slices.Contains(s.missing, name) {
			s.missing = append(s.missing, name)
		}
		return ""
	}
	return value
}

// hide keeps the value of a variable secret. It returns false the first time that it
// cannot, because the value is too short.
func (s *secrets) hide(name string) bool {
	if value, set := s.lookup(name); set && value != "" && !slices.Contains(s.seen, name) {
		s.seen = append(s.seen, name)
		if len(strings.TrimSpace(value)) < minSecret {
			return false
		}
		s.hidden = append(s.hidden, secret{name, value})
	}
	return true
}

// incomplete reports which variables of an entry are not set.
func (s *secrets) incomplete() error {
	if len(s.missing) == 0 {
		return nil
	}
	if len(s.missing) == 1 {
		return fmt.Errorf("the environment variable %s is not set", s.missing[0])
	}
	return fmt.Errorf("the environment variables %s are not set", strings.Join(s.missing, ", "))
}

// template returns a template with the values of its variables.
func (s *secrets) template(t library.Text) template.Template {
	return t.Template.Resolve(func(_, name string) string { return s.value(name) })
}

// address is template for a URL: what a variable holds is escaped in its path
// and its query, and taken as it is before them, where it names the target.
func (s *secrets) address(t library.Text) template.Template {
	return t.Template.Resolve(func(before, name string) string {
		_, host, found := strings.Cut(before, "://")
		if !found || !strings.ContainsAny(host, "/?") {
			return s.value(name)
		}
		return strings.ReplaceAll(url.QueryEscape(s.value(name)), "+", "%20")
	})
}

// plain returns a text that is no template.
func (s *secrets) plain(t library.Text) string { return t.Template.Expand(s.value) }
