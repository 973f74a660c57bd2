package attach

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheContentSaysWhatAFileIs(t *testing.T) {
	for content, want := range map[string]string{
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR":              "image/png",
		"\xff\xd8\xff\xe0\x00\x10JFIF":                     "image/jpeg",
		"GIF89a\x01\x00\x01\x00":                           "image/gif",
		"RIFF\x24\x00\x00\x00WEBPVP8 ":                     "image/webp",
		"\x00\x00\x00\x18ftypheic\x00\x00":                 "image/heic",
		"\x00\x00\x00\x18ftypmif1\x00\x00":                 "image/heif",
		"%PDF-1.7\nno other byte need be high":             "application/pdf",
		"%PDF-1.7\n%\xe2\xe3\xcf\xd3":                      "application/pdf",
		"RIFF\x24\x00\x00\x00WAVEfmt ":                     "audio/wav",
		"ID3\x04\x00\x00":                                  "audio/mpeg",
		"fLaC\x00\x00":                                     "audio/flac",
		"OggS\x00\x02":                                     "audio/ogg",
		"\x00\x00\x00\x18ftypM4A \x00\x00":                 "audio/mp4",
		"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp41isom": "video/mp4",
		"# Title\n\n🐈\t\x1b[1m":                            "text/plain",
		`{"a": 1}`:                                         "text/plain",
		"<svg xmlns='http://www.w3.org/2000/svg'/>":        "text/plain",
		"PK\x03\x04\x14\x00":                               "",
		"\x7fELF\x02\x01\x01\x00":                          "",
		"caf\xe9":                                          "",
		"a\x00b":                                           "",
	} {
		if got := mediaType([]byte(content)); got != want {
			t.Errorf("%q is %q, want %q", content, got, want)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cat, note := write("cat.txt", "\x89PNG\r\n\x1a\n"), write("note.md", "a note")
	list, err := Read([]string{cat, note})
	if err != nil || len(list) != 2 || list[0].Name != "cat.txt" || list[0].MediaType != "image/png" || list[1].MediaType != "text/plain" || string(list[1].Data) != "a note" {
		t.Fatalf("%+v, %v", list, err)
	}
	half := write("half", strings.Repeat("x", MaxBytes/2+1))
	for name, test := range map[string]struct {
		names []string
		want  string
	}{
		"empty":              {[]string{write("empty", "")}, "empty: is empty"},
		"a PDF that is none": {[]string{write("a.PDF", "<html>not found</html>")}, "a.PDF: is not a PDF, as its name says, but text"},
		"an archive":         {[]string{note, write("a.zip", "PK\x03\x04\x00")}, "a.zip: is neither an image, a PDF, sound, video nor a text in UTF-8"},
		"a folder":           {[]string{dir}, "is a directory"},
		"missing":            {[]string{filepath.Join(dir, "missing")}, "missing: no such file"},
		"too large":          {[]string{half, half}, "half: at most 14 MiB can be attached to a message"},
	} {
		if _, err := Read(test.names); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
}

// Files of equal names in two folders are distinguished; folders elsewhere are nobody's
// business.
func TestNamesAreThoseBelowThisFolder(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	if err := os.MkdirAll("src", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("src/a.go", []byte("package a"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"src/a.go": "src/a.go", "./src/../src/a.go": "src/a.go",
		filepath.Join(folder, "src", "a.go"): "a.go", "../" + filepath.Base(folder) + "/src/a.go": "a.go",
	} {
		list, err := Read([]string{name})
		if err != nil || list[0].Name != want {
			t.Errorf("%s is %+v, %v", name, list, err)
		}
	}
}
