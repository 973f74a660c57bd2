package workspace

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// An ignoring is what the ignore files of a folder and of those above it say.
// Nil ignores nothing.
type ignoring struct {
	above *ignoring
	dir   string // absolute, with slashes
	rules []rule // of the files of dir, the last one counts
}

// A rule is one line of an ignore file.
type rule struct {
	names   []string // patterns for the names of a path; "**" is any number of them
	negated bool     // what it matches is not ignored
	folder  bool     // it matches only folders
}

// ignoreFiles returns the files whose rules are read, those of the second
// after those of the first.
func ignoreFiles() []string { return []string{".gitignore", ".gramignore"} }

// maxIgnoreFile is the size in bytes of the largest ignore file that is read.
const maxIgnoreFile = 1 << 20

// within adds what the ignore files of a folder say. A file that cannot be
// read, or is far too large for one, says nothing.
func (i *ignoring) within(dir string) *ignoring {
	var rules []rule
	for _, name := range ignoreFiles() {
		file := filepath.Join(filepath.FromSlash(dir), name)
		info, err := os.Stat(file)
		if err != nil || info.Size() > maxIgnoreFile {
			continue
		}
		if text, err := ReadFile(file); err == nil {
			rules = append(rules, parseRules(text)...)
		}
	}
	if rules == nil {
		return i
	}
	return &ignoring{i, dir, rules}
}

// ignoringAbove returns what the folders above dir say of it, up to that of
// the repository that it is in.
func ignoringAbove(dir string) *ignoring {
	var above []string
	for at := dir; ; at = path.Dir(at) {
		if at != dir {
			above = append(above, at)
		}
		if _, err := os.Stat(filepath.Join(filepath.FromSlash(at), ".git")); err == nil {
			break
		}
		if at == path.Dir(at) {
			return nil // in no repository
		}
	}
	var i *ignoring
	for _, at := range slices.Backward(above) {
		i = i.within(at)
	}
	return i
}

// ignores reports whether a path, absolute and with slashes, is ignored. The
// last rule that matches decides, and a folder before those above it.
func (i *ignoring) ignores(path string, folder bool) bool {
	for ; i != nil; i = i.above {
		names := strings.Split(strings.TrimPrefix(strings.TrimPrefix(path, i.dir), "/"), "/")
		for _, r := range slices.Backward(i.rules) {
			if (folder || !r.folder) && matchPath(r.names, names) {
				return !r.negated
			}
		}
	}
	return false
}

// parseRules reads an ignore file as git does.
func parseRules(text string) []rule {
	var rules []rule
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		if r, ok := parseRule(strings.TrimRight(line, "\r\n")); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

func parseRule(line string) (r rule, ok bool) {
	line = trimBlanks(line)
	if strings.HasPrefix(line, "#") {
		return rule{}, false
	}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.folder = strings.CutSuffix(line, "/")
	anchored := strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return rule{}, false
	}
	r.names = strings.Split(line, "/")
	if !anchored {
		r.names = append([]string{"**"}, r.names...)
	}
	return r, true
}

// trimBlanks cuts the blanks at the end that no backslash protects.
func trimBlanks(line string) string {
	trimmed := strings.TrimRight(line, " ")
	slashes := len(trimmed) - len(strings.TrimRight(trimmed, `\`))
	if slashes%2 == 1 && len(trimmed) < len(line) {
		trimmed += " "
	}
	return trimmed
}

// matchPath reports whether patterns match the names of a whole path. A "**" at
// the end stands for at least one name: what is in a folder, not the folder.
func matchPath(patterns, names []string) bool {
	p, n := 0, 0
	any, from := -1, 0 // the last "**", and the first name behind it
	for n < len(names) {
		switch {
		case p < len(patterns) && patterns[p] == "**":
			any, from = p, n
			p++
		case p < len(patterns) && matchName(patterns[p], names[n]):
			p++
			n++
		case any >= 0:
			from++
			p, n = any+1, from
		default:
			return false
		}
	}
	return p == len(patterns)
}

// matchName reports whether a pattern matches a whole name. It tries only the
// last star again, which is enough, so that it takes no exponential time.
func matchName(pattern, name string) bool {
	p, n := 0, 0
	star, from := -1, 0 // the last star, and where what is behind it starts
	for n < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			star, from = p, n
			p++
			continue
		}
		r, size := utf8.DecodeRuneInString(name[n:])
		if length, ok := matchRune(pattern[p:], r); ok {
			p += length
			n += size
			continue
		}
		if star < 0 {
			return false
		}
		_, size = utf8.DecodeRuneInString(name[from:])
		from += size
		p, n = star+1, from
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// matchRune reports whether a pattern starts with something that matches r,
// and the length of that in bytes.
func matchRune(pattern string, r rune) (length int, ok bool) {
	if pattern == "" {
		return 0, false
	}
	switch pattern[0] {
	case '?':
		return 1, true
	case '[':
		return matchClass(pattern, r)
	}
	want, length := literal(pattern)
	return length, length > 0 && want == r
}

// literal returns the character that a pattern starts with, which a backslash
// may protect, and its length; 0 when there is none.
func literal(pattern string) (r rune, length int) {
	rest, escaped := strings.CutPrefix(pattern, `\`)
	r, length = utf8.DecodeRuneInString(rest)
	if length > 0 && escaped {
		length++
	}
	return r, length
}

// matchClass is matchRune for [abc], [a-z] and [!a-z]. A bracket that is not
// closed matches nothing.
func matchClass(pattern string, r rune) (length int, ok bool) {
	at := 1
	negated := strings.HasPrefix(pattern[at:], "!") || strings.HasPrefix(pattern[at:], "^")
	if negated {
		at++
	}
	found := false
	for first := true; first || !strings.HasPrefix(pattern[at:], "]"); first = false {
		low, n := literal(pattern[at:])
		if n == 0 {
			return 0, false
		}
		at += n
		high := low
		if rest, isRange := strings.CutPrefix(pattern[at:], "-"); isRange && !strings.HasPrefix(rest, "]") {
			if high, n = literal(rest); n == 0 {
				return 0, false
			}
			at += 1 + n
		}
		found = found || low <= r && r <= high
	}
	return at + 1, found != negated
}
