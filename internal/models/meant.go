package models

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/internal/spell"
)

// Meant returns the id of the known model that was probably meant by an unknown id, ""
// for none. It guesses little, since there are more models than are known: two ids that differ
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
func samePlain(a, b string) bool {
	for {
		a, b = strings.TrimLeft(a, joints), strings.TrimLeft(b, joints)
		if a == "" || b == "" {
			return a == b
		}
		if lower(a[0]) != lower(b[0]) {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

// sameWords reports whether two ids have the same words in another order:
// claude-4.5-sonnet, claude-sonnet-4-5.
func sameWords(a, b string) bool {
	if len(a) != len(b) || sum(a) != sum(b) {
		return false
	}
	x, y := wordsOf(a), wordsOf(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// sum is the same for two ids with the same letters.
func sum(id string) (n int) {
	for i := range len(id) {
		if strings.IndexByte(joints, id[i]) < 0 {
			n += int(lower(id[i]))
		}
	}
	return n
}

// oneSlip reports whether two ids differ in one word of letters alone, and there in one
// typing error: gpt-4o-mni, claude-sonet-4-5.
func oneSlip(a, b string) bool {
	if !isNear(a, b) || !spell.Slip(a, b) {
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

// isNear reports whether two ids could differ in one typing error: what they do not begin
// and end with is short. It saves the time to compare nearly all.
func isNear(a, b string) bool {
	for a != "" && b != "" && lower(a[0]) == lower(b[0]) {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && lower(a[len(a)-1]) == lower(b[len(b)-1]) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return len(a) <= 2 && len(b) <= 2
}

// joints part the words of an id.
const joints = "-._:/ "

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

func wordsOf(id string) []string { return strings.FieldsFunc(strings.ToLower(id), isJoint) }

func isJoint(r rune) bool { return strings.ContainsRune(joints, r) }

func isLetters(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}
