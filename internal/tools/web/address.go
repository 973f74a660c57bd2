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
	origin    string              // scheme://host:port
	path      []template.Template // the segments, the first of them empty
	query     template.Template   // without the question mark
	keys      []string            // that the query holds, besides those with arguments
	arguments []string            // the names in path and query
}

// newAddress checks a template. Its errors do not show the literal text, which
// may hold a secret.
func newAddress(t template.Template) (*address, error) {
	head := ""
	if len(t) > 0 && t[0].Kind == template.Literal {
		head, t = t[0].Text, t[1:]
	}
	start := strings.Index(head, "://")
	if start < 0 {
		return nil, errors.New("it must start with https:// or http:// and a host")
	}
	start += len("://")
	end := strings.IndexAny(head[start:], `/?#\`)
	if end < 0 {
		if len(t) > 0 {
			return nil, fmt.Errorf("the argument {%s} stands in the host; scheme, host and port may have none", t[0].Text)
		}
		end = len(head) - start
	}
	a := &address{origin: head[:start+end]}
	if err := checkOrigin(a.origin); err != nil {
		return nil, err
	}
	rest := append(template.OfText(head[start+end:]), t...)
	a.arguments = rest.Names(template.Argument)
	return a, a.split(rest)
}

func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	switch {
	case err != nil:
		return unwrapped(err)
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return errors.New("it must start with https:// or http:// and a host")
	case u.User != nil:
		return errors.New("it may hold no user name; use a header Authorization")
	}
	return nil
}

// split puts what stands behind the host into path and query.
func (a *address) split(rest template.Template) error {
	a.path = []template.Template{nil}
	inQuery := false
	for _, p := range rest {
		if p.Kind == template.Argument {
			a.add(p, inQuery)
			continue
		}
		if strings.Contains(p.Text, "#") {
			return errors.New("it may have no #: what stands behind it is never sent")
		}
		text := p.Text
		if !inQuery {
			var path string
			path, text, inQuery = strings.Cut(p.Text, "?")
			for i, segment := range strings.Split(path, "/") {
				if i > 0 {
					a.path = append(a.path, nil)
				}
				a.add(template.Part{Text: escapeLiteral(segment)}, false)
			}
		}
		if inQuery {
			a.add(template.Part{Text: escapeLiteral(text)}, true)
		}
	}
	return a.check()
}

func (a *address) add(p template.Part, inQuery bool) {
	to := &a.query
	if !inQuery {
		to = &a.path[len(a.path)-1]
	}
	*to = append(*to, p)
}

// check refuses a path that does not start with a slash, and escapes that are
// none. It notes the keys of the query.
func (a *address) check() error {
	if slices.ContainsFunc(a.path[0], func(p template.Part) bool { return p.Text != "" }) {
		return errors.New("a / is missing behind the host")
	}
	var literal strings.Builder
	for _, p := range slices.Concat(append(slices.Clone(a.path), a.query)...) {
		if p.Kind == template.Literal {
			literal.WriteString(p.Text)
		}
		literal.WriteByte('.') // so that no escape goes over an argument
	}
	if _, err := url.PathUnescape(literal.String()); err != nil {
		return errors.New("a % begins no escape such as %20; write %25 for the character itself")
	}
	query, _ := expand(a.query, func(string) (string, error) { return "{", nil }, strings.Clone)
	for pair := range strings.SplitSeq(query, "&") {
		key, _, _ := strings.Cut(pair, "=")
		if strings.Contains(key, "{") {
			continue
		}
		if key, err := url.QueryUnescape(key); err == nil && key != "" {
			a.keys = append(a.keys, key)
		}
	}
	return nil
}

// escapeLiteral escapes what may not stand in a URL. Escapes stay.
func escapeLiteral(text string) string {
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

// expand returns the URL for values of the arguments. What a value holds never
// changes the origin, nor how many segments the path has.
func (a *address) expand(value func(argument string) (string, error)) (string, error) {
	var out strings.Builder
	out.WriteString(a.origin)
	for i, segment := range a.path {
		if i > 0 {
			out.WriteByte('/')
		}
		text, err := expandSegment(segment, value)
		if err != nil {
			return "", err
		}
		out.WriteString(text)
	}
	if len(a.query) > 0 {
		out.WriteByte('?')
	}
	query, err := expand(a.query, value, url.QueryEscape)
	return out.String() + query, err
}

// expand returns a template with escaped values.
func expand(t template.Template, value func(string) (string, error), escape func(string) string) (string, error) {
	var out strings.Builder
	for _, p := range t {
		text := p.Text
		if p.Kind == template.Argument {
			plain, err := value(p.Text)
			if err != nil {
				return "", err
			}
			text = escape(plain)
		}
		out.WriteString(text)
	}
	return out.String(), nil
}

// expandSegment returns one segment of the path. Servers undo escapes before
// they walk a path, so that dots may stand between escaped slashes neither.
func expandSegment(segment template.Template, value func(string) (string, error)) (string, error) {
	out, err := expand(segment, value, url.PathEscape)
	names := segment.Names(template.Argument)
	if err != nil || len(names) == 0 {
		return out, err
	}
	last := names[len(names)-1]
	plain, err := url.PathUnescape(out)
	if err != nil {
		return "", err
	}
	if plain == "" {
		return "", invalid("%s is empty, and the path of the service needs it", last)
	}
	for part := range strings.FieldsFuncSeq(plain, func(r rune) bool { return r == '/' || r == '\\' }) {
		if part == "." || part == ".." {
			return "", invalid("%s has the path segment %q, which leads elsewhere", last, part)
		}
	}
	return out, nil
}
