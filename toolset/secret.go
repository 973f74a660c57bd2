package toolset

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// minSecret is the length from which on a value is kept secret: shorter ones
// would be found everywhere.
const minSecret = 4

// secrets are the environment variables that libraries use.
type secrets struct {
	lookup  func(name string) (string, bool)
	hidden  []string // pairs for a strings.Replacer
	seen    map[string]bool
	missing []string // of the entry that is being opened
}

// value returns the value of a variable and keeps it secret from now on.
func (s *secrets) value(name string) string {
	value, set := s.lookup(name)
	if !set || value == "" {
		if !slices.Contains(s.missing, name) {
			s.missing = append(s.missing, name)
		}
		return ""
	}
	if s.seen[name] || len(value) < minSecret {
		return value
	}
	s.seen[name] = true
	for _, form := range spellings(value) {
		s.hidden = append(s.hidden, form, "${"+name+"}")
	}
	return value
}

// incomplete says which variables of an entry are not set.
func (s *secrets) incomplete() error {
	if len(s.missing) == 0 {
		return nil
	}
	if len(s.missing) == 1 {
		return fmt.Errorf("the environment variable %s is not set", s.missing[0])
	}
	return fmt.Errorf("the environment variables %s are not set", strings.Join(s.missing, ", "))
}

// spellings returns the ways in which a value can come back: as it is, in JSON,
// in a URL, and as the password of basic authentication.
func spellings(value string) []string {
	quoted := string(plainjson.String(value))
	escaped, err := json.Marshal(value)
	if err != nil {
		panic("toolset: a string has no JSON form: " + err.Error())
	}
	forms := []string{
		value, quoted[1 : len(quoted)-1], string(escaped[1 : len(escaped)-1]),
		url.QueryEscape(value), url.PathEscape(value), base64.StdEncoding.EncodeToString([]byte(value)),
	}
	slices.Sort(forms)
	return slices.Compact(forms)
}

// A redactor puts names in the place of secret values. The zero redactor knows
// none.
type redactor struct{ *strings.Replacer }

// redactor returns a redactor of all values that are secret now. Longer ones
// come first, since one may be part of another.
func (s *secrets) redactor() redactor {
	if len(s.hidden) == 0 {
		return redactor{}
	}
	var pairs [][2]string
	for i := 0; i < len(s.hidden); i += 2 {
		pairs = append(pairs, [2]string{s.hidden[i], s.hidden[i+1]})
	}
	slices.SortStableFunc(pairs, func(a, b [2]string) int { return len(b[0]) - len(a[0]) })
	var flat []string
	for _, p := range pairs {
		flat = append(flat, p[0], p[1])
	}
	return redactor{strings.NewReplacer(flat...)}
}

func (r redactor) text(text string) string {
	if r.Replacer == nil {
		return text
	}
	return r.Replace(text)
}

// tool keeps secrets out of what a tool returns and of what a server says of it.
func (r redactor) tool(c *runtime.ToolConfig) {
	if r.Replacer == nil {
		return
	}
	c.Description = r.text(c.Description)
	c.Input, c.Output = json.RawMessage(r.text(string(c.Input))), json.RawMessage(r.text(string(c.Output)))
	c.Execute = r.handler(c.Execute)
	if c.For != nil {
		of := c.For
		c.For = func(contract runtime.Contract) runtime.Handler { return r.handler(of(contract)) }
	}
	if c.Accept != nil {
		accept := c.Accept
		c.Accept = func(contract runtime.Contract) error {
			if err := accept(contract); err != nil {
				return errors.New(r.text(err.Error()))
			}
			return nil
		}
	}
}

// handler keeps secrets out of what a handler returns.
func (r redactor) handler(run runtime.Handler) runtime.Handler {
	return func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
		result, err := run(ctx, args)
		if err != nil {
			return nil, r.failure(err)
		}
		return json.RawMessage(r.text(string(result))), nil
	}
}

// failure returns an error with the same kind and no more than its text: the
// causes behind it may hold secrets.
func (r redactor) failure(err error) error {
	failed := &runtime.ToolError{Kind: runtime.ToolExecution, Message: r.text(err.Error())}
	var known *runtime.ToolError
	if errors.As(err, &known) {
		failed.Kind = known.Kind
	}
	for _, ended := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, ended) {
			failed.Err = ended
		}
	}
	return failed
}

// template returns a text in which arguments stand as {name}, and every other
// brace is doubled. What a variable holds is never a template.
func (s *secrets) template(t compile.Text, value func(name string) string) string {
	braces := strings.NewReplacer("{", "{{", "}", "}}")
	var text strings.Builder
	for _, p := range t.Parts {
		switch p.Kind {
		case compile.Literal:
			text.WriteString(braces.Replace(p.Text))
		case compile.Environment:
			text.WriteString(braces.Replace(value(p.Text)))
		case compile.Argument:
			text.WriteString("{" + p.Text + "}")
		}
	}
	return text.String()
}

// url is template for a URL. In its query a value is escaped, so that a key may
// hold anything; before that stand parts of an address.
func (s *secrets) url(t compile.Text) string {
	query := slices.IndexFunc(t.Parts, func(p compile.Part) bool { return p.Kind == compile.Literal && strings.Contains(p.Text, "?") })
	if query < 0 {
		return s.template(t, s.value)
	}
	escaped := func(name string) string { return url.QueryEscape(s.value(name)) }
	return s.template(compile.Text{Parts: t.Parts[:query]}, s.value) + s.template(compile.Text{Parts: t.Parts[query:]}, escaped)
}

// plain returns a text that is no template.
func (s *secrets) plain(t compile.Text) string { return t.Expand(s.value) }
