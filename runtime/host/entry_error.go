package host

import (
	"fmt"
	"strings"
)

// An EntryError is the reason why an entry of a library cannot be opened. Its text
// contains no secrets.
type EntryError struct {
	Origin
	Message string
}

// newEntryError returns an error whose message does not name the entry again.
func newEntryError(o Origin, message string) *EntryError {
	for _, name := range []string{fmt.Sprintf("%q: ", o.Entry.Name), o.Entry.Name + ": "} {
		before, after, found := strings.Cut(message, name)
		if found && !strings.Contains(before, ":") {
			message = after
			break
		}
	}
	return &EntryError{Origin: o, Message: message}
}

// Error returns the entry and the message.
func (e *EntryError) Error() string {
	return fmt.Sprintf("%s %q: %s", e.Entry.Kind, e.Entry.Name, e.Message)
}
