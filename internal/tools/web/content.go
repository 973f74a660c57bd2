package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/template"
)

// A content is JSON whose texts are templates. Nil is none.
type content struct{ value any }

func newContent(text json.RawMessage) (*content, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	parsed, err := parseContent(value)
	return &content{parsed}, err
}

// parseContent returns a value with a template in place of each text.
func parseContent(value any) (any, error) {
	var err error
	switch v := value.(type) {
	case string:
		parts, _, problems := template.Parse(v, true)
		if len(problems) > 0 && problems[0].Kind != template.BareVariable || parts.Has(template.Environment) {
			return nil, fmt.Errorf("%q is no text with arguments", v)
		}
		return parts, nil
	case []any:
		for i := range v {
			if v[i], err = parseContent(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range v {
			if v[key], err = parseContent(v[key]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

// names returns the arguments in it.
func (c *content) names() []string {
	if c == nil {
		return nil
	}
	var names []string
	var visit func(value any)
	visit = func(value any) {
		switch v := value.(type) {
		case template.Template:
			names = append(names, v.Names(template.Argument)...)
		case []any:
			for _, item := range v {
				visit(item)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				visit(v[key])
			}
		}
	}
	visit(c.value)
	return names
}

// isArgument reports whether it is one argument and nothing else.
func (c *content) isArgument() bool {
	t, ok := c.value.(template.Template)
	return ok && len(t) == 1 && t[0].Kind == template.Argument
}

// fill returns the content with arguments in it; nil if it is one argument that
// is not given.
func (c *content) fill(given map[string]json.RawMessage) (json.RawMessage, error) {
	value, there, err := filledContent(c.value, given)
	if err != nil || !there {
		return nil, err
	}
	return plainjson.Marshal(value)
}

// filledContent returns a value with arguments in it, and whether it is there at all.
func filledContent(value any, given map[string]json.RawMessage) (_ any, there bool, err error) {
	switch v := value.(type) {
	case template.Template:
		return fillContentTemplate(v, given)
	case []any:
		list := []any{}
		for _, item := range v {
			if item, there, err = filledContent(item, given); err != nil {
				return nil, false, err
			} else if there {
				list = append(list, item)
			}
		}
		return list, true, nil
	case map[string]any:
		object := map[string]any{}
		for key, item := range v {
			if item, there, err = filledContent(item, given); err != nil {
				return nil, false, err
			} else if there {
				object[key] = item
			}
		}
		return object, true, nil
	}
	return value, true, nil
}

func fillContentTemplate(t template.Template, given map[string]json.RawMessage) (value any, there bool, err error) {
	if len(t) == 1 && t[0].Kind == template.Argument {
		value, there := given[t[0].Text]
		return value, there, nil
	}
	text, err := expandAddress(t, func(argument string) ([]string, error) {
		text, ok := callScalar(given[argument])
		if !ok {
			return nil, invalidRequest("%s must be a text, a number or a boolean: it is part of a text", argument)
		}
		return []string{text}, nil
	}, unescapedAddress)
	return text, true, err
}
