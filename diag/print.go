package diag

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// PrintOptions configure [Fprint].
type PrintOptions struct {
	Color bool // ANSI colours
}

// Fprint writes the list for people: position, severity, code, message, the
// source line with carets below, related spans, and the title of each fix. The
// changed lines follow a title that does not contain the new text. The secrets of the
// list are shown as asterisks.
func Fprint(w io.Writer, l List, o *PrintOptions) error {
	if len(l) == 0 {
		return nil
	}
	p := &diagnosticPrinter{color: o != nil && o.Color}
	masked := l.maskedSecrets()
	for _, d := range l {
		p.diagnostic(d.inMaskedSecrets(masked))
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

type diagnosticPrinter struct {
	out   strings.Builder
	color bool
}

const (
	bold  = "\x1b[1m"
	red   = "\x1b[1;31m"
	brown = "\x1b[1;33m"
	blue  = "\x1b[1;34m"
	green = "\x1b[1;32m"
	reset = "\x1b[0m"
)

func (p *diagnosticPrinter) diagnostic(d *Diagnostic) {
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
		p.snippetChange(f)
	}
}

func (p *diagnosticPrinter) paint(hue, text string) {
	if p.color {
		text = hue + text + reset
	}
	p.out.WriteString(text)
}

// Escape returns text in which control characters, direction overrides and
// bytes that are not UTF-8 are shown as escapes, so that no file can control
// the terminal of its reader.
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
