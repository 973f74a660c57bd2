package models

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/internal/spell"
)

// Meant returns the id of the known model that was probably meant by an unknown id, ""
// for none. It is sparing, for there are more models than are known: two ids that differ
// in a digit, or in a whole word, are two models.
func (p *Provider) Meant(id string) string {
	for _, differs := range []func(known string) bool{
		func(known string) bool { return samePlain(id, known) },
		func(known string) bool { return sameWords(id, known) },
		func(known string) bool { return oneSlip(id, known) },
	} {
		for i := range p.Models {
			m := &p.Models[i]
			if differs(m.ID) {
				return m.ID
			}
			for _, alias := range m.Aliases {
				if differs(alias) {
					return alias
				}
			}
		}
	}
	return ""
}

// samePlain reports whether two ids differ only in case and punctuation: gpt4o, GPT-4o.
func samePlain(a, b string) bool { return plain(a) == plain(b) }

func plain(id string) string {
	return strings.Map(func(r rune) rune {
		if isJoint(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, id)
}

// sameWords reports whether two ids have the same words in another order:
// claude-4.5-sonnet, claude-sonnet-4-5.
func sameWords(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	x, y := wordsOf(a), wordsOf(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// oneSlip reports whether two ids differ in one word of letters alone, and there in one
// typing error: gpt-4o-mni, claude-sonet-4-5.
func oneSlip(a, b string) bool {
	if abs(len(a)-len(b)) > 1 || !spell.Slip(a, b) {
		return false
	}
	x, y := wordsOf(a), wordsOf(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && (len(y[i]) < 3 || !isLetters(x[i]) || !isLetters(y[i])) {
			return false
		}
	}
	return true
}

func wordsOf(id string) []string { return strings.FieldsFunc(strings.ToLower(id), isJoint) }

func isJoint(r rune) bool { return strings.ContainsRune("-._:/ ", r) }

func isLetters(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

func abs(n int) int { return max(n, -n) }
