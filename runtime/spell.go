package runtime

import (
	"fmt"
	"strings"
)

// ToolNotFound returns the error for a call of a tool that does not exist. It
// names the tools that do, and the one that was probably meant.
func ToolNotFound(name string, known []string) *ToolError {
	return &ToolError{
		Kind:    ToolExecution,
		Message: fmt.Sprintf("tool %q: %s", shorten(name), notFound(name, known)),
		Err:     ErrToolNotFound,
	}
}

func notFound(name string, known []string) string {
	if len(known) == 0 {
		return "not found: there are no tools"
	}
	text := "not found: there is " + strings.Join(known, ", ")
	if best := nearest(name, known); best != "" {
		text += fmt.Sprintf("; did you mean %q?", best)
	}
	return text
}

// nearest returns the known name that is most like name, or "" if none is
// alike. Case and a prefix such as "functions." do not count.
func nearest(name string, known []string) string {
	const longest = 64 // the distance takes time len(a)*len(b)
	name = name[strings.LastIndexByte(name, '.')+1:]
	if name == "" || len(name) > longest {
		return ""
	}
	best, least := "", len(name)/3+1
	for _, k := range known {
		if len(k) > longest {
			continue
		}
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance counts the bytes to insert, delete or replace to get from a to b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
