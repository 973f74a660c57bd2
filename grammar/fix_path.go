package grammar

import (
	"regexp"
	"strings"
	"sync"
)

// fixBarePath reads a path at the start of text of which nodes are written
// without parentheses, and returns it with them and its length. It returns ""
// for anything else.
func fixBarePath(text string) (written string, length int) {
	for node, n := fixBarePathNode(text); n > 0; {
		written, length = written+node, length+n
		rest := strings.TrimLeft(text[length:], " \t")
		arrow := arrowForm().FindString(rest)
		if arrow == "" {
			return written, length
		}
		rest = strings.TrimLeft(rest[len(arrow):], " \t")
		written += fixPathArrow(arrow, strings.TrimLeft(arrow, "<")[:1])
		length = len(text) - len(rest)
		node, n = fixBarePathNode(rest)
	}
	return "", 0
}

// fixBarePathNode reads a name, or a node in parentheses.
func fixBarePathNode(text string) (written string, length int) {
	if strings.HasPrefix(text, "(") {
		n := fixBalanced(text)
		return text[:n], n
	}
	n := lexSymbolLength(text)
	if dashes := strings.IndexAny(text[:n], "-"); dashes > 0 && n < len(text) && (strings.HasSuffix(text[:n], "-") || strings.Contains(text[:n], "--")) {
		n = dashes
	}
	if n == 0 {
		return "", 0
	}
	return "(" + text[:n] + ")", n
}

// arrowForm is what people write for an arrow: strokes, possibly around a bracket.
var arrowForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([<=~>-]*[=~-][<=~>-]*)(?:(\[[^]\n"'` + "`" + `]*\])([=~>-]+))?`)
})

// fixPathArrow writes an arrow as gram does, with a stroke.
func fixPathArrow(arrow, stroke string) string {
	written := stroke + arrowForm().FindStringSubmatch(arrow)[2] + stroke
	if strings.HasPrefix(arrow, "<") {
		written = "<" + written
	}
	if strings.Contains(arrow, ">") {
		written += ">"
	}
	return written
}

// pathArrowFixes returns the fixes of the arrow at some offsets that is none of
// gram.
func pathArrowFixes(start, end int) lazyFixes {
	return func(text string) (fixes []fix) {
		arrow := text[start:end]
		parts := arrowForm().FindStringSubmatch(arrow)
		if parts == nil || parts[0] != arrow {
			return nil
		}
		outside := parts[1] + parts[3]
		for _, stroke := range []string{"-", "=", "~"} {
			if strings.Contains(outside, stroke) && fixPathArrow(arrow, stroke) != arrow {
				fixes = append(fixes, writeFix(start, end, fixPathArrow(arrow, stroke)))
			}
		}
		if len(fixes) == 1 && len(strings.Trim(outside, "<>")) < 6 {
			fixes[0] = fixes[0].asSafe()
		}
		return fixes
	}
}

// chainArrow returns the arrow between parameters that fits an offset: the one before it, or
// else after it, if they are near.
func chainArrow(text string, at int) string {
	const near = 2000
	before, after := text[max(0, at-near):at], text[at:min(len(text), at+near)]
	written, last, first := "==>", -1, near
	for _, arrow := range []string{"==>", "-->", "~~>"} {
		if i := strings.LastIndex(before, arrow); i > last {
			written, last = arrow, i
		}
		if i := strings.Index(after, arrow); last < 0 && i >= 0 && i < first {
			written, first = arrow, i
		}
	}
	return written
}

// pathFixes puts the names of a path at an offset in parentheses. After a
// parameter a name is the type of the next one, or of the result.
func pathFixes(start int) lazyFixes {
	return func(text string) []fix {
		line := fixLine(text, start)
		written, n := fixBarePath(line)
		if n == 0 || written == line[:n] || lexSymbolLength(strings.TrimLeft(line[n:], " \t")) > 0 {
			return nil
		}
		node := writeFix(start, start+n, written)
		near := text[max(0, start-200):start]
		before := near[strings.LastIndexByte(near, '\n')+1:]
		if upper := line[0] >= 'A' && line[0] <= 'Z'; upper && strings.Contains(before, "::") && lexSymbolLength(line) == n {
			return []fix{writeFix(start, start+n, "(::"+line[:n]+")"), node}
		}
		node.safe = !strings.HasPrefix(line[n:], "(") // which the name may stand in
		return []fix{node}
	}
}

// pathPatternFixes puts a name with labels or a record in brackets or parentheses.
func pathPatternFixes(start, end int) lazyFixes {
	return func(text string) []fix {
		inside := text[start:end]
		node := changeFix("put it in ( )", start, end, "("+inside+")")
		bracket := changeFix("put it in [ ]", start, end, "["+inside+"]")
		if strings.Contains(inside, "Tool") || strings.Contains(inside, "Agent") {
			return []fix{bracket, node}
		}
		return []fix{node, bracket}
	}
}
