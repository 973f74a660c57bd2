package grammar

import "strings"

// barePath reads a path at the start of text of which nodes are written
// without parentheses, and returns it with them and its length. It returns ""
// for anything else.
func barePath(text string) (written string, length int) {
	node, n := bareNode(text)
	if n == 0 {
		return "", 0
	}
	for written, length = node, n; ; {
		rest := text[length:]
		arrow := arrowLength(strings.TrimLeft(rest, " \t"))
		if arrow == 0 {
			break
		}
		gap := len(rest) - len(strings.TrimLeft(rest, " \t"))
		after := strings.TrimLeft(rest[gap+arrow:], " \t")
		node, n := bareNode(after)
		if n == 0 {
			return "", 0
		}
		stroke := plainArrow(rest[gap : gap+arrow])
		written += stroke + node
		length += len(rest) - len(after) + n
	}
	return written, length
}

// bareNode reads a name, or a node in parentheses.
func bareNode(text string) (written string, length int) {
	if strings.HasPrefix(text, "(") {
		n := balanced(text)
		return text[:n], n
	}
	n := symbolLength(text)
	if dashes := strings.IndexAny(text[:n], "-"); dashes > 0 && n < len(text) && (strings.HasSuffix(text[:n], "-") || strings.Contains(text[:n], "--")) {
		n = dashes
	}
	if n == 0 {
		return "", 0
	}
	return "(" + text[:n] + ")", n
}

// arrowLength returns the length of the arrow that text starts with: strokes,
// maybe around a bracket.
func arrowLength(text string) int {
	n := len(text) - len(strings.TrimLeft(text, "<-=~>"))
	if n == 0 || strings.Trim(text[:n], "<>") == "" {
		return 0
	}
	if strings.HasPrefix(text[n:], "[") {
		inside := balanced(text[n:])
		tail := text[n+inside:]
		if end := len(tail) - len(strings.TrimLeft(tail, "-=~>")); inside > 0 && end > 0 && text[n+inside-1] == ']' {
			return n + inside + end
		}
	}
	return n
}

// plainArrow writes an arrow as gram does, with its first stroke.
func plainArrow(arrow string) string {
	strokes := strings.TrimLeft(arrow, "<")
	return arrowOf(arrow, strokes[:1])
}

// arrowOf writes an arrow with another stroke.
func arrowOf(arrow, stroke string) string {
	left, right, subject := "", "", ""
	if strings.HasPrefix(arrow, "<") {
		left = "<"
	}
	if strings.HasSuffix(arrow, ">") {
		right = ">"
	}
	if from := strings.IndexByte(arrow, '['); from >= 0 {
		subject = arrow[from : strings.LastIndexByte(arrow, ']')+1]
	}
	return left + stroke + subject + stroke + right
}

// arrowFixes returns the fixes of the arrow at some offsets that is none of
// gram.
func arrowFixes(start, end int) lazyFixes {
	return func(text string) []fix {
		arrow := text[start:end]
		if arrowLength(arrow) != len(arrow) {
			return nil
		}
		outside := arrow
		if from := strings.IndexByte(arrow, '['); from >= 0 {
			outside = arrow[:from] + arrow[strings.LastIndexByte(arrow, ']')+1:]
		}
		var fixes []fix
		for _, stroke := range []string{"-", "=", "~"} {
			if strings.Contains(outside, stroke) && arrowOf(arrow, stroke) != arrow {
				fixes = append(fixes, write(start, end, arrowOf(arrow, stroke)))
			}
		}
		if len(fixes) == 1 && len(strings.Trim(outside, "<>")) < 6 {
			fixes[0] = fixes[0].asSafe()
		}
		return fixes
	}
}

// pathFixes puts the names of a path at an offset in parentheses. After a
// parameter a name is the type of the next one, or of the result.
func pathFixes(start int) lazyFixes {
	return func(text string) []fix {
		line := lineFrom(text, start)
		written, n := barePath(line)
		if n == 0 || written == line[:n] || symbolLength(strings.TrimLeft(line[n:], " \t")) > 0 {
			return nil
		}
		node := write(start, start+n, written)
		near := text[max(0, start-200):start]
		before := near[strings.LastIndexByte(near, '\n')+1:]
		if upper := line[0] >= 'A' && line[0] <= 'Z'; upper && strings.Contains(before, "::") && symbolLength(line) == n {
			return []fix{write(start, start+n, "(::"+line[:n]+")"), node}
		}
		return []fix{node.asSafe()}
	}
}

// patternFixes puts a name with labels or a record in brackets or parentheses.
func patternFixes(start, end int) lazyFixes {
	return func(text string) []fix {
		inside := text[start:end]
		node := change("put it in ( )", start, end, "("+inside+")")
		bracket := change("put it in [ ]", start, end, "["+inside+"]")
		if strings.Contains(inside, "Tool") || strings.Contains(inside, "Agent") {
			return []fix{bracket, node}
		}
		return []fix{node, bracket}
	}
}

// roundFixes writes a bracket without elements as a node.
func roundFixes(start, end int) lazyFixes {
	return func(text string) []fix {
		if text[start] != '[' || text[end-1] != ']' || strings.ContainsAny(text[start+1:end-1], "|[") {
			return nil
		}
		return []fix{{title: "write a node in ( )", edits: []edit{{start, start + 1, "("}, {end - 1, end, ")"}}}}
	}
}

// pathInNode closes a node before the arrow that was written inside of it.
func pathInNode(start int) lazyFixes {
	return func(text string) []fix {
		n := balancedRound(lineFrom(text, start))
		if n == 0 {
			return nil
		}
		written, length := barePath(text[start+1 : start+n-1])
		if length != n-2 || strings.Count(written, "(") < 2 {
			return nil
		}
		return []fix{write(start, start+n, written)}
	}
}

// balancedRound returns the length of the parenthesis that text starts with.
func balancedRound(text string) int {
	if n := strings.IndexAny(text, ")\n"); n > 0 && text[n] == ')' {
		return n + 1
	}
	return 0
}
