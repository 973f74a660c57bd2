package types

import (
	"slices"
	"testing"
)

// Every keyword that an attribute stands for has its place in a schema.
func TestKeywordsAreInOrder(t *testing.T) {
	if len(attributes) != len(keywordOrder) {
		t.Errorf("%d attributes and %d keywords", len(attributes), len(keywordOrder))
	}
	for key, a := range attributes {
		if !slices.Contains(keywordOrder, a.keyword) {
			t.Errorf("the keyword %s of %s has no place", a.keyword, key)
		}
	}
}
