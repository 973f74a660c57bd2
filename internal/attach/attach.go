// Package attach reads the images and files that a user sends along with a message.
package attach

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/models"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/runtime"
)

// MaxBytes is how many bytes the attachments of a message have together. A request
// holds them in base64, and the Gemini API takes 20 MB.
const MaxBytes = 14 << 20

// Read reads files, in order. An error names its file.
func Read(names []string) ([]runtime.Attachment, error) {
	var list []runtime.Attachment
	size := 0
	for _, name := range names {
		a, err := read(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if size += len(a.Data); size > MaxBytes {
			return nil, fmt.Errorf("%s: at most %d MiB can be attached to a message", name, MaxBytes>>20)
		}
		list = append(list, a)
	}
	return list, nil
}

func read(name string) (runtime.Attachment, error) {
	text, err := workspace.ReadFile(name)
	if err != nil {
		return runtime.Attachment{}, err
	}
	if text == "" {
		return runtime.Attachment{}, errors.New("is empty")
	}
	if kind := saysMedia(name); kind != "" && isText([]byte(text)) {
		return runtime.Attachment{}, fmt.Errorf("is not %s, as its name says, but text", kind)
	}
	a := runtime.Attachment{Name: shownName(name), Data: []byte(text)}
	if a.MediaType = mediaType(a.Data); a.MediaType == "" {
		return runtime.Attachment{}, errors.New("is neither an image, a PDF, sound, video nor a text in UTF-8")
	}
	return a, nil
}

// saysMedia returns what the name of a file says that it is, where that cannot be text.
func saysMedia(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".pdf":
		return "a PDF"
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".heic", ".heif":
		return "an image"
	case ".mp3", ".wav", ".flac", ".ogg", ".m4a", ".aiff":
		return "sound"
	case ".mp4", ".webm", ".avi":
		return "video"
	}
	return ""
}

// shownName returns the name of a file as the model gets it: below this folder with its
// path, which distinguishes files of equal names, and elsewhere without.
func shownName(name string) string {
	if clean := filepath.Clean(name); filepath.IsLocal(clean) {
		return filepath.ToSlash(clean)
	}
	return filepath.Base(name)
}

// mediaType returns the type of a file, "" if no model takes such. The content says
// what it is, never the name: models refuse what does not fit its type.
func mediaType(data []byte) string {
	if isText(data) {
		return "text/plain" // which every model takes, whatever the text is
	}
	switch {
	case bytes.HasPrefix(data, []byte("fLaC")):
		return "audio/flac"
	case len(data) > 12 && string(data[4:8]) == "ftyp":
		switch string(data[8:12]) {
		case "heic", "heix":
			return "image/heic"
		case "mif1", "msf1":
			return "image/heif"
		case "M4A ":
			return "audio/mp4"
		}
	}
	kind, _, _ := strings.Cut(http.DetectContentType(data), ";")
	switch kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "audio/mpeg", "audio/aiff", "video/mp4", "video/webm", "video/avi":
		return kind
	case "audio/wave":
		return "audio/wav"
	case "application/ogg":
		return "audio/ogg"
	}
	return ""
}

// isText reports whether data is UTF-8 without the control characters that no text
// has.
func isText(data []byte) bool {
	return utf8.Valid(data) && !bytes.HasPrefix(data, []byte("%PDF-")) && !bytes.ContainsFunc(data, func(c rune) bool {
		return c < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1b", c)
	})
}

// Check returns the error of an attachment that a model does not take. Nothing is known
// of a nil model.
func Check(list []runtime.Attachment, m *models.Model) error {
	if m == nil {
		return nil
	}
	for i := range list {
		switch a := &list[i]; {
		case m.Images == models.No && strings.HasPrefix(a.MediaType, "image/"):
			return fmt.Errorf("%s: the model %s takes no images", a.Name, m.ID)
		case m.Files == models.No && a.MediaType == "application/pdf":
			return fmt.Errorf("%s: the model %s takes no PDF", a.Name, m.ID)
		}
	}
	return nil
}
