package process

import (
	"os"
	"testing"
	"time"
)

// TestWhatIsInThePipeIsRead has a pipe that stays open, and whose deadline passed before anybody
// could read, as it happens on a busy machine.
func TestWhatIsInThePipeIsRead(t *testing.T) {
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	defer to.Close()
	if err := from.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Skip(err)
	}
	if _, err := to.WriteString("all of it"); err != nil {
		t.Fatal(err)
	}
	out := &limitedOutput{left: 100, full: func() {}}
	drain(out, from)
	if got := out.text.String(); got != "all of it" {
		t.Errorf("%q was read", got)
	}
}
