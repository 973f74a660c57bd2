package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/runtime"
)

func TestAHistoryIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "history.jsonl")
	h := openHistory(file)
	for _, entry := range []string{"one", "two\nlines", "two\nlines", " ", "three"} {
		h.add(entry, entry)
	}
	h = openHistory(file)
	if diff := cmp.Diff([]string{"one", "two\nlines", "three"}, h.entries); diff != "" {
		t.Fatal(diff)
	}
	var seen []string
	see := func(entry string, ok bool) {
		if ok {
			seen = append(seen, entry)
		}
	}
	see(h.back("draft"))
	see(h.back("three"))
	see(h.back("two\nlines"))
	see(h.back("one"))
	see(h.forward())
	see(h.forward())
	see(h.forward())
	see(h.forward())
	if diff := cmp.Diff([]string{"three", "two\nlines", "one", "two\nlines", "three", "draft"}, seen); diff != "" {
		t.Error(diff)
	}
	for name, mode := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// Only the end of a history is read, however large its file is.
func TestOnlyTheEndOfAHistoryIsRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.jsonl")
	if err := os.WriteFile(file, []byte("\"a\"\n\"b\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := readEnd(file, 5); err != nil || string(text) != "\n\"b\"\n" {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := readEnd(filepath.Dir(file), 5); err == nil {
		t.Errorf("a folder is %q", text)
	}
	if err := os.Truncate(file, 1<<40); err != nil { // has no content on the disk
		t.Skip("no file can be that large here")
	}
	if h := openHistory(file); len(h.entries) != 0 {
		t.Errorf("%d entries", len(h.entries))
	}
}

func TestAHistoryDoesNotGrowWithoutEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.jsonl")
	text := "no JSON\n" + strings.Repeat("\"a\"\n\"b\"\n", maxHistory+1)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if h := openHistory(file); len(h.entries) != maxHistory || h.entries[maxHistory-1] != "b" {
		t.Errorf("%d entries", len(h.entries))
	}
	if kept, err := os.ReadFile(file); err != nil || bytes.Count(kept, []byte("\n")) != maxHistory {
		t.Errorf("the file keeps %d lines, %v", bytes.Count(kept, []byte("\n")), err)
	}
}

func TestFilesAreAttachedToAMessage(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.txt": "A\n", "my notes": "N", "binary": "\x00", "empty": ""} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	for message, want := range map[string]string{
		"hi":                       "",
		"read @a.txt, please":      "a.txt A\n;",
		"@\"my notes\" and @a.txt": "my notes N;a.txt A\n;",
		"@a.txt @a.txt":            "a.txt A\n;",
		"x@a.txt":                  "",
		"@ada":                     "",
		"@folder":                  "error: @folder: is a directory; name the files in it",
		"@binary":                  "error: @binary: is neither an image, a PDF, sound, video nor a text in UTF-8",
		"@empty":                   "error: @empty: is empty",
	} {
		sent, err := withFiles(message, nil)
		got := ""
		for i := range sent.Attachments {
			got += sent.Attachments[i].Name + " " + string(sent.Attachments[i].Data) + ";"
		}
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want || sent.Content != message {
			t.Errorf("%q is sent as %q with %s, want %s", message, sent.Content, got, want)
		}
	}
}

