package workspace

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
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
	glob    []string // the names of the paths that it matches, relative to the folder of the file
	negated bool     // a path that it matches is not ignored
	folder  bool     // it matches only folders
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
			rules = append(rules, parseIgnoreRules(text)...)
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
		names := strings.Split(strings.TrimPrefix(strings.TrimPrefix(path, i.dir), "/"), "/")
		for _, r := range slices.Backward(i.rules) {
			if (folder || !r.folder) && ignoreMatches(r.glob, names) {
				return !r.negated
			}
		}
	}
	return false
}

// parseIgnoreRules reads an ignore file as git does.
func parseIgnoreRules(text string) []rule {
	var rules []rule
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		if r, ok := parseIgnoreRule(strings.TrimRight(line, "\r\n")); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

// maxRule is the length of the longest line that counts, in bytes. No path is
// longer.
const maxRule = 4096

func parseIgnoreRule(line string) (r rule, ok bool) {
	line = trimIgnoreSpaces(line)
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
	r.glob = strings.Split(negatedClass.Replace(line), "/")
	if !anchored {
		r.glob = append([]string{"**"}, r.glob...)
	}
	if r.glob[len(r.glob)-1] == "**" { // the content of a folder, not the folder
		r.glob = append(r.glob, "*")
	}
	return r, true
}

// negatedClass writes [!a-z] as package path does.
var negatedClass = strings.NewReplacer(`\[`, `\[`, "[!", "[^")

// trimIgnoreSpaces cuts the spaces at the end that no backslash protects.
func trimIgnoreSpaces(line string) string {
	trimmed := strings.TrimRight(line, " ")
	slashes := len(trimmed) - len(strings.TrimRight(trimmed, `\`))
	if slashes%2 == 1 && len(trimmed) < len(line) {
		trimmed += " "
	}
	return trimmed
}

// ignoreMatches reports whether the names of a path match those of a glob, in which
// "**" stands for any number of names.
func ignoreMatches(glob, names []string) bool {
	matches := make([]bool, len(names)+1) // whether the first n names match what is read of the glob
	matches[0] = true
	for _, g := range glob {
		more := make([]bool, len(matches))
		for n, matched := range matches {
			switch {
			case g == "**":
				more[n] = matched || n > 0 && more[n-1]
			case matched && n < len(names):
				more[n+1], _ = path.Match(g, names[n]) // a glob that is malformed matches nothing
			}
		}
		matches = more
	}
	return matches[len(names)]
}
