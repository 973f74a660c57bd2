package types

import (
	"slices"
	"testing"
)

// Every keyword that an attribute stands for has its place in a schema.
func TestKeywordsAreInOrder(t *testing.T) {
	keywords := 0
	for key, a := range attributes {
		if a.Keyword == "" {
			continue
		}
		if keywords++; !slices.Contains(keywordOrder, a.Keyword) {
			t.Errorf("the keyword %s of %s has no place", a.Keyword, key)
		}
	}
	if keywords != len(keywordOrder) {
		t.Errorf("%d attributes and %d keywords", keywords, len(keywordOrder))
	}
}
