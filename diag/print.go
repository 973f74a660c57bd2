package diag

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/source"
)

// PrintOptions say how Fprint writes.
type PrintOptions struct {
	Color bool // ANSI colours
}

// Fprint writes the list for people: place, severity, code, message, the
// source line with carets below, related places, and how to fix it.
func Fprint(w io.Writer, l List, o *PrintOptions) error {
	p := &printer{}
	if o != nil {
		p.color = o.Color
	}
	for _, d := range l {
		p.diagnostic(d)
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

type printer struct {
	out   strings.Builder
	color bool
}

const (
	bold  = "\x1b[1m"
	red   = "\x1b[1;31m"
	brown = "\x1b[1;33m"
	blue  = "\x1b[1;34m"
	reset = "\x1b[0m"
)

func (p *printer) diagnostic(d *Diagnostic) {
	hue := map[Severity]string{Error: red, Warning: brown, Info: blue, Hint: blue}[d.Severity]
	if !d.Span.IsZero() {
		fmt.Fprintf(&p.out, "%s: ", Escape(d.Span.String()))
	}
	p.paint(hue, fmt.Sprintf("%s[%s]", d.Severity, d.Code))
	p.out.WriteString(": ")
	p.paint(bold, Escape(d.Message))
	p.out.WriteByte('\n')
	p.snippet(d.Span, hue)
	for _, r := range d.Related {
		fmt.Fprintf(&p.out, "  %s: %s\n", Escape(r.Span.String()), Escape(r.Message))
	}
	for _, f := range d.Fixes {
		p.out.WriteString("  ")
		p.paint(blue, "fix")
		fmt.Fprintf(&p.out, ": %s\n", Escape(f.Title))
	}
}

func (p *printer) paint(hue, text string) {
	if p.color {
		text = hue + text + reset
	}
	p.out.WriteString(text)
}

// snippetWidth is the number of runes of a source line that is shown.
const snippetWidth = 100

// snippet writes the line of a span, cut around the span where it is long,
// with carets below.
func (p *printer) snippet(s source.Span, hue string) {
	if s.IsZero() {
		return
	}
	line := s.File.LineText(s.Pos().Line)
	before, rest := split(line, s.File.LineStart(s.Start), s.Start)
	if len(before) > snippetWidth*3/4 {
		before = before[len(before)-snippetWidth/2:]
		before[0] = '…'
	}
	marked := []rune(excerpt.Runes(firstLine(s.Text()), snippetWidth))
	if room := snippetWidth - len(before); len(rest) > room {
		rest = rest[:room]
		rest[room-1] = '…'
	}
	marked = marked[:min(len(marked), len(rest))]
	gutter := fmt.Sprintf("%5d", s.Pos().Line)
	pad := utf8.RuneCountInString(cells(before))
	fmt.Fprintf(&p.out, "%s | %s%s\n%*s | %*s", gutter, cells(before), cells(rest), len(gutter), "", pad, "")
	p.paint(hue, strings.Repeat("^", max(1, utf8.RuneCountInString(cells(marked)))))
	p.out.WriteByte('\n')
}

// split returns what stands before and behind an offset in its line, as much
// of it as could be shown.
func split(line string, lineStart, offset int) (before, rest []rune) {
	at := min(offset-lineStart, len(line))
	return []rune(tail(line[:at], snippetWidth)), []rune(excerpt.Runes(line[at:], snippetWidth+1))
}

// tail returns the last runes of a text.
func tail(text string, runes int) string {
	i := len(text)
	for ; i > 0 && runes > 0; runes-- {
		_, size := utf8.DecodeLastRuneInString(text[:i])
		i -= size
	}
	return text[i:]
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	return strings.TrimSuffix(text, "\r")
}

// cells shows runes in one terminal cell each where that is possible.
func cells(line []rune) string {
	return Escape(strings.ReplaceAll(string(line), "\t", " "))
}

// Escape returns text in which control characters, direction overrides and
// bytes that are not UTF-8 are shown as escapes, so that no file can steer the
// terminal of its reader.
func Escape(text string) string {
	const joiner = '\u200d' // joins emoji
	clean := func(r rune) bool { return r != utf8.RuneError && (unicode.IsPrint(r) || r == ' ' || r == joiner) }
	if strings.IndexFunc(text, func(r rune) bool { return !clean(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case clean(r), r == utf8.RuneError && size > 1:
			b.WriteString(text[i : i+size])
		case size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
		i += size
	}
	return b.String()
}
