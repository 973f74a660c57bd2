package grammar

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// ParenthesizedType parses a type expression by the reference grammar and returns
// it with parentheses around each type that has something after it. That has
// the same meaning, and shows the structure.
func ParenthesizedType(text string) (string, error) {
	parsed, err := parseReferenceTypeTokens(text)
	if err != nil {
		return "", err
	}
	return parsed.write(), nil
}

func (e *typeExpression) write() string {
	var parts []string
	for _, a := range e.Alternatives {
		parts = append(parts, a.write())
	}
	return strings.Join(parts, " | ")
}

func (p *typePostfix) write() string {
	text := p.Primary.write()
	for _, s := range p.Suffixes {
		text = "(" + text + ")" + s.Sign
		if s.Attributes != nil {
			text += joined(s.Attributes.Tokens)
		}
	}
	return text
}

func (p *typePrimary) write() string {
	switch {
	case p.Maybe != nil:
		return "Maybe (" + p.Maybe.write() + ")"
	case p.Map != nil && p.Map.Values != nil:
		return "Map<" + p.Map.Values.write() + ">"
	case p.Map != nil:
		return p.Map.Name
	case p.Array != nil:
		return "[" + p.Array.write() + "]"
	case p.Group != nil:
		return "(" + p.Group.write() + ")"
	case p.Object != nil:
		var parts []string
		for _, f := range p.Object.Fields {
			parts = append(parts, f.write())
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return p.Literal + p.Name
}

func (f *typeField) write() string {
	if f.Rest != nil {
		return "*: " + f.Rest.write()
	}
	text := f.Name + ": " + f.Type.write()
	if f.Mark {
		text = f.Name + "?: " + f.Type.write()
	}
	if f.Default != nil {
		text += " = " + joined(f.Default.Tokens)
	}
	return text
}

// joined returns the text of some tokens.
func joined(tokens []lexer.Token) string {
	var parts []string
	for _, t := range tokens {
		if t.Type != typeParser().Lexer().Symbols()["Whitespace"] {
			parts = append(parts, t.Value)
		}
	}
	return strings.Join(parts, " ")
}
