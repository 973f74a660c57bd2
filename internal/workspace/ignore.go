package workspace

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// An ignoring is the rules of the ignore files of a folder and of those above
// it. Nil ignores nothing.
type ignoring struct {
	above *ignoring
	dir   string // absolute, with slashes
	rules []rule // of the files of dir; the last one that matches decides
}

// A rule is one line of an ignore file.
type rule struct {
	paths   *regexp.Regexp // the whole paths that it matches, relative to the folder of the file
	negated bool           // a path that it matches is not ignored
	folder  bool           // it matches only folders
}

// ignoreFiles returns the files whose rules are read, those of the second
// after those of the first.
func ignoreFiles() []string { return []string{".gitignore", ".gramignore"} }

// maxIgnoreFile is the size in bytes of the largest ignore file that is read.
const maxIgnoreFile = 1 << 20

// below adds the rules of the ignore files of a folder. A file that cannot be
// read, or is far too large, is skipped.
func (i *ignoring) below(dir string) *ignoring {
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

// ignoringAbove returns the rules of the folders above dir, up to the root of
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
		i = i.below(at)
	}
	return i
}

// ignores reports whether a path, absolute and with slashes, is ignored. The
// last rule that matches decides, and a folder before those above it.
func (i *ignoring) ignores(path string, folder bool) bool {
	for ; i != nil; i = i.above {
		relative := strings.TrimPrefix(strings.TrimPrefix(path, i.dir), "/")
		for _, r := range slices.Backward(i.rules) {
			if (folder || !r.folder) && r.paths.MatchString(relative) {
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

// maxRule is the length of the longest line that counts, in bytes. No path is
// longer.
const maxRule = 4096

func parseRule(line string) (r rule, ok bool) {
	line = trimSpaces(line)
	if strings.HasPrefix(line, "#") || len(line) > maxRule {
		return rule{}, false
	}
	line, r.negated = strings.CutPrefix(line, "!")
	line, r.folder = strings.CutSuffix(line, "/")
	anchored := strings.Contains(line, "/")
	line = strings.TrimPrefix(line, "/")
	if line == "" {
		return rule{}, false
	}
	if !anchored {
		line = "**/" + line
	}
	var err error
	r.paths, err = regexp.Compile("^(?s:" + globRegexp(line) + ")$")
	return r, err == nil // a range such as [z-a] matches nothing
}

// trimSpaces cuts the spaces at the end that no backslash protects.
func trimSpaces(line string) string {
	trimmed := strings.TrimRight(line, " ")
	slashes := len(trimmed) - len(strings.TrimRight(trimmed, `\`))
	if slashes%2 == 1 && len(trimmed) < len(line) {
		trimmed += " "
	}
	return trimmed
}

// nothing is a regexp that matches nothing.
const nothing = `[^\x{0}-\x{10ffff}]`

// globRegexp returns the regexp of a glob. The name "**" matches any number of
// names, and at the end for at least one: the content of a folder, not the folder.
func globRegexp(glob string) string {
	var b strings.Builder
	names := strings.Split(glob, "/")
	for i, name := range names {
		switch {
		case name == "**" && i == len(names)-1:
			b.WriteString(".+")
		case name == "**":
			b.WriteString("(?:.+/)?")
		case i < len(names)-1:
			b.WriteString(segmentRegexp(name) + "/")
		default:
			b.WriteString(segmentRegexp(name))
		}
	}
	return b.String()
}

// segmentRegexp returns the regexp of a glob for one segment of a path.
func segmentRegexp(glob string) string {
	var b strings.Builder
	for glob != "" {
		length, text := 1, ""
		switch glob[0] {
		case '*':
			length = len(glob) - len(strings.TrimLeft(glob, "*"))
			text = "[^/]*"
		case '?':
			text = "[^/]"
		case '[':
			length, text = classRegexp(glob)
		default:
			length, text = literal(glob)
		}
		if length == 0 {
			return nothing
		}
		b.WriteString(text)
		glob = glob[length:]
	}
	return b.String()
}

// literal returns the length and the regexp of the character that a glob starts
// with, which a backslash may protect; 0 when there is none.
func literal(glob string) (length int, text string) {
	rest, escaped := strings.CutPrefix(glob, `\`)
	_, length = utf8.DecodeRuneInString(rest)
	text = regexp.QuoteMeta(rest[:length])
	if text == "-" { // which is a range inside of a class
		text = `\-`
	}
	if length > 0 && escaped {
		length++
	}
	return length, text
}

// classRegexp is literal for [abc], [a-z] and [!a-z]. A bracket that is not
// closed has the length 0.
func classRegexp(glob string) (length int, text string) {
	at, text := 1, "["
	if glob[1:] != "" && strings.IndexByte("!^", glob[1]) >= 0 {
		at, text = 2, "[^/"
	}
	for first := at; at == first || !strings.HasPrefix(glob[at:], "]"); {
		n, low := literal(glob[at:])
		if n == 0 {
			return 0, ""
		}
		at, text = at+n, text+low
		if rest, isRange := strings.CutPrefix(glob[at:], "-"); isRange && !strings.HasPrefix(rest, "]") {
			n, high := literal(rest)
			if n == 0 {
				return 0, ""
			}
			at, text = at+1+n, text+"-"+high
		}
	}
	return at + 1, text + "]"
}
