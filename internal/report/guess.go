package report

import "github.com/gram-lang/gramc/internal/spell"

const (
	maxGuesses    = 100  // suggestions in one call: nobody reads more
	MaxCandidates = 1000 // names that are worth collecting for them
)

// Guess returns what was probably meant by word, within a budget: a file of
// nothing but mistakes must not take more than linear time.
func (c *Reporter) Guess(word string, candidates []string) string {
	if c.guesses++; c.guesses > maxGuesses {
		return ""
	}
	return spell.Nearest(word, candidates)
}
