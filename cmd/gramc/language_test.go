package main

import (
	"strings"
	"testing"
)

// TestTheLanguagePageIsGram checks what the page shows: the patterns, the
// signature and each type in backticks.
func TestTheLanguagePageIsGram(t *testing.T) {
	code, page, _ := gramc("", nil, "help", "language")
	if code != exitFine {
		t.Fatalf("exit code %d", code)
	}
	if lines := strings.Count(page, "\n"); lines > 75 {
		t.Errorf("%d lines are no page", lines)
	}
	text, signatures := "[otherTool:Tool {description: \"d\"} | ()==>(::Text)]\n", 0
	inPattern := false
	for line := range strings.Lines(page) {
		shown, indented := strings.CutPrefix(line, "  ")
		switch {
		case !indented:
			inPattern = false
		case inPattern, strings.HasPrefix(shown, "["):
			inPattern = true
			text += shown
		case strings.HasPrefix(shown, "("):
			signatures++
			if code, _, stderr := gramc("", nil, "schema", "--strict", "--strict-gram", "-e", strings.TrimSpace(shown)); code != exitFine || stderr != "" {
				t.Error(stderr)
			}
		case strings.HasPrefix(shown, "`"):
			types, _, _ := strings.Cut(shown, "   ")
			for part := range strings.SplitSeq(types, ", `") {
				signatures++
				part = "`" + strings.Trim(part, "` \n") + "`"
				if code, _, stderr := gramc("", nil, "schema", "--strict-gram", "-e", "(x::"+part+")==>(::Text)"); code != exitFine || stderr != "" {
					t.Error(stderr)
				}
			}
		}
	}
	code, program, stderr := gramc(text, nil, "compile", "--strict", "--strict-gram", "-")
	if code != exitFine || stderr != "" || signatures < 9 {
		t.Errorf("%d signatures, exit code %d\n%s%s", signatures, code, stderr, text)
	}
	if !strings.Contains(program, `"otherTool"`) {
		t.Error(program)
	}
	for _, name := range []string{"Address", "Point", "Email", "Unit", "Place"} {
		if !strings.Contains(text, "\n["+name+":") {
			t.Errorf("the type %s is not shown", name)
		}
	}
}
