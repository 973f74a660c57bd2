package session

import (
	"strings"
	"testing"
)

func TestNamesCanBeTyped(t *testing.T) {
	all := map[string]bool{}
	for agent, start := range map[string]string{"clerk": "clerk-", "Front Desk": "frontdesk-", "日本": "agent-", "--x--": "x-", strings.Repeat("a", 99): strings.Repeat("a", 24) + "-", "a.b": "ab-"} {
		for range 400 { // more than there are words
			name := NewName(agent, func(name string) bool { return all[name] })
			if all[name] || !strings.HasPrefix(name, start) || CheckName(name) != nil {
				t.Fatalf("of %q: %q, %v", agent, name, CheckName(name))
			}
			all[name] = true
		}
	}
}

func TestWordsOfNamesAreShort(t *testing.T) {
	seen := map[string]bool{}
	for word := range strings.FieldsSeq(nameWords) {
		if len(word) > 8 || seen[word] {
			t.Errorf("%q is long, or there twice", word)
		}
		seen[word] = true
	}
	if len(seen) < 128 {
		t.Errorf("%d words", len(seen))
	}
}

func TestNamesThatAreRefused(t *testing.T) {
	for name, ok := range map[string]bool{
		"clerk-otter": true, "A.b_c-1": true, "7": true, "": false, "-x": false, ".x": false, "a b": false, "a/b": false, "é": false, "a\x1b[2J": false, strings.Repeat("a", 65): false,
	} {
		if err := CheckName(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestWhatIsTypedMeansOneSession(t *testing.T) {
	names := []string{"clerk-otter", "clerk-opal", "clerk-oak", "nightly", "nightly-2", "poet-otter2", "front-desk-elm"}
	for typed, want := range map[string]string{
		"clerk-otter": "clerk-otter", "clerk-ot": "clerk-otter", "nightly": "nightly", "opal": "clerk-opal", "elm": "front-desk-elm", "poet": "poet-otter2",
		"ot":        `"ot" is the start of several sessions: clerk-otter, poet-otter2`,
		"clerk":     `"clerk" is the start of several sessions: clerk-otter, clerk-opal, clerk-oak`,
		"clerk-oka": `there is no session "clerk-oka"; did you mean clerk-oak?`,
		"xyz":       `there is no session "xyz"; gramc sessions lists them`,
		"":          `there is no session ""; gramc sessions lists them`,
	} {
		got, err := FindName(names, typed)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", typed, got, want)
		}
	}
}
