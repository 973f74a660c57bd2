package temporal

import (
	"errors"
	"testing"

	"github.com/gram-lang/gramc/internal/journal"
)

// TestALoopThatIsLeftDoesNotEndTheRun is about an activity whose context ends while its loop is
// left: the loop then ends as cancelled, and the run goes on.
func TestALoopThatIsLeftDoesNotEndTheRun(t *testing.T) {
	for name, m := range map[string]*maker{"planned": {planned: true}, "lost": {lost: errors.New("lost")}} {
		if err := m.End(t.Context(), journal.Cancelled, "why", journal.Entry{Kind: "end"}); err != nil || m.status != "" || len(m.entries) > 0 {
			t.Errorf("%s: the run is %q with %d entries: %v", name, m.status, len(m.entries), err)
		}
	}
	var m maker
	if err := m.End(t.Context(), journal.Finished, "", journal.Entry{Kind: "end"}); err != nil || m.status != journal.Finished || len(m.entries) != 1 {
		t.Errorf("the run is %q with %d entries: %v", m.status, len(m.entries), err)
	}
}
