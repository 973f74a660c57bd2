package terminal

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/internal/attach"
	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/spell"
	"github.com/gram-lang/gramc/internal/visible"
	"github.com/gram-lang/gramc/runtime"
)

const maxCandidates = 1000 // entries of a folder that are offered

// fileMention is a word such as @notes.txt or @"my notes.txt".
var fileMention = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[\s(])@("[^"\n]+"|[^\s"]+)`)
})

// mentions returns the files that a message mentions, each once, and the mentioned names
// of what does not exist.
func mentions(text string) (files, missing []string) {
	for _, match := range fileMention().FindAllStringSubmatch(text, -1) {
		name := strings.Trim(match[2], `"`)
		_, err := os.Stat(name)
		if err != nil {
			name = strings.TrimRight(name, ".,;:!?)")
			_, err = os.Stat(name)
		}
		switch {
		case name == "" || slices.Contains(files, name):
		case err != nil:
			missing = append(missing, name)
		default:
			files = append(files, name)
		}
	}
	return files, missing
}

// withFiles returns a message with the files that it mentions, which the model must take
// as far as that is known. Mentions of what does not exist are only text.
func withFiles(text string, model *models.Model) (message runtime.Message, err error) {
	message = runtime.UserMessage(text)
	files, _ := mentions(text)
	if message.Attachments, err = attach.Read(files); err == nil {
		err = attach.Check(message.Attachments, model)
	}
	if err != nil {
		return message, fmt.Errorf("@%w", err)
	}
	return message, nil
}

// attached says which files go along with a message.
func (t *Terminal) attached(m *runtime.Message) (lines []string) {
	for i := range m.Attachments {
		a := &m.Attachments[i]
		lines = append(lines, t.style.faint("  with "+visible.Line(a.Name)+", "+visible.Size(len(a.Data))))
	}
	return lines
}

// missingFile says that a message mentions a file that does not exist; "" if it
// mentions none.
func (t *Terminal) missingFile(text string) string {
	if _, isCommand := t.commandIn(text); isCommand {
		return ""
	}
	_, missing := mentions(text)
	if len(missing) == 0 {
		return ""
	}
	name := missing[0]
	folder, _ := filepath.Split(name)
	said := "there is no file " + visible.Line(name)
	if meant := spell.Nearest(name, filesFor(folder)); meant != "" {
		said += " (did you mean " + visible.Line(meant) + "?)"
	}
	return said
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
