package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/runtime"
)

// A redactor puts names in the place of secret values. The zero redactor knows
// none.
type redactor struct {
	whole    *strings.Replacer // nil without secrets
	spanning *strings.Replacer // of the secrets that may be several tokens of JSON
	forms    []form            // longer ones first
}

// A form is one spelling of a secret.
type form struct{ text, name string }

// redactor returns a redactor of all values that are secret now. Longer ones
// come first, since one may be part of another.
func (s *secrets) redactor() redactor {
	if len(s.hidden) == 0 {
		return redactor{}
	}
	var r redactor
	var spanning []form
	for _, hidden := range s.hidden {
		name := "${" + hidden.name + "}"
		for _, piece := range spellingPieces(hidden.value) {
			for _, spelling := range spellings(piece) {
				r.forms = append(r.forms, form{spelling, name})
			}
		}
		if value := strings.TrimSpace(hidden.value); strings.ContainsAny(value, `{}[],:"`) {
			spanning = append(spanning, form{value, name}, form{string(redactCompact([]byte(value))), name})
		}
	}
	r.whole, r.spanning = redactReplacer(r.forms), redactReplacer(spanning)
	return r
}

// redactReplacer sorts forms, longer ones first, and returns what replaces them.
func redactReplacer(forms []form) *strings.Replacer {
	slices.SortStableFunc(forms, func(a, b form) int { return len(b.text) - len(a.text) })
	flat := make([]string, 0, 2*len(forms))
	for _, f := range forms {
		flat = append(flat, f.text, f.name)
	}
	return strings.NewReplacer(flat...)
}

// text keeps secrets out of a message, also those that were cut at a
// "…".
func (r redactor) text(text string) string {
	if r.whole == nil {
		return text
	}
	return r.atCuts(r.whole.Replace(text))
}

const ellipsis = "…"

// maxCuts is how many places are looked at from each end of a message: there
// are few where we cut, and others can write the sign often.
const maxCuts = 4

// atCuts removes the start of a secret before "…", and the end of one after it.
func (r redactor) atCuts(text string) string {
	parts := strings.Split(text, ellipsis)
	for i := range parts {
		if i > maxCuts && i < len(parts)-1-maxCuts {
			continue
		}
		if i > 0 {
			parts[i] = r.withoutEnd(parts[i])
		}
		if i < len(parts)-1 {
			parts[i] = r.withoutStart(parts[i])
		}
	}
	return strings.Join(parts, ellipsis)
}

// withoutEnd replaces the end of a secret that a text starts with.
func (r redactor) withoutEnd(text string) string {
	longest, name := 0, ""
	for _, f := range r.forms {
		if n := redactOverlap(f.text, text); n > longest {
			longest, name = n, f.name
		}
	}
	return name + text[longest:]
}

// withoutStart replaces the start of a secret that a text ends with.
func (r redactor) withoutStart(text string) string {
	longest, name := 0, ""
	for _, f := range r.forms {
		if n := redactOverlap(text, f.text); n > longest {
			longest, name = n, f.name
		}
	}
	return text[:len(text)-longest] + name
}

// redactOverlap returns the length of the longest end of a that b starts with, 0 below
// minSecret.
func redactOverlap(a, b string) int {
	for n := min(len(a), len(b)); n >= minSecret; n-- {
		if a[len(a)-n] == b[0] && a[len(a)-n:] == b[:n] {
			return n
		}
	}
	return 0
}

var jsonString = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
})

// json keeps secrets out of a JSON value, which stays one: its texts are searched, and
// numbers are left alone. The whole value becomes a text when a secret is made of
// several parts of it. What is not JSON is a text.
func (r redactor) json(value json.RawMessage) json.RawMessage {
	switch {
	case r.whole == nil || len(value) == 0:
		return value
	case !json.Valid(value):
		return json.RawMessage(r.text(string(value)))
	}
	out := jsonString().ReplaceAllFunc(value, func(quoted []byte) []byte {
		var text string
		if json.Unmarshal(quoted, &text) != nil {
			panic("host: a text of valid JSON is none: " + string(quoted))
		}
		if hidden := r.whole.Replace(text); hidden != text {
			return plainjson.String(hidden)
		}
		return quoted
	})
	for _, whole := range []string{string(redactCompact(out)), string(out)} {
		if hidden := r.spanning.Replace(whole); hidden != whole {
			return plainjson.String(hidden)
		}
	}
	return out
}

func redactCompact(value []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return value
	}
	return b.Bytes()
}

// definition keeps secrets out of the definition of a tool by a server.
func (r redactor) definition(c *runtime.ToolConfig) {
	c.Description, c.Input, c.Output = r.text(c.Description), r.json(c.Input), r.json(c.Output)
}

// tool keeps secrets out of what a tool returns.
func (r redactor) tool(c *runtime.ToolConfig) {
	if r.whole == nil {
		return
	}
	c.Execute = r.handler(c.Execute)
	if c.For != nil {
		of := c.For
		c.For = func(contract runtime.Contract) runtime.Handler { return r.handler(of(contract)) }
	}
	if c.Accept != nil {
		accept := c.Accept
		c.Accept = func(contract runtime.Contract) error {
			err := accept(contract)
			var refused *runtime.BindError
			switch {
			case errors.As(err, &refused):
				return &runtime.BindError{Reason: refused.Reason, Detail: r.text(refused.Detail)}
			case err != nil:
				return errors.New(r.text(err.Error()))
			}
			return nil
		}
	}
}

// handler keeps secrets out of what a handler returns, or panics with.
func (r redactor) handler(run runtime.Handler) runtime.Handler {
	return func(ctx context.Context, args json.RawMessage) (json.RawMessage, error) {
		defer func() {
			if v := recover(); v != nil {
				panic(r.text(fmt.Sprint(v))) // which the run time makes a failure of
			}
		}()
		result, err := run(ctx, args)
		if err != nil {
			return nil, r.failure(err)
		}
		return r.json(result), nil
	}
}

// failure returns an error with the same kind and no more than its text: the
// wrapped causes may contain secrets.
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
