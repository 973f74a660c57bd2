package main

import (
	"errors"
	"fmt"
	"strings"
)

// A dotenv is what a file .env says:
//
//	# a comment
//	export OPENAI_API_KEY="sk-…"   # quotes are not part of the value
//	OPENAI_BASE_URL=http://localhost:8080/v1
//
// There are no variables inside values, and no value goes over several lines.
type dotenv struct {
	values map[string]string
	faults []string // "line 3: …"; they never hold a value
}

// parseDotenv reads the text of a file .env. Lines that it does not understand
// are faults and have no effect.
func parseDotenv(text string) dotenv {
	d := dotenv{values: map[string]string{}}
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, err := parseSetting(line)
		if err != nil {
			d.faults = append(d.faults, fmt.Sprintf("line %d: %v", n, err))
			continue
		}
		d.values[key] = value
	}
	return d
}

func parseSetting(line string) (key, value string, err error) {
	if rest, ok := strings.CutPrefix(line, "export"); ok && strings.TrimLeft(rest, " \t") != rest {
		line = strings.TrimLeft(rest, " \t")
	}
	key, value, ok := strings.Cut(line, "=")
	key = strings.TrimSpace(key)
	if !ok || !isVariable(key) {
		return "", "", errors.New("a line is KEY=value")
	}
	value, err = parseSettingValue(strings.TrimSpace(value))
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", key, err)
	}
	return key, value, nil
}

func isVariable(key string) bool {
	for i, r := range key {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || (r < '0' || r > '9') && r != '.' && r != '-') {
			return false
		}
	}
	return key != ""
}

// parseSettingValue reads 'as it is', "with \n escapes" or bare text.
func parseSettingValue(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	quote := text[0]
	if quote != '"' && quote != '\'' {
		for i := range text {
			if text[i] == '#' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\t') {
				text = text[:i]
				break
			}
		}
		return strings.TrimSpace(text), nil
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == quote:
			if rest := strings.TrimSpace(text[i+1:]); rest != "" && rest[0] != '#' {
				return "", errors.New("something follows the closing quote")
			}
			return b.String(), nil
		case text[i] == '\\' && quote == '"' && i+1 < len(text):
			i++
			b.WriteByte(unescaped(text[i]))
		default:
			b.WriteByte(text[i])
		}
	}
	return "", errors.New("the quote is not closed on its line")
}

func unescaped(c byte) byte {
	if i := strings.IndexByte("nrt", c); i >= 0 {
		return "\n\r\t"[i]
	}
	return c
}
