package markdown

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// The styles use the colours that the user chose for the terminal.
var (
	codeStyle = lipgloss.NewStyle().Foreground(lipgloss.Cyan)
	linkStyle = lipgloss.NewStyle().Foreground(lipgloss.Blue)
	markStyle = lipgloss.NewStyle().Foreground(lipgloss.BrightBlack)
)

// A run is how a piece of text is shown: what surrounds it.
type run struct {
	bold, italic, struck, underlined bool
}

// inline returns the text of a block with its styles, in one line for each that
// the source forces.
func (d *document) inline(n ast.Node) string {
	var b strings.Builder
	var outer run
	if h, ok := n.(*ast.Heading); ok {
		outer = run{bold: true, underlined: h.Level == 1}
	}
	d.inlineChildren(&b, n, outer, 0)
	return strings.TrimRight(b.String(), "\n")
}

func (d *document) inlineChildren(b *strings.Builder, parent ast.Node, outer run, depth int) {
	for n := parent.FirstChild(); n != nil && depth <= maxDepth; n = n.NextSibling() {
		d.inlinePiece(b, n, outer, depth+1)
	}
}

func (d *document) inlinePiece(b *strings.Builder, n ast.Node, outer run, depth int) {
	switch n := n.(type) {
	case *ast.Text:
		d.inlineWrite(b, inlineLiteral(n.Segment.Value(d.source), n.IsRaw()), outer)
		if n.HardLineBreak() {
			b.WriteByte('\n')
		} else if n.SoftLineBreak() {
			b.WriteByte(' ')
		}
	case *ast.String:
		d.inlineWrite(b, inlineLiteral(n.Value, n.IsRaw() || n.IsCode()), outer)
	case *ast.CodeSpan:
		d.inlineCode(b, n)
	case *ast.Emphasis:
		inner, mark := outer, strings.Repeat("*", n.Level)
		if n.Level == 1 {
			inner.italic = true
		} else {
			inner.bold = true
		}
		d.inlineMarked(b, n, mark, inner, depth)
	case *tables.Strikethrough:
		inner := outer
		inner.struck = true
		d.inlineMarked(b, n, "~~", inner, depth)
	case *ast.Link:
		d.inlineLink(b, n, n.Destination, outer, depth)
	case *ast.Image:
		b.WriteString("[image] ")
		d.inlineLink(b, n, n.Destination, outer, depth)
	case *ast.AutoLink:
		b.WriteString(d.styled(linkStyle, clean(string(n.URL(d.source)))))
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			segment := n.Segments.At(i)
			d.inlineWrite(b, clean(string(segment.Value(d.source))), outer)
		}
	case *tables.TaskCheckBox:
		if n.IsChecked {
			b.WriteString("[x] ")
		} else {
			b.WriteString("[ ] ")
		}
	default:
		d.inlineChildren(b, n, outer, depth)
	}
}

// inlineMarked writes emphasized text: with a style, or between its marks.
func (d *document) inlineMarked(b *strings.Builder, n ast.Node, mark string, inner run, depth int) {
	if d.styles != NoStyles {
		mark = ""
	}
	b.WriteString(mark)
	d.inlineChildren(b, n, inner, depth)
	b.WriteString(mark)
}

func isInTable(n ast.Node) bool {
	for ; n != nil; n = n.Parent() {
		if n.Kind() == tables.KindTableCell {
			return true
		}
	}
	return false
}

func (d *document) inlineCode(b *strings.Builder, n *ast.CodeSpan) {
	var text strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			text.Write(t.Segment.Value(d.source))
		}
	}
	code := strings.ReplaceAll(strings.TrimRight(text.String(), "\n"), "\n", " ")
	if isInTable(n) { // where a pipe has a backslash also in code
		code = strings.ReplaceAll(code, `\|`, "|")
	}
	if d.styles != Colors { // which alone tell it from other text
		code = "`" + code + "`"
	}
	b.WriteString(d.styled(codeStyle, code))
}

// inlineLink writes the text of a link and its address, unless they are the same.
func (d *document) inlineLink(b *strings.Builder, n ast.Node, address []byte, outer run, depth int) {
	var text strings.Builder
	d.inlineChildren(&text, n, outer, depth)
	to := inlineLiteral(address, false)
	b.WriteString(text.String())
	switch plain := strings.TrimSpace(text.String()); {
	case plain == to || to == "":
	case plain == "":
		b.WriteString(d.styled(linkStyle, to))
	default:
		b.WriteString(" " + d.styled(linkStyle, "("+to+")"))
	}
}

// inlineWrite writes text in the style of a run.
func (d *document) inlineWrite(b *strings.Builder, text string, r run) {
	if d.styles == NoStyles || r == (run{}) || text == "" {
		b.WriteString(text)
		return
	}
	b.WriteString(r.style().Styled(text))
}

// style is no style of lipgloss, since that styles each letter of an underlined text.
func (r run) style() (s ansi.Style) {
	if r.bold {
		s = s.Bold()
	}
	if r.italic {
		s = s.Italic(true)
	}
	if r.struck {
		s = s.Strikethrough(true)
	}
	if r.underlined {
		s = s.Underline(true)
	}
	return s
}

// inlineLiteral returns the characters that source text stands for. They are cleaned
// again, since entities can stand for any.
func inlineLiteral(source []byte, raw bool) string {
	if !raw {
		source = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(source)))
	}
	return strings.NewReplacer("\t", " ", "\n", " ").Replace(clean(string(source)))
}
