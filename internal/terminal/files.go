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

	"github.com/gram-lang/gramc/internal/attach"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

const (
	maxFile       = 256 << 10 // bytes of a file in a message
	maxCandidates = 1000      // entries of a folder that are offered
)

// fileMention is a word such as @notes.txt or @"my notes.txt".
var fileMention = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[\s(])@("[^"\n]+"|[^\s"]+)`)
})

// withFiles returns a message with the files that it mentions: texts at its end, and
// images and the like as attachments, which the model must take as far as that is
// known. Mentions of what is no file stay what they are.
func withFiles(text string, model *models.Model) (message runtime.Message, names []string, err error) {
	message = runtime.UserMessage(text)
	seen := map[string]bool{}
	var others []string
	for _, match := range fileMention().FindAllStringSubmatch(text, -1) {
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
			return message, nil, fmt.Errorf("@%s is not a file", name)
		}
		content, isText, err := readText(name)
		if err != nil {
			return message, nil, fmt.Errorf("@%s: %w", name, err)
		}
		seen[name] = true
		names = append(names, name)
		if !isText {
			others = append(others, name)
			continue
		}
		message.Content += fmt.Sprintf("\n\n<file name=%q>\n%s\n</file>", name, strings.TrimRight(content, "\n"))
	}
	if message.Attachments, err = attach.Read(others); err == nil {
		err = attach.Check(message.Attachments, model)
	}
	if err != nil {
		return message, nil, fmt.Errorf("@%w", err)
	}
	return message, names, nil
}

// readText returns the content of a file that is a text of at most [maxFile] bytes.
func readText(name string) (content string, isText bool, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", false, errors.Unwrap(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return "", false, err
	}
	end := len(data)
	for end > maxFile || end < len(data) && end > maxFile-utf8.UTFMax && !utf8.RuneStart(data[end]) {
		end-- // not within a character
	}
	switch isText = attach.IsText(data[:end]); {
	case isText && len(data) > maxFile:
		return "", true, fmt.Errorf("it has more than %d KiB", maxFile>>10)
	case isText:
		return string(data), true, nil
	}
	return "", false, nil
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
