package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gram-lang/gramc/diag"
)

// complain writes an error that is no diagnostic.
func (c *cli) complain(text string) {
	prefix := "error: "
	if c.colored() {
		prefix = "\x1b[1;31merror\x1b[0m: "
	}
	fmt.Fprintf(c.err, "%s%s\n", prefix, clean(text))
}

// note writes a line for people.
func (c *cli) note(text string) { fmt.Fprintln(c.err, clean(text)) }

// show writes the diagnostics that are at least so severe, for people.
func (c *cli) show(list diag.List, mildest diag.Severity) error {
	var shown diag.List
	for _, d := range list {
		if d.Severity <= mildest {
			shown = append(shown, d)
		}
	}
	return diag.Fprint(c.err, shown.Limit(), &diag.PrintOptions{Color: c.colored()})
}

// colored reports whether messages are coloured.
func (c *cli) colored() bool {
	if c.color.value != "auto" {
		return c.color.value == "always"
	}
	noColor, _ := c.lookup("NO_COLOR")
	term, _ := c.lookup("TERM")
	return noColor == "" && term != "dumb" && isTerminal(c.err)
}

// isTerminal reports whether a stream is a device for people, as far as the
// standard library can tell.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// writeJSON writes JSON text indented by two spaces, its numbers and the order
// of its keys as they are.
func (c *cli) writeJSON(text []byte) error {
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		panic("gramc: " + err.Error())
	}
	b.WriteByte('\n')
	_, err := c.out.Write(b.Bytes())
	return err
}

// writeLine writes v as one line of JSON, at once.
func (c *cli) writeLine(v any) error {
	if err := encode(c.out, v, ""); err != nil {
		return err
	}
	return c.out.Flush()
}

func encode(w io.Writer, v any, indent string) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	return e.Encode(v)
}

// clean returns text that a terminal only shows: characters that control it or
// turn the direction of writing, and bytes that are not UTF-8, become escapes.
// Line ends and tabs stay.
func clean(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if utf8.ValidString(text) && strings.IndexFunc(text, steers) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1, r < utf8.RuneSelf && steers(r):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case steers(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// cleanLine is clean for text that must stay on its line.
func cleanLine(text string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(clean(text))
}

func steers(r rune) bool {
	switch r {
	case '\n', '\t':
		return false
	case '\u2028', '\u2029':
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}

// counted returns "1 error", "2 errors".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
