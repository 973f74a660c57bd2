package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/internal/template"
)

// expandArguments returns the arguments with their values. What a model writes must
// not become an option: an argument that starts with a value may start with a
// hyphen only after "--", where programs look for no options.
func expandArguments(arguments []template.Template, args map[string]json.RawMessage) ([]string, error) {
	expanded := make([]string, 0, len(arguments))
	optionsOver := false
	for _, t := range arguments {
		text, err := expandArgument(t, args)
		if err != nil {
			return nil, err
		}
		startsWithValue := len(t) > 0 && t[0].Kind == template.Argument
		if startsWithValue && strings.HasPrefix(text, "-") && !optionsOver {
			return nil, fmt.Errorf("the value of %s starts with a hyphen, and the program could take it for an option", t[0].Text)
		}
		optionsOver = optionsOver || t.String() == "--"
		expanded = append(expanded, text)
	}
	return expanded, nil
}

// expandArgument returns the text of an argument. A text expands to itself, nothing and
// null for an empty text, and everything else for its JSON.
func expandArgument(t template.Template, args map[string]json.RawMessage) (string, error) {
	var b strings.Builder
	for _, p := range t {
		value := args[p.Text]
		switch {
		case p.Kind != template.Argument:
			b.WriteString(p.Text)
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
		return "", fmt.Errorf("the argument %q would hold a zero byte", t)
	}
	return b.String(), nil
}
