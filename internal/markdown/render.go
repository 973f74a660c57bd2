package markdown

import (
	"strconv"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
)

const (
	minWidth = 10  // narrower text is not indented or wrapped any more
	maxDepth = 100 // blocks inside of each other; what is deeper is not shown
	maxRule  = 40  // columns of a thematic break
)

// newParser is called once a block needs it, since its tables take time.
var newParser = sync.OnceValue(extendedParser)

// A renderer makes lines of blocks.
type renderer struct {
	width  int
	styles Styles
}

// block renders the source of a block. The first item of a list in it is that of
// the given list; nil if the block is no item.
func (r *renderer) block(source string, item *list) []string {
	d := document{renderer: *r, source: []byte(source), item: item}
	root := newParser().Parse(text.NewReader(d.source))
	return d.blocks(root, r.width, 0)
}

// code renders a line of code. It is not wrapped, so that it can be copied.
func (r *renderer) code(line string) string {
	if line = strings.ReplaceAll(line, "\t", "    "); line == "" {
		return ""
	}
	return "  " + r.styled(codeStyle, line)
}

func (r *renderer) styled(s lipgloss.Style, text string) string {
	if r.styles == NoStyles || text == "" {
		return text
	}
	if r.styles == NoColors {
		s = s.UnsetForeground()
	}
	return s.Render(text)
}

// A document is the tree of a block, and its source.
type document struct {
	renderer
	source []byte
	item   *list
}

// blocks renders the children of a block with a blank line between them.
func (d *document) blocks(parent ast.Node, width, depth int) (lines []string) {
	if depth > maxDepth {
		return nil
	}
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		child := d.node(n, max(width, minWidth), depth)
		tight := parent.Kind() == ast.KindListItem && n.Kind() == ast.KindList || n.Kind() == ast.KindListItem && !n.HasBlankPreviousLines()
		if len(lines) > 0 && len(child) > 0 && !tight {
			lines = append(lines, "")
		}
		lines = append(lines, child...)
	}
	return lines
}

func (d *document) node(n ast.Node, width, depth int) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return d.heading(n, width)
	case *ast.Paragraph, *ast.TextBlock:
		return wrap(d.inline(n), width)
	case *ast.List:
		return d.list(n, width, depth)
	case *ast.Blockquote:
		if d.styles != NoStyles {
			return prefixed(d.blocks(n, width-2, depth+1), d.styled(markStyle, "│ "), width)
		}
		return prefixed(d.blocks(n, width-2, depth+1), "> ", width)
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return d.codeBlock(n)
	case *ast.HTMLBlock:
		return wrap(strings.TrimRight(d.raw(n), "\n"), width)
	case *ast.LinkReferenceDefinition:
		return wrap("["+clean(string(n.Label))+"]: "+clean(string(n.Destination)), width)
	case *ast.ThematicBreak:
		return []string{d.styled(markStyle, strings.Repeat("─", min(width, maxRule)))}
	case *tables.Table:
		return d.table(n, width)
	}
	return d.blocks(n, width, depth+1)
}

func (d *document) heading(n *ast.Heading, width int) []string {
	text := d.inline(n)
	if d.styles == NoStyles {
		return wrap(strings.Repeat("#", n.Level)+" "+text, width)
	}
	return wrap(text, width)
}

func (d *document) list(n *ast.List, width, depth int) (lines []string) {
	number := n.Start
	if d.item != nil {
		number = d.item.number
		d.item = nil
	}
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		marker := "• "
		if d.styles == NoStyles {
			marker = "- "
		}
		if n.IsOrdered() {
			marker = strconv.Itoa(number) + ". "
			number++
		}
		inside := width
		if width-len(marker) >= minWidth {
			inside -= ansi.StringWidth(marker)
		}
		content := d.blocks(item, inside, depth+1)
		if len(content) == 0 {
			content = []string{""}
		}
		if len(lines) > 0 && item.HasBlankPreviousLines() {
			lines = append(lines, "")
		}
		lines = append(lines, d.styled(markStyle, marker)+content[0])
		lines = append(lines, prefixed(content[1:], strings.Repeat(" ", width-inside), width)...)
	}
	return lines
}

func (d *document) codeBlock(n ast.Node) (lines []string) {
	for line := range strings.Lines(d.raw(n)) {
		lines = append(lines, d.code(strings.TrimRight(line, "\n")))
	}
	return lines
}

// raw returns the lines of a block as they are.
func (d *document) raw(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(d.source))
	}
	return b.String()
}

// prefixed puts a prefix before lines that are not empty, if there is room for it.
func prefixed(lines []string, prefix string, width int) []string {
	if width <= minWidth {
		return lines
	}
	blank := strings.TrimRight(prefix, " ")
	for i, line := range lines {
		if line == "" {
			lines[i] = blank
		} else {
			lines[i] = prefix + line
		}
	}
	return lines
}

// wrap breaks text into lines of a width.
func wrap(text string, width int) []string {
	lines := strings.Split(lipgloss.Wrap(text, width, ""), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}
