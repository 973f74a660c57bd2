package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode"

	"github.com/gram-lang/gramc/internal/jsonschema"
)

// checkText refuses text that is invisible to people but not to models: control
// characters, direction marks, tags, and more than two joiners or variation
// selectors in a row, which occur singly in scripts and emoji.
func checkText(what, text string) error {
	joiners := 0
	for _, r := range text {
		switch r {
		case '\u200c', '\u200d', '\ufe0e', '\ufe0f':
			if joiners++; joiners <= 2 {
				continue
			}
		case '\n', '\t', '\r':
			joiners = 0
			continue
		default:
			joiners = 0
			hidden := unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) ||
				unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
			if !hidden {
				continue
			}
		}
		return fmt.Errorf("%s contains the invisible character U+%04X, which can hide text from people", what, r)
	}
	return nil
}

// checkSchema refuses a schema that is too large or too deep, or hides text.
func checkSchema(what string, schema json.RawMessage) error {
	if len(schema) > MaxSchema {
		return fmt.Errorf("%s has %d bytes, more than %d", what, len(schema), MaxSchema)
	}
	if len(schema) == 0 {
		return nil
	}
	root, err := jsonschema.Read(schema, &jsonschema.ReadOptions{MaxDepth: maxDepth, Accept: jsonschema.AcceptAll})
	var syntax *jsonschema.SyntaxError
	if errors.As(err, &syntax) && syntax.TooDeep {
		return fmt.Errorf("%s is nested deeper than %d", what, maxDepth)
	}
	root.Walk(func(n *jsonschema.Node) bool {
		if err == nil {
			err = checkText(what, n.Text())
		}
		for _, m := range n.Members {
			if err == nil {
				err = checkText(what, m.Key)
			}
		}
		return err == nil
	})
	return err
}
