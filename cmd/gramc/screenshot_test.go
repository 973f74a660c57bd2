//go:build unix

package main

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/gram-lang/gramc/internal/golden"
)

// TestTheScreenshotsOfTheTutorial has the conversation that the tutorial shows, with
// the files of the tutorial and a model that is played by the test, and compares the
// screen with both pictures. With -update it draws them again.
func TestTheScreenshotsOfTheTutorial(t *testing.T) {
	page, err := os.ReadFile("../../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, m := range regexp.MustCompile("(?s)```\\w+ file=(\\S+)\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		files[m[1]] = strings.NewReplacer("serchNotes", "searchNotes", "descripton", "description", "{words}", "{word}").Replace(m[2])
	}
	d := newDrip(t)
	w := newWindow(t, writeFiles(t, files), 84, 26, nil, "agent.gram", "--library", "library.gram", "--base-url", d.URL)
	w.wait("/help")
	d.call("searchNotes", `{"word":"costs"}`)
	d.call("calculator", `{"expression":"2 * 1.20 + 2.35"}`)
	d.say("Two bottles of milk and a bread cost **4.75**:\n\n| | each | sum |\n|---|---:|---:|\n| milk × 2 | 1.20 | 2.40 |\n| bread | 2.35 | 2.35 |\n")
	w.typed("What do two bottles of milk and a bread cost?")
	w.wait("3 requests")
	compareScreenshot(t, "tutorial-conversation", w)

	d.call("addNote", `{"line":"eggs cost 3.10"}`)
	w.typed("Remember that eggs cost 3.10.")
	w.wait("Allow this call?")
	compareScreenshot(t, "tutorial-approval", w)
}

// compareScreenshot compares the screen with a picture in docs.
func compareScreenshot(t *testing.T, name string, w *window) {
	t.Helper()
	screen := w.run("capture-pane", "-p", "-e")
	screen = someTime.ReplaceAllString(screen, "0.4 s")
	golden.CompareFile(t, filepath.FromSlash("../../docs/"+name+".svg"), []byte(pictureOf(strings.Split(strings.TrimRight(screen, "\n"), "\n"), 84)))
}

// The size of a character in a picture.
const charWidth, charHeight = 8.4, 18

// pictureOf returns lines with the colours of a terminal as SVG.
func pictureOf(lines []string, columns int) string {
	var b strings.Builder
	width, height := float64(columns)*charWidth+24, len(lines)*charHeight+24
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#1e1e2e"/>`+"\n")
	style := textStyle{}
	for i, line := range lines {
		column := 0
		for _, part := range regexp.MustCompile(`\x1b\[[0-9;]*m|[^\x1b]+`).FindAllString(line, -1) {
			if codes, ok := strings.CutPrefix(part, "\x1b["); ok {
				style.change(strings.TrimSuffix(codes, "m"))
				continue
			}
			if text := strings.TrimRight(part, " "); text != "" {
				var escaped strings.Builder
				_ = xml.EscapeText(&escaped, []byte(text)) // of a builder, which never fails
				fmt.Fprintf(&b, `<text x="%.1f" y="%d" xml:space="preserve"%s textLength="%.1f">%s</text>`+"\n",
					12+float64(column)*charWidth, 12+(i+1)*charHeight-4, style.attributes(), float64(ansi.StringWidth(text))*charWidth, escaped.String())
			}
			column += ansi.StringWidth(part)
		}
	}
	return b.String() + "</svg>\n"
}

// A textStyle is how a terminal shows text.
type textStyle struct {
	color                  int // 0 is the usual one, 31 is red
	bold, faint, underline bool
}

// change applies the codes of an escape sequence.
func (s *textStyle) change(codes string) {
	for code := range strings.SplitSeq(codes, ";") {
		n, _ := strconv.Atoi(code) // "" means 0
		switch {
		case n == 0:
			*s = textStyle{}
		case n == 1:
			s.bold = true
		case n == 2:
			s.faint = true
		case n == 4:
			s.underline = true
		case n == 22:
			s.bold, s.faint = false, false
		case n == 24:
			s.underline = false
		case n >= 30 && n <= 37 || n >= 90 && n <= 97:
			s.color = n
		case n == 39:
			s.color = 0
		}
	}
}

func (s *textStyle) attributes() string {
	colors := map[int]string{
		31: "#f38ba8", 32: "#a6e3a1", 33: "#f9e2af", 34: "#89b4fa", 35: "#cba6f7", 36: "#94e2d5", 90: "#7f849c",
		91: "#f38ba8", 92: "#a6e3a1", 93: "#f9e2af", 94: "#89b4fa", 95: "#cba6f7", 96: "#94e2d5",
	}
	color, ok := colors[s.color]
	if !ok {
		color = "#cdd6f4"
	}
	out := fmt.Sprintf(` fill="%s"`, color)
	if s.bold {
		out += ` font-weight="bold"`
	}
	if s.faint {
		out += ` opacity="0.6"`
	}
	if s.underline {
		out += ` text-decoration="underline"`
	}
	return out
}
