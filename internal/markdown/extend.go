package markdown

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark/ast"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The three extensions of Markdown that models write: tables, struck text and check boxes.
// Those of goldmark compile a dozen regular expressions whenever a program starts.

func extendedParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
			util.Prioritized(checkBoxParser{}, 0), util.Prioritized(struckParser{}, 500))...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
			util.Prioritized(tableTransformer{}, 200))...),
	)
}

// A checkBoxParser reads [ ] and [x] at the start of an item of a list.
type checkBoxParser struct{}

func (checkBoxParser) Trigger() []byte { return []byte{'['} }

func (checkBoxParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	item, ok := parent.Parent().(*ast.ListItem)
	if !ok || item.FirstChild() != parent || parent.HasChildren() {
		return nil
	}
	line, _ := block.PeekLine()
	if len(line) < len("[ ]") || line[2] != ']' || line[1]|0x20 != 'x' && !isSpace(line[1]) {
		return nil
	}
	end := len("[ ]")
	for end < len(line) && isSpace(line[end]) {
		end++
	}
	block.Advance(end)
	return tables.NewTaskCheckBox(line[1]|0x20 == 'x')
}

func isSpace(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' && b != '\v' }

// A struckParser reads ~text~ and ~~text~~.
type struckParser struct{}

func (struckParser) Trigger() []byte { return []byte{'~'} }

func (struckParser) IsDelimiter(b byte) bool { return b == '~' }

func (struckParser) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (struckParser) OnMatch(int) ast.Node { return tables.NewStrikethrough() }

func (p struckParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	const most = 2
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	d := parser.ScanDelimiter(line, before, 1, p)
	if d == nil || d.OriginalLength > most || before == '~' {
		return nil
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

// A tableTransformer makes a table of a paragraph that has a line of dashes and pipes
// under a line with as many cells.
type tableTransformer struct{}

func (tableTransformer) Transform(paragraph *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, source := paragraph.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		at := lines.At(i)
		alignments := tableAlignments(at.Value(source))
		if alignments == nil {
			continue
		}
		header := tableRow(lines.At(i-1), alignments, true, source)
		if header.ChildCount() != len(alignments) {
			return
		}
		table := tables.NewTable()
		table.Alignments = alignments
		table.AppendChild(table, tables.NewTableHeader(header))
		for j := i + 1; j < lines.Len(); j++ {
			table.AppendChild(table, tableRow(lines.At(j), alignments, false, source))
		}
		around := paragraph.Parent()
		around.InsertAfter(around, paragraph, table)
		if lines.SetSliced(0, i-1); lines.Len() == 0 {
			around.RemoveChild(around, paragraph)
			return
		}
		last := lines.At(i - 2)
		last.Stop-- // the line end
		lines.Set(i-2, last)
		return
	}
}

// tableAlignments returns the alignments of the columns that a line of dashes stands for;
// nil for other lines.
func tableAlignments(line []byte) (alignments []tables.Alignment) {
	const mostIndent = 3
	isPart := func(b byte) bool { return b == '-' || b == '|' || b == ':' || util.IsSpace(b) }
	width, _ := util.IndentWidth(line, 0)
	if onlyDashes := bytes.Count(line, []byte{'-'}) == len(line); width > mostIndent || onlyDashes ||
		slices.ContainsFunc(line, func(b byte) bool { return !isPart(b) }) {
		return nil
	}
	cells := bytes.Split(line, []byte{'|'})
	if util.IsBlank(cells[0]) {
		cells = cells[1:]
	}
	if len(cells) > 0 && util.IsBlank(cells[len(cells)-1]) {
		cells = cells[:len(cells)-1]
	}
	for _, cell := range cells {
		cell = util.TrimRightSpace(util.TrimLeftSpace(cell))
		dashes, left := bytes.CutPrefix(cell, []byte{':'})
		dashes, right := bytes.CutSuffix(dashes, []byte{':'})
		if len(dashes) == 0 || slices.ContainsFunc(dashes, func(b byte) bool { return b != '-' }) {
			return nil
		}
		switch {
		case left && right:
			alignments = append(alignments, tables.AlignCenter)
		case left:
			alignments = append(alignments, tables.AlignLeft)
		case right:
			alignments = append(alignments, tables.AlignRight)
		default:
			alignments = append(alignments, tables.AlignNone)
		}
	}
	return alignments
}

// tableRow returns the cells of a line. A row below the header has as many cells as there
// are columns.
func tableRow(at text.Segment, alignments []tables.Alignment, isHeader bool, source []byte) *tables.TableRow {
	at = at.TrimLeftSpace(source)
	at = at.TrimRightSpace(source)
	row := tables.NewTableRow(alignments)
	start, stop := at.Start, at.Stop
	if start < stop && source[start] == '|' {
		start++
	}
	if stop > start && source[stop-1] == '|' {
		stop--
	}
	for i := 0; start < stop && (isHeader || i < len(alignments)); i++ {
		end := start
		for end < stop && (source[end] != '|' || end > at.Start && source[end-1] == '\\') {
			end++
		}
		cell := tables.NewTableCell()
		if i < len(alignments) {
			cell.Alignment = alignments[i]
		}
		content := text.NewSegment(start, end)
		content = content.TrimLeftSpace(source)
		cell.Lines().Append(content.TrimRightSpace(source))
		row.AppendChild(row, cell)
		start = end + 1
	}
	for row.ChildCount() < len(alignments) {
		row.AppendChild(row, tables.NewTableCell())
	}
	return row
}
