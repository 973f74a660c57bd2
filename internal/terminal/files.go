package terminal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	maxFile       = 256 << 10 // bytes of a file in a message
	maxCandidates = 1000      // entries of a folder that are offered
)

// fileMention is a word such as @notes.txt or @"my notes.txt".
var fileMention = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[\s(])@("[^"\n]+"|[^\s"]+)`)
})

// withFiles adds the files that a message mentions to its end. Mentions of what is
// no file stay what they are.
func withFiles(message string) (expanded string, names []string, err error) {
	expanded = message
	seen := map[string]bool{}
	for _, match := range fileMention().FindAllStringSubmatch(message, -1) {
		name := strings.Trim(match[2], `"`)
		info, statErr := os.Stat(name)
		if statErr != nil {
			name = strings.TrimRight(name, ".,;:!?)")
			info, statErr = os.Stat(name)
		}
		if statErr != nil || seen[name] || name == "" {
			continue
		}
		if !info.Mode().IsRegular() {
			return "", nil, fmt.Errorf("@%s is not a file", name)
		}
		text, err := readText(name)
		if err != nil {
			return "", nil, fmt.Errorf("@%s: %w", name, err)
		}
		seen[name] = true
		names = append(names, name)
		expanded += fmt.Sprintf("\n\n<file name=%q>\n%s\n</file>", name, strings.TrimRight(text, "\n"))
	}
	return expanded, names, nil
}

func readText(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", errors.Unwrap(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > maxFile:
		return "", fmt.Errorf("it has more than %d KiB", maxFile>>10)
	case !utf8.Valid(text) || strings.ContainsRune(string(text), 0):
		return "", errors.New("it is not a text")
	}
	return string(text), nil
}

// filesFor returns the files that complete a path, folders with a slash at the
// end. Hidden ones are offered only for a name that begins with a dot.
func filesFor(path string) (found []string) {
	folder, start := filepath.Split(path)
	dir := folder
	if dir == "" {
		dir = "."
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(maxCandidates)
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, start) || start == "" && name[0] == '.' {
			continue
		}
		if entry.IsDir() {
			name += string(filepath.Separator)
		}
		found = append(found, folder+name)
	}
	sort.Strings(found)
	return found
}
