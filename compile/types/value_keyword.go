package types

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/report"
)

// satisfiesKeywords compares a value with the keywords of its type.
func (w *valueWriter) satisfiesKeywords(v ast.Value, text []byte, t *Type) bool {
	for t != nil {
		for i := range t.Keywords {
			if problem := w.c.valueKeywordViolation(&t.Keywords[i], v, text); problem != "" {
				if t.Keywords[i].Name == "enum" {
					w.values = t.Keywords[i].Value
				}
				return w.fail(v, problem)
			}
		}
		if t.Def == nil {
			return true
		}
		t = t.Def.Type
	}
	return true
}

// valueKeywordViolation says in what way a value is not what a keyword asks for, "" when
// it is. The text is the RawJSON of the value.
func (c *Checker) valueKeywordViolation(k *Keyword, v ast.Value, text []byte) string {
	switch k.Name {
	case "enum", "const":
		if !c.valueKeywordEnum(k)[valueKeywordCanonical(text)] {
			return fmt.Sprintf("is %s; it must be one of %s", report.Clip(string(text)), report.Clip(valueKeywordList(k.Value)))
		}
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return valueKeywordNumberViolation(k, text)
	case "minLength", "maxLength":
		if s, ok := ast.WordOf(v); ok {
			return valueKeywordCountViolation(k, utf8.RuneCountInString(s), "characters")
		}
	case "pattern":
		s, ok := ast.WordOf(v)
		var pattern string
		if !ok || json.Unmarshal(k.Value, &pattern) != nil {
			return ""
		}
		if re := c.valueKeywordPattern(pattern); re != nil && !re.MatchString(s) {
			return fmt.Sprintf("is %s, which does not match the pattern %s", report.Clip(string(text)), report.Clip(pattern))
		}
	case "uniqueItems":
		if string(k.Value) == "true" && valueHasTwins(v, text) {
			return "has an element twice; its type wants each one once"
		}
	case "minItems", "maxItems":
		if list, ok := v.(*ast.Array); ok {
			return valueKeywordCountViolation(k, len(list.Elements), "elements")
		}
	case "minProperties", "maxProperties":
		if r, ok := v.(*ast.Record); ok {
			return valueKeywordCountViolation(k, len(r.Properties), "fields")
		}
	}
	return ""
}

// valueKeywordList returns the values of an enum, or a const, for people.
func valueKeywordList(values json.RawMessage) string {
	var list []json.RawMessage
	if json.Unmarshal(values, &list) != nil {
		return string(values)
	}
	words := make([]string, min(len(list), report.MaxQuoted)) // more would be cut
	for i := range words {
		words[i] = string(list[i])
	}
	return strings.Join(words, ", ")
}

// valueHasTwins reports whether an array, of which the text is the RawJSON, has equal
// elements.
func valueHasTwins(v ast.Value, text []byte) bool {
	var elements []json.RawMessage
	if _, ok := v.(*ast.Array); !ok || json.Unmarshal(text, &elements) != nil {
		return false
	}
	seen := make(map[string]bool, len(elements))
	for _, e := range elements {
		if seen[valueKeywordCanonical(e)] {
			return true
		}
		seen[valueKeywordCanonical(e)] = true
	}
	return false
}

// valueKeywordEnum returns the values of an enum or a const, as canonical writes them.
// An enum may have many values and be asked for many times.
func (c *Checker) valueKeywordEnum(k *Keyword) map[string]bool {
	key := &k.Value[0] // nobody changes the values of keywords
	if known := c.enums[key]; known != nil {
		return known
	}
	var values []json.RawMessage
	if k.Name == "const" {
		values = append(values, k.Value)
	} else if err := json.Unmarshal(k.Value, &values); err != nil {
		panic("compile: " + err.Error())
	}
	set := make(map[string]bool, len(values))
	for _, v := range values {
		set[valueKeywordCanonical(v)] = true
	}
	if c.enums == nil {
		c.enums = map[*byte]map[string]bool{}
	}
	c.enums[key] = set
	return set
}

// valueKeywordCanonical returns RawJSON so that equal numbers are equal.
func valueKeywordCanonical(value json.RawMessage) string {
	if n := Rational(value); n != nil {
		return n.RatString()
	}
	return string(value)
}

// valueKeywordPattern returns a pattern that values are compared with, nil for one that is
// wrong.
func (c *Checker) valueKeywordPattern(pattern string) *regexp.Regexp {
	re, known := c.regexps[pattern]
	if !known {
		re, _ = regexp.Compile(pattern) // its mistakes were reported where it is written
		if c.regexps == nil {
			c.regexps = map[string]*regexp.Regexp{}
		}
		c.regexps[pattern] = re
	}
	return re
}

func valueKeywordCountViolation(k *Keyword, have int, things string) string {
	n, err := strconv.Atoi(string(k.Value))
	switch {
	case err != nil:
	case strings.HasPrefix(k.Name, "min") && have < n:
		return fmt.Sprintf("has %d %s; at least %d are wanted", have, things, n)
	case strings.HasPrefix(k.Name, "max") && have > n:
		return fmt.Sprintf("has %d %s; at most %d are allowed", have, things, n)
	}
	return ""
}

func valueKeywordNumberViolation(k *Keyword, value json.RawMessage) string {
	limit := string(k.Value)
	order, ok := compareNumbers(value, k.Value)
	switch {
	case !ok:
	case k.Name == "multipleOf":
		n, step := Rational(value), Rational(k.Value)
		if n != nil && step != nil && !new(big.Rat).Quo(n, step).IsInt() {
			return "is not a multiple of " + limit
		}
	case k.Name == "minimum" && order < 0:
		return "is below its min " + limit
	case k.Name == "maximum" && order > 0:
		return "is above its max " + limit
	case k.Name == "exclusiveMinimum" && order <= 0:
		return "must be above " + limit
	case k.Name == "exclusiveMaximum" && order >= 0:
		return "must be below " + limit
	}
	return ""
}
