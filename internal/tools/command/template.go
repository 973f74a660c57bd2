package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// A template is an argument with places for values.
type template struct {
	source string
	parts  []part
}

// A part is literal text, or the value of a parameter.
type part struct{ text, parameter string }

// parseTemplate reads an argument. {name} is a place, {{ and }} are braces.
func parseTemplate(source string) (template, error) {
	t := template{source: source}
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			t.parts = append(t.parts, part{text: literal.String()})
			literal.Reset()
		}
	}
	for rest := source; rest != ""; {
		at := strings.IndexAny(rest, "{}")
		if at < 0 {
			literal.WriteString(rest)
			break
		}
		literal.WriteString(rest[:at])
		brace := rest[at]
		rest = rest[at+1:]
		if rest != "" && rest[0] == brace {
			literal.WriteByte(brace)
			rest = rest[1:]
			continue
		}
		if brace == '}' {
			return t, errors.New("a } has no {; write }} for a brace")
		}
		name, after, closed := strings.Cut(rest, "}")
		switch {
		case !closed:
			return t, errors.New("a { is not closed; write {{ for a brace")
		case name == "":
			return t, errors.New("{} names no parameter; write {{}} for braces")
		}
		flush()
		t.parts = append(t.parts, part{parameter: name})
		rest = after
	}
	flush()
	return t, nil
}

// variables returns the parameters that the template names.
func (t *template) variables() []string {
	var names []string
	for _, p := range t.parts {
		if p.parameter != "" {
			names = append(names, p.parameter)
		}
	}
	return names
}

// fillAll returns the arguments with their values. What a model writes must
// not become an option: an argument that starts with a value may start with a
// hyphen only behind "--", where programs look for no options.
func fillAll(templates []template, args map[string]json.RawMessage) ([]string, error) {
	filled := make([]string, 0, len(templates))
	optionsOver := false
	for _, t := range templates {
		text, err := t.fill(args)
		if err != nil {
			return nil, err
		}
		startsWithValue := len(t.parts) > 0 && t.parts[0].parameter != ""
		if startsWithValue && strings.HasPrefix(text, "-") && !optionsOver {
			return nil, fmt.Errorf("the value of %s starts with a hyphen, and the program could take it for an option",
				t.parts[0].parameter)
		}
		optionsOver = optionsOver || t.source == "--"
		filled = append(filled, text)
	}
	return filled, nil
}

// fill returns the text of the argument. A text stands for itself, nothing and
// null for an empty text, and everything else for its JSON.
func (t *template) fill(args map[string]json.RawMessage) (string, error) {
	var b strings.Builder
	for _, p := range t.parts {
		value := args[p.parameter]
		switch {
		case p.parameter == "":
			b.WriteString(p.text)
		case len(value) == 0 || string(value) == "null":
		case value[0] == '"':
			var text string
			if err := json.Unmarshal(value, &text); err != nil {
				return "", err
			}
			b.WriteString(text)
		default:
			var compact bytes.Buffer
			if err := json.Compact(&compact, value); err != nil {
				return "", err
			}
			b.Write(compact.Bytes())
		}
	}
	if strings.ContainsRune(b.String(), 0) {
		return "", fmt.Errorf("the argument %q would hold a zero byte", t.source)
	}
	return b.String(), nil
}
