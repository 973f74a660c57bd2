package markdown

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	tables "github.com/yuin/goldmark/extension/ast"
)

const (
	minColumn  = 6   // columns of the terminal that a column of a table needs
	maxColumns = 100 // of a table; the others are not shown
)

var headerStyle = lipgloss.NewStyle().Bold(true)

// table renders a table: columns side by side, or, where there is no room, the
// cells of each row below each other.
func (d *document) table(t *tables.Table, width int) (lines []string) {
	var rows [][]string
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil && len(cells) < maxColumns; cell = cell.NextSibling() {
			cells = append(cells, d.inline(cell))
		}
		rows = append(rows, cells)
	}
	columns := tableColumnWidths(rows, width)
	if columns == nil {
		return d.tableRecords(rows, width)
	}
	for i, row := range rows {
		lines = append(lines, d.tableRow(row, columns, t.Alignments, i == 0)...)
		if i == 0 {
			rule := make([]string, len(columns))
			for c := range columns {
				rule[c] = strings.Repeat("─", columns[c])
			}
			lines = append(lines, d.styled(markStyle, strings.Join(rule, "─┼─")))
		}
	}
	return lines
}

// tableColumnWidths returns how wide the columns are, the widest of which shrink until all
// fit; nil if they cannot.
func tableColumnWidths(rows [][]string, width int) []int {
	if len(rows) == 0 || len(rows[0]) == 0 {
		return nil
	}
	columns := make([]int, len(rows[0]))
	for _, row := range rows {
		for c, cell := range row[:min(len(row), len(columns))] {
			columns[c] = min(max(columns[c], lipgloss.Width(cell), 1), width)
		}
	}
	const between = 3 // " │ "
	for {
		sum, widest := between*(len(columns)-1), 0
		for c, w := range columns {
			sum += w
			if w > columns[widest] {
				widest = c
			}
		}
		if sum <= width {
			return columns
		}
		if columns[widest] <= minColumn {
			return nil
		}
		columns[widest]--
	}
}

// tableRow renders the cells of a row side by side.
func (d *document) tableRow(cells []string, columns []int, alignments []tables.Alignment, header bool) []string {
	wrapped, height := make([][]string, len(columns)), 1
	for c := range columns {
		if c < len(cells) {
			wrapped[c] = wrap(cells[c], columns[c])
		}
		height = max(height, len(wrapped[c]))
	}
	lines := make([]string, height)
	for i := range lines {
		parts := make([]string, len(columns))
		for c, width := range columns {
			if i < len(wrapped[c]) {
				parts[c] = wrapped[c][i]
			}
			left, right := tablePadding(width-ansi.StringWidth(parts[c]), alignments, c)
			if header {
				parts[c] = d.styled(headerStyle, parts[c])
			}
			parts[c] = left + parts[c] + right
		}
		lines[i] = strings.TrimRight(strings.Join(parts, d.styled(markStyle, " │ ")), " ")
	}
	return lines
}

// tablePadding divides the free columns of a cell.
func tablePadding(free int, alignments []tables.Alignment, column int) (left, right string) {
	free = max(free, 0)
	before := 0
	if column < len(alignments) {
		switch alignments[column] {
		case tables.AlignRight:
			before = free
		case tables.AlignCenter:
			before = free / 2
		}
	}
	return strings.Repeat(" ", before), strings.Repeat(" ", free-before)
}

// tableRecords renders the rows below each other, each cell after the name of its
// column.
func (d *document) tableRecords(rows [][]string, width int) (lines []string) {
	if len(rows) == 0 {
		return nil
	}
	for i, row := range rows[1:] {
		if i > 0 {
			lines = append(lines, "")
		}
		for c, cell := range row {
			if c < len(rows[0]) && rows[0][c] != "" {
				cell = rows[0][c] + ": " + cell
			}
			lines = append(lines, wrap(cell, width)...)
		}
	}
	if len(rows) == 1 {
		return wrap(strings.Join(rows[0], ", "), width)
	}
	return lines
}
