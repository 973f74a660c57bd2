package models

import "unicode"

// bytesOfToken is fewer bytes than a token of [TokensAtLeast] takes up: a word has a
// letter, and so has what parts it from the next one.
const bytesOfToken = 2 * wordsOfToken

// wordsOfToken is more words than a token of any vocabulary holds. Most vocabularies
// split at every space; those that do not have tokens such as "by the way".
const wordsOfToken = 4

// TokensAtLeast returns fewer tokens than any model counts in texts: a quarter of their
// words, which are runs of letters. It is a proof that something is too long, not an
// estimate: texts have some five times as many.
func TokensAtLeast(texts ...string) int {
	words := 0
	for _, text := range texts {
		inWord := false
		for _, r := range text {
			letter := unicode.IsLetter(r)
			if letter && !inWord {
				words++
			}
			inWord = letter
		}
	}
	return words / wordsOfToken
}

// CanExceed reports whether texts of so many bytes could have more than a limit of tokens
// by [TokensAtLeast]. It saves the time to count.
func CanExceed(bytes, limit int) bool { return bytes/bytesOfToken > limit }

// InputLimit returns the most tokens of a request; 0 means unknown.
func (m *Model) InputLimit() int {
	if m.Input > 0 {
		return m.Input
	}
	return m.Context
}
