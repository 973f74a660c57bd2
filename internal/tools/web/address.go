package web

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/internal/template"
)

// An address is a URL with arguments, such as
// https://api.example.com/cities/{city}?days={days}, whose scheme, host and
// port are fixed. Its literal parts are escaped already.
type address struct {
	origin      string // scheme://host:port
	path, query template.Template
	segments    []string // of the path, with their arguments as {name}, escaped
	keys        []string // that the query has, besides those with arguments
	arguments   []string // the names in path and query
	slashes     []string // those that are several segments
}

// newAddress checks a template. Its errors do not show the literal text, which
// may hold a secret.
func newAddress(t template.Template) (*address, error) {
	if variables := t.Names(template.Environment); len(variables) > 0 {
		return nil, fmt.Errorf("the variable ${%s} has no value yet", variables[0])
	}
	head, rest := t.CutHost()
	a := &address{origin: head.Expand(nil)}
	if arguments := head.Names(template.Argument); len(arguments) > 0 && strings.Contains(head[0].Text, "://") {
		return nil, fmt.Errorf("the argument {%s} is part of the host; scheme, host and port may have none", arguments[0])
	}
	if _, err := parseSiteOrigin(a.origin); err != nil {
		return nil, err
	}
	a.split(rest)
	return a, a.check()
}

// split puts what follows the host into path and query.
func (a *address) split(rest template.Template) {
	to := &a.path
	for _, p := range rest {
		if p.Kind == template.Argument {
			*to = append(*to, p)
			continue
		}
		before, after, found := p.Text, "", false
		if to == &a.path {
			before, after, found = strings.Cut(p.Text, "?")
		}
		*to = append(*to, template.Part{Text: escapeAddressLiteral(before)})
		if found {
			to = &a.query
			*to = template.Template{{Text: escapeAddressLiteral(after)}}
		}
	}
}

// check refuses a path that does not start with a slash, a fragment, and a
// percent sign that is not an escape. It notes what expand needs.
func (a *address) check() error {
	named := func(name string) ([]string, error) { return []string{"{" + url.QueryEscape(name) + "}"}, nil }
	path, _ := expandAddress(a.path, named, unescapedAddress)
	query, _ := expandAddress(a.query, named, unescapedAddress)
	switch _, err := url.PathUnescape(strings.NewReplacer("{", ".", "}", ".").Replace(path + "." + query)); {
	case strings.Contains(path+query, "#"):
		return errors.New("it may have no #: what follows it is never sent")
	case path != "" && path[0] != '/':
		return errors.New("a / is missing after the host")
	case err != nil:
		return errors.New("a % begins no escape such as %20; write %25 for the character itself")
	}
	a.segments = strings.Split(path, "/")
	a.arguments = append(a.path.Names(template.Argument), a.query.Names(template.Argument)...)
	for pair := range strings.SplitSeq(query, "&") {
		key, _, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(key); err == nil && name != "" && !strings.Contains(key, "{") {
			a.keys = append(a.keys, name)
		}
	}
	return nil
}

// escapeAddressLiteral escapes the characters that a URL may not have. Escapes stay.
func escapeAddressLiteral(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// innerSlash stands for a slash of an argument while the segments are compared. No
// escaped text has it.
const innerSlash = "\x00"

// expand returns the URL for values of the arguments. What a value holds never
// changes the origin, nor how many segments the path has.
func (a *address) expand(value func(argument string) ([]string, error)) (string, error) {
	path, err := expandAddress(a.path, value, func(argument, text string) string {
		text = url.PathEscape(text)
		if slices.Contains(a.slashes, argument) {
			text = strings.ReplaceAll(text, "%2F", innerSlash)
		}
		return text
	})
	if err != nil {
		return "", err
	}
	for i, segment := range strings.Split(path, "/") {
		if start := strings.LastIndexByte(a.segments[i], '{'); start >= 0 {
			name, _, _ := strings.Cut(a.segments[i][start+1:], "}")
			argument, _ := url.QueryUnescape(name)
			if err := checkAddressSegment(segment, argument); err != nil {
				return "", err
			}
		}
	}
	path = strings.ReplaceAll(path, innerSlash, "/")
	if a.query == nil {
		return a.origin + path, nil
	}
	query, err := expandAddress(a.query, value, func(_, text string) string { return url.QueryEscape(text) })
	return a.origin + path + "?" + query, err
}

// expandAddress returns a template with escaped values. Those of a list have commas between them.
func expandAddress(t template.Template, value func(string) ([]string, error), escape func(argument, text string) string) (string, error) {
	var out strings.Builder
	for _, p := range t {
		text := p.Text
		if p.Kind == template.Argument {
			plain, err := value(p.Text)
			if err != nil {
				return "", err
			}
			for i := range plain {
				plain[i] = escape(p.Text, plain[i])
			}
			text = strings.Join(plain, ",")
		}
		out.WriteString(text)
	}
	return out.String(), nil
}

func unescapedAddress(_, text string) string { return text }

// checkAddressSegment refuses a segment of the path that leads elsewhere. Servers undo
// escapes before they walk a path, so that no dots may stand between escaped
// slashes.
func checkAddressSegment(segment, argument string) error {
	plain, err := url.PathUnescape(segment)
	if err != nil {
		return err
	}
	if plain == "" {
		return invalidRequest("%s is empty, and the path of the service needs it", argument)
	}
	for part := range strings.FieldsFuncSeq(plain, func(r rune) bool { return r == '/' || r == '\\' || r == 0 }) {
		if part == "." || part == ".." {
			return invalidRequest("%s has the path segment %q, which leads elsewhere", argument, part)
		}
	}
	return nil
}
