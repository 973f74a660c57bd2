// Package spell finds the intended word for a misspelt one.
package spell

import (
	"strings"
	"unicode/utf8"
)

const (
	maxCandidates = 1000 // words that are compared
	maxWord       = 64   // bytes of the longest word that is compared
)

// Nearest returns the candidate with the smallest edit distance to word, ignoring
// case: at most a third of its letters may differ. It returns "" if there is none.
func Nearest(word string, candidates []string) string {
	best, limit := "", utf8.RuneCountInString(word)/3
	if len(word) == 0 || len(word) > maxWord {
		return ""
	}
	lower := []rune(strings.ToLower(word))
	for _, candidate := range candidates[:min(len(candidates), maxCandidates)] {
		if len(candidate) > maxWord {
			continue
		}
		if d := distance(lower, []rune(strings.ToLower(candidate)), limit); d <= limit {
			best, limit = candidate, d-1
		}
	}
	return best
}

// Slip reports whether word differs from the intended one by no more than case
// and one typing error: a letter added, left out, replaced, or swapped with its
// neighbour. A short word may be another word instead.
func Slip(word, meant string) bool {
	const short = 3
	if len(word) > maxWord || len(meant) > maxWord || utf8.RuneCountInString(word) <= short {
		return strings.EqualFold(word, meant)
	}
	return distance([]rune(strings.ToLower(word)), []rune(strings.ToLower(meant)), 1) <= 1
}

// distance returns how many letters must be added, left out, replaced or swapped
// with their neighbour to turn a into b; some number above limit if it takes more
// than limit.
func distance(a, b []rune, limit int) int {
	if abs(len(a)-len(b)) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func abs(n int) int { return max(n, -n) }
