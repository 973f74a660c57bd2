package format

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
)

// Options configure File. Nil is the same as the zero Options.
type Options struct {
	Width int // columns of a line; 0 means 100
}

const defaultWidth = 100

// File returns the text of a file in the style of the package. The file must be
// as the parser made it, with or without mistakes: patterns at the mistakes keep
// their bytes. An error in the text that leaves every sign of it in the tree, such
// as an unknown escape, does not matter here.
func File(f *ast.File, o *Options) string {
	p := &formatPrinter{}
	p.src, p.width, p.eol = f.Source.Text(), defaultWidth, "\n"
	if o != nil && o.Width > 0 {
		p.width = o.Width
	}
	if n := strings.IndexByte(p.src, '\n'); n > 0 && p.src[n-1] == '\r' {
		p.eol = "\r\n"
	}
	p.out.Grow(len(p.src) + len(p.src)/8)
	if strings.HasPrefix(p.src, byteOrderMark) {
		p.out.WriteString(byteOrderMark)
		p.pos = len(byteOrderMark)
	}
	if f.Header != nil {
		p.item(f.Header, func() { p.value(f.Header) })
	}
	for _, n := range f.Patterns {
		p.item(n, func() { p.pattern(n) })
	}
	p.rest(f)
	return p.out.String()
}

const byteOrderMark = "\ufeff"

// A formatPrinter prints a file, item by item: the header and the top-level patterns,
// each with its comments.
type formatPrinter struct {
	layout
	pos  int // what of src is printed or compared
	stop int // where the item ends

	bad     bool // the item differs from the source
	behind  int  // where the last printed comment ends
	printed int  // comments of the item that are printed
	skipped int  // comments of the source of the item
}

// item prints an item, or copies it if print misses anything of it.
func (p *formatPrinter) item(n ast.Node, print func()) {
	from, stop := max(p.pos, startWithComments(n)), max(p.pos, endWithComments(n))
	from -= len(strings.TrimLeft(p.src[p.pos:from], whitespace)) // text that was not parsed
	p.separate(from)
	p.pos, p.stop, p.bad, p.printed, p.skipped = from, stop, false, 0, 0
	print()
	p.skip()
	if p.bad || p.pos != stop || p.printed != p.skipped {
		p.ops.length = 0
		p.addText(layoutOp{kind: opRaw}, p.lineStart(from), stop)
	}
	p.run()
	p.pos, p.behind = stop, stop
}

// lineStart returns the start of the line that holds an offset, if there are
// only whitespace before it on that line.
func (p *formatPrinter) lineStart(offset int) int {
	at := len(strings.TrimRight(p.src[:offset], " \t"))
	if at == 0 || p.src[at-1] == '\n' {
		return at
	}
	return offset
}

// rest prints what follows the last item: comments, or what nobody parsed.
func (p *formatPrinter) rest(f *ast.File) {
	from := p.pos
	p.stop, p.bad, p.printed, p.skipped = len(p.src), false, 0, 0
	p.skip()
	after := comments(f).After
	if p.pos < len(p.src) || len(after) != p.skipped {
		p.out.WriteString(p.src[from:])
		return
	}
	for i, c := range after {
		if i == 0 {
			p.separate(c.Span.Start)
		}
		p.comment(c, i > 0 && p.blankBefore(c.Span.Start))
	}
	p.run()
	if !p.empty() {
		p.out.WriteString(p.eol)
	}
}

// empty reports whether nothing is printed.
func (p *formatPrinter) empty() bool { return p.out.Len() == 0 || p.out.String() == byteOrderMark }

// separate starts a line for what stands at an offset of the source.
func (p *formatPrinter) separate(offset int) {
	switch {
	case p.empty():
		p.breaks = 0
	case p.blankBefore(offset):
		p.breaks = 2
	default:
		p.breaks = 1
	}
}

func (p *formatPrinter) begin(broken, hug bool) {
	p.add(layoutOp{kind: opBegin, force: broken, hug: hug})
}

// token prints a token, which has no line breaks.
func (p *formatPrinter) token(text string) { p.expect(opText, text) }

// expect prints what the source must have next.
func (p *formatPrinter) expect(kind opKind, text string) {
	p.skip()
	if text == "" || !strings.HasPrefix(p.src[p.pos:p.stop], text) {
		p.bad = true
		return
	}
	p.addText(layoutOp{kind: kind}, p.pos, p.pos+len(text))
	p.pos += len(text)
}

// skip moves over whitespace and comments of the source.
func (p *formatPrinter) skip() {
	for p.pos < p.stop {
		switch c := p.src[p.pos]; {
		case c == ' ' || '\t' <= c && c <= '\r':
			p.pos++
		case strings.HasPrefix(p.src[p.pos:p.stop], "//"):
			p.skipped++
			if n := strings.IndexByte(p.src[p.pos:p.stop], '\n'); n >= 0 {
				p.pos += n
			} else {
				p.pos = p.stop
			}
		default:
			return
		}
	}
}

// breaksBefore returns how many line ends stand directly before an offset.
func (p *formatPrinter) breaksBefore(offset int) int {
	gap := p.src[len(strings.TrimRight(p.src[:offset], whitespace)):offset]
	return strings.Count(gap, "\n")
}

func (p *formatPrinter) blankBefore(offset int) bool { return p.breaksBefore(offset) > 1 }

// breakAfter reports whether a line ends directly after an offset.
func (p *formatPrinter) breakAfter(offset int) bool {
	rest := strings.TrimLeft(p.src[offset:], " \t\v\f\r")
	return strings.HasPrefix(rest, "\n")
}

// sign prints a sign, which may stand before the comment that ends the line.
func (p *formatPrinter) sign(text string) { p.expect(opSign, text) }
