package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// dotenvName is the file in the working directory that adds to the
// environment.
const dotenvName = ".env"

// A dotenv is the content of a file .env:
//
//	# a comment
//	export OPENAI_API_KEY="sk-…"   # quotes are not part of the value
//	OPENAI_BASE_URL=http://localhost:8080/v1
//
// There are no variables inside values, and no value spans lines.
type dotenv struct {
	values map[string]string
	faults []string // "line 3: …"; they never contain a value
}

// The forms of a line: a setting, and of its value the quoted forms 'as it is'
// and "with \n escapes", and bare text.
const (
	settingForm = `^(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*(.*)$`
	quotedForm  = `^(?:'([^']*)'|"((?:[^"\\]|\\.)*)")(.*)$`
	commentForm = `(?:^|[ \t])#.*`
)

// parseDotenv reads the text of a file .env. Lines that it does not understand
// are faults and have no effect.
func parseDotenv(text string) dotenv {
	d := dotenv{values: map[string]string{}}
	form := regexp.MustCompile(settingForm)
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		parts := form.FindStringSubmatch(line)
		if parts == nil {
			d.faults = append(d.faults, fmt.Sprintf("line %d: a line is KEY=value", n))
			continue
		}
		value, err := dotenvValue(parts[2])
		if err != nil {
			d.faults = append(d.faults, fmt.Sprintf("line %d: %s: %v", n, parts[1], err))
			continue
		}
		d.values[parts[1]] = value
	}
	return d
}

func dotenvValue(text string) (string, error) {
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return strings.TrimSpace(regexp.MustCompile(commentForm).ReplaceAllString(text, "")), nil
	}
	parts := regexp.MustCompile(quotedForm).FindStringSubmatch(text)
	if parts == nil {
		return "", errors.New("the quote is not closed on its line")
	}
	if rest := strings.TrimSpace(parts[3]); rest != "" && rest[0] != '#' {
		return "", errors.New("something follows the closing quote")
	}
	escapes := strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\\`, `\`, `\`, ``)
	return parts[1] + escapes.Replace(parts[2]), nil
}
