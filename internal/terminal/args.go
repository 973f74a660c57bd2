package terminal

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/gram-lang/gramc/interp"
)

// changedArgs returns the arguments that the user wrote for a call.
func changedArgs(q *interp.ApprovalRequest, text string) ([]byte, error) {
	var object map[string]any
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		return nil, fmt.Errorf("the arguments are not a JSON object: %w", err)
	}
	if object == nil {
		return nil, errors.New("the arguments are not a JSON object")
	}
	args := []byte(compactJSON([]byte(text)))
	if q.Check != nil {
		if err := q.Check(args); err != nil {
			return nil, err
		}
	}
	return args, nil
}

// editable returns the arguments of a call as JSON in which nothing is invisible.
func editable(args []byte) string {
	var b strings.Builder
	for _, r := range valueText(args) {
		if r == '\n' || unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