func TestAMissingFileIsSaidBeforeAMessageIsSent(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"notes.txt", "folder/plan.md"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("N"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for message, want := range map[string]string{
		"hi":                       "",
		"read @notes.txt!":         "",
		"ada@example.test":         "",
		"/model @x":                "",
		"read @nofile, please":     "there is no file nofile",
		"read @notse.txt":          "there is no file notse.txt (did you mean notes.txt?)",
		"@folder/paln.md":          "there is no file folder/paln.md (did you mean folder/plan.md?)",
		"@\"no such\x1b[2J file\"": `there is no file no such\x1b[2J file`,
	} {
		if got := New(&Options{}).missingFile(message); got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
}

func TestImagesAreAttachedToAMessage(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("cat.png", []byte("\x89PNG\r\n\x1a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sent, err := withFiles("what is @cat.png?", &models.Model{ID: "m", Images: models.Yes})
	if err != nil || len(sent.Attachments) != 1 || sent.Attachments[0].MediaType != "image/png" {
		t.Errorf("%+v, %v", sent, err)
	}
	_, err = withFiles("what is @cat.png?", &models.Model{ID: "m", Images: models.No})
	if err == nil || err.Error() != "@cat.png: the model m takes no images" {
		t.Errorf("%v", err)
	}
}

func TestCompletion(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"notes.txt", "notes.md", ".hidden", "my file"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll("folder/inside", 0o700); err != nil {
		t.Fatal(err)
	}
	term := New(&Options{Models: []string{"OpenAI/gpt-4o", "Anthropic/claude"}, Agents: []string{"clerk", "poet"}})
	for text, want := range map[string]string{
		"":              "",
		"hello":         "hello",
		"/he":           "/help ",
		"/t":            "/t", // tools, trace
		"/nothing":      "/nothing",
		"/agent p":      "/agent poet ",
		"/model open":   "/model OpenAI/gpt-4o ",
		"/model cla":    "/model Anthropic/claude ",
		"read @no":      "read @notes.",
		"read @notes.t": "read @notes.txt ",
		"@fo":           "@folder/",
		"@folder/":      "@folder/inside/",
		"@my":           `@"my file" `,
		"@.h":           "@.hidden ",
		"@x":            "@x",
		"a\n@notes.m":   "a\n@notes.md ",
	} {
		c := term.completion(text)
		if got := strings.TrimSuffix(text, c.word) + c.next(); got != want {
			t.Errorf("%q is completed to %q, want %q", text, got, want)
		}
	}
}

func TestAScreenIsPaintedBelowWhatIsFinished(t *testing.T) {
	var out bytes.Buffer
	s := screen{out: &out, width: 10, height: 4}
	painted := func(finished, lines []string, cursor place) string {
		t.Helper()
		out.Reset()
		if err := s.paint(finished, lines, cursor); err != nil {
			t.Fatal(err)
		}
		text := strings.TrimPrefix(strings.TrimSuffix(out.String(), endChange), beginChange)
		return strings.NewReplacer("\x1b", "^", "\r\n", "|", "\r", "<").Replace(text)
	}
	for i, step := range []struct {
		finished, lines []string
		cursor          place
		want            string
	}{
		{nil, []string{"> "}, place{2, 0}, "<^[K> <^[2C^[?25h"},
		{nil, []string{"> "}, place{2, 0}, ""},
		{[]string{"done"}, []string{"a", "> x", "b"}, place{3, 1}, "<^[Kdone|^[Ja|> x|b<^[A^[3C^[?25h"},
		{nil, []string{"a", "> x"}, place{y: -1}, "<^[A^[Ka|^[J> x"},
		{nil, []string{"1", "2", "3", "4", "> 567890123456"}, place{2, 4}, "<^[A^[K3|^[J4|> 5678901…<^[2C^[?25h"},
	} {
		if got := painted(step.finished, step.lines, step.cursor); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
	s.resize(4, 10) // the last line is broken in three, and the cursor is below three others
	if got := painted(nil, []string{"> "}, place{2, 0}); got != "<^[2A^[K> |^[J^[A<^[2C^[?25h" {
		t.Errorf("after another size: %q", got)
	}
	painted(nil, []string{"a", "> x"}, place{2, 1})
	if got := painted([]string{"broken", "b"}, []string{"> "}, place{2, 0}); got != "<^[A^[K|^[J^[Abroken|b|> <^[2C^[?25h" {
		t.Errorf("a line that is broken: %q", got)
	}
}

func TestUsage(t *testing.T) {
	if got, want := costTokens(runtime.Usage{Input: 1200, Output: 3, CacheRead: 1000}), "1,200 tokens in (1,000 cached), 3 out"; got != want {
		t.Errorf("usage is %q, want %q", got, want)
	}
}

func TestLettersAreShownWithoutEscapes(t *testing.T) {
	for in, want := range map[string]string{
		`{"a": "\u6771\u4eac \ud83d\ude00 \u00e9"}`:          `{"a":"東京 😀 é"}`,
		`"\\u00e9 \u0022 \u005c \u000a \u202e \ud83d \u00e"`: `"\\u00e9 \u0022 \u005c \u000a \u202e \ud83d \u00e"`,
		`"\u0041\n"`: `"\u0041\n"`,
		`not \u00e9`: `not \u00e9`,
	} {
		if got := compactJSON([]byte(in)); got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
	if got, want := valueText([]byte(`{"a":"\u00e9"}`)), "{\n  \"a\": \"é\"\n}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
