package types

import (
	"encoding/json"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// This file checks patterns. They must mean the same to the validator of the
// run, which speaks RE2, and to everyone who reads the schema, who speaks the
// regular expressions of ECMA-262 as RawJSON Schema does.

func (c *Checker) readRegexpAttribute(p *ast.Property, what string) json.RawMessage {
	text, ok := ast.TextOf(p.Value)
	if !ok {
		c.NotText(p, diag.CodeInvalidConstraint, what)
		return nil
	}
	if c.valid[text] { // many fields have the same pattern
		return schemaString(nil, text)
	}
	if _, err := syntax.Parse(text, syntax.Perl); err != nil {
		reason := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		if regexpLooksAround(text) {
			reason = "it looks ahead or behind, which may take exponential time"
		}
		c.Diags.Errorf(p.Value.Span(), diag.CodeInvalidConstraint, "the pattern of %s cannot be used: %s", what, report.Clip(reason))
		return nil
	}
	if i, n := foreignRegexpPart(text); n > 0 {
		c.Diags.Errorf(report.NewQuotation(p.Value, text).At(i, i+n), diag.CodeInvalidConstraint,
			"the pattern of %s holds %s, which JSON Schema does not know or takes for something else; patterns there are those of JavaScript", what, report.Clip(text[i:i+n]))
		return nil
	}
	if c.valid == nil {
		c.valid = map[string]bool{}
	}
	c.valid[text] = true
	return schemaString(nil, text)
}

func regexpLooksAround(pattern string) bool {
	return slices.ContainsFunc([]string{"(?=", "(?!", "(?<=", "(?<!"}, func(sign string) bool { return strings.Contains(pattern, sign) })
}

// foreignRegexpPart returns where an RE2 pattern says something in a way that
// ECMA-262 does not have, and how long that is; 0 when there is nothing.
func foreignRegexpPart(pattern string) (at, length int) {
	inClass := false
	for i := 0; i < len(pattern); {
		rest := pattern[i:]
		switch {
		case rest[0] == '\\':
			n, foreign := regexpEscapeLength(rest)
			if foreign {
				return i, n
			}
			i += n
			continue
		case inClass && strings.HasPrefix(rest, "[:"):
			return i, len("[:")
		case inClass:
			inClass = rest[0] != ']'
		case strings.HasPrefix(rest, "[]"), strings.HasPrefix(rest, "[^]"): // an empty class there
			return i, strings.IndexByte(rest, ']') + 1
		case rest[0] == '[':
			inClass = true
		case strings.HasPrefix(rest, "(?P"), strings.HasPrefix(rest, "(?") && rest[2] != ':' && rest[2] != '<':
			return i, len("(?P")
		}
		i++
	}
	return 0, 0
}

// regexpEscapeLength returns the length of the escape that a pattern starts with,
// and whether ECMA-262 knows it not.
func regexpEscapeLength(pattern string) (n int, foreign bool) {
	switch c := pattern[1]; {
	case c == 'p' || c == 'P':
		end := strings.IndexByte(pattern, '}')
		if pattern[2] != '{' || end < 0 {
			return len(`\pL`), true
		}
		_, general := unicode.Categories[pattern[len(`\p{`):end]]
		return end + 1, !general
	case c == 'x' && pattern[2] == '{':
		return strings.IndexByte(pattern, '}') + 1, true
	case strings.IndexByte("AzQEaC", c) >= 0, '0' <= c && c <= '9':
		return len(`\A`), true
	}
	return report.RuneEnd(pattern, 1), false
}
