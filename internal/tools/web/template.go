package web

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// A template is a URL with variables, such as
// https://api.example.com/cities/{city}?days={days}, whose scheme, host and
// port are fixed. Two braces stand for one.
type template struct {
	origin string // scheme://host:port
	path   [][]fragment
	query  []fragment // without the question mark
	keys   []string   // that the query holds, besides those with variables
}

// A fragment is a piece of a template: literal text that is escaped already,
// or a variable.
type fragment struct{ literal, variable string }

// parseTemplate reads a template. Its errors do not tell the literal text,
// which may hold a secret.
func parseTemplate(text string) (*template, error) {
	fragments, err := cutTemplate(text)
	if err != nil {
		return nil, err
	}
	head := fragments[0].literal
	start := strings.Index(head, "://")
	if start < 0 {
		return nil, errors.New("it must start with https:// or http:// and a host")
	}
	start += len("://")
	end := strings.IndexAny(head[start:], `/?#\`)
	if end < 0 {
		if len(fragments) > 1 {
			return nil, fmt.Errorf("the variable {%s} stands in the host; scheme, host and port may have none", fragments[1].variable)
		}
		end = len(head) - start
	}
	t := &template{origin: head[:start+end]}
	if err := t.checkOrigin(); err != nil {
		return nil, err
	}
	fragments[0].literal = head[start+end:]
	return t, t.split(fragments)
}

func (t *template) checkOrigin() error {
	u, err := url.Parse(t.origin)
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

// cutTemplate cuts a text at its variables. The first fragment is literal.
func cutTemplate(text string) ([]fragment, error) {
	var list []fragment
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 || len(list) == 0 {
			list = append(list, fragment{literal: literal.String()})
			literal.Reset()
		}
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case (c == '{' || c == '}') && i+1 < len(text) && text[i+1] == c:
			literal.WriteByte(c)
			i++
		case c == '}':
			return nil, errors.New("a } stands alone; write }} for the character itself")
		case c == '{':
			name, _, ok := strings.Cut(text[i+1:], "}")
			if !ok || name == "" || strings.ContainsAny(name, "{/?#&= ") {
				return nil, errors.New("a { begins no variable such as {name}; write {{ for the character itself")
			}
			flush()
			list = append(list, fragment{variable: name})
			i += len(name) + 1
		default:
			literal.WriteByte(c)
		}
	}
	flush()
	return list, nil
}

// split puts what stands behind the host into path and query.
func (t *template) split(fragments []fragment) error {
	t.path = [][]fragment{nil}
	inQuery := false
	add := func(f fragment) {
		if inQuery {
			t.query = append(t.query, f)
		} else {
			last := len(t.path) - 1
			t.path[last] = append(t.path[last], f)
		}
	}
	for _, f := range fragments {
		if f.variable != "" {
			add(f)
			continue
		}
		if strings.Contains(f.literal, "#") {
			return errors.New("it may have no #: what stands behind it is never sent")
		}
		rest := f.literal
		if !inQuery {
			var path string
			var found bool
			path, rest, found = strings.Cut(f.literal, "?")
			for i, segment := range strings.Split(path, "/") {
				if i > 0 {
					t.path = append(t.path, nil)
				}
				add(fragment{literal: escapeLiteral(segment)})
			}
			inQuery = found
		}
		if inQuery {
			add(fragment{literal: escapeLiteral(rest)})
		}
	}
	return t.checkPath()
}

// checkPath refuses a path that would not be one segment by segment, and
// escapes that are none.
func (t *template) checkPath() error {
	first := t.path[0]
	for _, f := range first {
		if f.literal != "" || f.variable != "" {
			return errors.New("a / is missing behind the host")
		}
	}
	var literal strings.Builder
	for _, f := range t.fragments() {
		literal.WriteString(f.literal)
		literal.WriteByte('.') // so that no escape goes over a variable
	}
	if _, err := url.PathUnescape(literal.String()); err != nil {
		return errors.New("a % begins no escape such as %20; write %25 for the character itself")
	}
	query := ""
	for _, f := range t.query {
		if f.variable != "" {
			query += "{"
		}
		query += f.literal
	}
	for pair := range strings.SplitSeq(query, "&") {
		key, _, _ := strings.Cut(pair, "=")
		if strings.Contains(key, "{") {
			continue
		}
		if key, err := url.QueryUnescape(key); err == nil && key != "" {
			t.keys = append(t.keys, key)
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

func (t *template) fragments() []fragment {
	return slices.Concat(append(slices.Clone(t.path), t.query)...)
}

// variables returns the names of all variables, each once, in order.
func (t *template) variables() []string {
	var names []string
	for _, f := range t.fragments() {
		if f.variable != "" && !slices.Contains(names, f.variable) {
			names = append(names, f.variable)
		}
	}
	return names
}

// expand returns the URL for values of the variables. What a value holds never
// changes the origin, nor how many segments the path has.
func (t *template) expand(value func(variable string) (string, error)) (string, error) {
	var out strings.Builder
	out.WriteString(t.origin)
	for i, segment := range t.path {
		if i > 0 {
			out.WriteByte('/')
		}
		text, err := expandSegment(segment, value)
		if err != nil {
			return "", err
		}
		out.WriteString(text)
	}
	if len(t.query) > 0 {
		out.WriteByte('?')
	}
	for _, f := range t.query {
		out.WriteString(f.literal)
		if f.variable == "" {
			continue
		}
		text, err := value(f.variable)
		if err != nil {
			return "", err
		}
		out.WriteString(url.QueryEscape(text))
	}
	return out.String(), nil
}

// expandSegment returns one segment of the path. Servers undo escapes before
// they walk a path, so that dots may stand between escaped slashes neither.
func expandSegment(segment []fragment, value func(string) (string, error)) (string, error) {
	var out strings.Builder
	variable := ""
	for _, f := range segment {
		out.WriteString(f.literal)
		if f.variable == "" {
			continue
		}
		variable = f.variable
		text, err := value(variable)
		if err != nil {
			return "", err
		}
		out.WriteString(url.PathEscape(text))
	}
	if variable == "" {
		return out.String(), nil
	}
	plain, err := url.PathUnescape(out.String())
	if err != nil {
		return "", err
	}
	if plain == "" {
		return "", invalid("%s is empty, and the path of the service needs it", variable)
	}
	for part := range strings.FieldsFuncSeq(plain, func(r rune) bool { return r == '/' || r == '\\' }) {
		if part == "." || part == ".." {
			return "", invalid("%s has the path segment %q, which leads elsewhere", variable, part)
		}
	}
	return out.String(), nil
}
