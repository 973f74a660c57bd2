package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/gram-lang/gramc/interp"
)

// maxSource is how many bytes of the files of an agent a trace has.
const maxSource = 256 << 10

// A File is a file from which an agent was read.
type File struct {
	Name string `json:"name"`
	Hash string `json:"sha256"`         // of the text, in hexadecimal
	Text string `json:"text,omitempty"` // absent where the files are longer than 256 KiB together
}

// NewFile returns a file as it stands in a trace.
func NewFile(name, text string) File {
	sum := sha256.Sum256([]byte(text))
	return File{name, hex.EncodeToString(sum[:]), text}
}

// describe adds the schemas and the files of an agent to the line of its message, unless the
// message before it was to the same.
func (w *Writer) describe(l *line, a *interp.Agent, files []File) error {
	about := line{Returns: a.Returns}
	for i := range a.Tools {
		t := &a.Tools[i]
		about.Definitions = append(about.Definitions, definition{t.Name, t.Description, t.Input, t.Output})
	}
	left := maxSource
	for _, f := range files {
		if left -= len(f.Text); left < 0 {
			f.Text = ""
		}
		about.Files = append(about.Files, f)
	}
	text, err := json.Marshal(about)
	if err != nil || string(text) == w.about {
		return err
	}
	w.about = string(text)
	l.Definitions, l.Returns, l.Files = about.Definitions, about.Returns, about.Files
	return nil
}
