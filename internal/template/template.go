// Package template holds texts with parts that stand for values: ${NAME} for
// an environment variable and {name} for an argument of a call.
//
// A text is parsed once, where the file that holds it is compiled. From then on
// it is a [Template], so that no value that is put into it is ever read as one.
package template

import (
	"slices"
	"strings"
)

// A Template is a text as its parts, in order. The nil Template is empty.
type Template []Part

// A Part is a piece of a Template.
type Part struct {
	Kind Kind
	Text string // literal text without escapes, or the name of a variable or an argument; never empty
}

// A Kind is the kind of a Part.
type Kind uint8

// The kinds of parts.
const (
	Literal     Kind = iota // text as it is
	Environment             // ${NAME}
	Argument                // {name}
)

// OfText returns the template whose only part is a literal text.
func OfText(text string) Template {
	if text == "" {
		return nil
	}
	return Template{{Literal, text}}
}

// Names returns the names of the parts of a kind, in order and with repetitions.
func (t Template) Names(kind Kind) []string {
	var names []string
	for _, p := range t {
		if p.Kind == kind {
			names = append(names, p.Text)
		}
	}
	return names
}

// Has reports whether the template has a part of a kind.
func (t Template) Has(kind Kind) bool {
	return slices.ContainsFunc(t, func(p Part) bool { return p.Kind == kind })
}

// CutHost cuts an address after its host: before the first /, ? or # that
// follows "://" or a variable at the start, which may hold scheme and host.
func (t Template) CutHost() (head, rest Template) {
	scheme, host := false, len(t) > 0 && t[0].Kind == Environment
	for i, p := range t {
		if p.Kind != Literal {
			continue
		}
		start := 0
		if at := strings.Index(p.Text, "://"); at >= 0 && !scheme {
			scheme, host, start = true, true, at+len("://")
		}
		if end := strings.IndexAny(p.Text[start:], "/?#"); host && end >= 0 {
			end += start
			return append(slices.Clone(t[:i]), OfText(p.Text[:end])...), append(OfText(p.Text[end:]), t[i+1:]...)
		}
	}
	return t, nil
}

// Expand returns the text with the values of its environment variables, without
// its arguments.
func (t Template) Expand(env func(name string) string) string {
	var text strings.Builder
	for _, p := range t {
		switch p.Kind {
		case Literal:
			text.WriteString(p.Text)
		case Environment:
			text.WriteString(env(p.Text))
		}
	}
	return text.String()
}

// Resolve returns the template with literal text in place of its environment
// variables. Env gets the literal text before a variable and returns its value.
func (t Template) Resolve(env func(before, name string) string) Template {
	var resolved Template
	var before strings.Builder
	for _, p := range t {
		if p.Kind == Argument {
			resolved = append(resolved, p)
			continue
		}
		text := p.Text
		if p.Kind == Environment {
			text = env(before.String(), p.Text)
		}
		before.WriteString(text)
		if last := len(resolved) - 1; last >= 0 && resolved[last].Kind == Literal {
			resolved[last].Text += text
		} else if text != "" {
			resolved = append(resolved, Part{Literal, text})
		}
	}
	return resolved
}

// String returns the template as it is written, with doubled braces for those
// that are literal text.
func (t Template) String() string {
	var text strings.Builder
	for _, p := range t {
		switch p.Kind {
		case Literal:
			text.WriteString(strings.NewReplacer("{", "{{", "}", "}}").Replace(p.Text))
		case Environment:
			text.WriteString("${" + p.Text + "}")
		case Argument:
			text.WriteString("{" + p.Text + "}")
		}
	}
	return text.String()
}
