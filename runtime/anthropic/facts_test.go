package anthropic

import "testing"

func TestGenerationOf(t *testing.T) {
	newest := generationOf("claude-next")
	for id, want := range map[string]generation{
		"claude-2.1": {2, 1}, "claude-instant-1.2": {1, 2}, "claude-3-haiku-20240307": {3, 0}, "claude-3-5-sonnet-20241022": {3, 5},
		"claude-3-7-sonnet-latest": {3, 7}, "claude-sonnet-4-20250514": {4, 0}, "claude-sonnet-4@20250514": {4, 0},
		"claude-opus-4-1-20250805": {4, 1}, "claude-haiku-4-5@20251001": {4, 5}, "claude-opus-5": {5, 0}, "claude-fable-5-1": {5, 1},
		"claude-sonnet-10-2": {10, 2}, "anthropic.claude-opus-4-6-v1": {4, 6}, "claude-mythos-preview": newest, "my-model": newest, "": newest,
	} {
		if got := generationOf(id); got != want {
			t.Errorf("%q is %v, want %v", id, got, want)
		}
	}
	if newest.before(100, 0) {
		t.Errorf("an unknown model is of %v", newest)
	}
}
