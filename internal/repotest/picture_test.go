package repotest

import (
	"cmp"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gram-lang/gramc/internal/golden"
)

// TestPackagesImportWhatThePictureShows compares docs/architecture.svg with the
// picture of what our packages import. With -update it is drawn again.
func TestPackagesImportWhatThePictureShows(t *testing.T) {
	golden.CompareFile(t, "docs/architecture.svg", []byte(draw(graph(packages(t)))))
}

// TestThePictureLeavesOutWhatFollows draws a graph whose shortcut is left out.
func TestThePictureLeavesOutWhatFollows(t *testing.T) {
	picture := draw(map[string][]string{"cmd/a": {"b", "c"}, "b": {"c"}, "c": nil})
	if boxes, arrows := strings.Count(picture, "<rect class"), strings.Count(picture, `<path class="end"`); boxes != 3 || arrows != 2 {
		t.Errorf("%d boxes and %d arrows:\n%s", boxes, arrows, picture)
	}
}

// graph returns the packages of the picture with those that they import of
// ours: the commands, and what other packages import.
func graph(all map[string][]string) map[string][]string {
	ours, imported := map[string][]string{}, map[string]bool{}
	for name, imports := range all {
		for _, path := range imports {
			if path == module {
				path += "/."
			}
			if local, ok := strings.CutPrefix(path, module+"/"); ok {
				ours[name] = append(ours[name], local)
				imported[local] = true
			}
		}
	}
	shown := map[string][]string{}
	for name := range all {
		if imported[name] || strings.HasPrefix(name, "cmd/") || name == "." && len(ours[name]) > 0 {
			shown[name] = ours[name]
		}
	}
	return shown
}

// A spot is a package in the picture, or a bend of a long arrow, which has no
// name. Its row is how many steps it is above the packages that import nothing.
type spot struct {
	name  string
	row   int
	below []*spot
	above []*spot
	x     float64 // of the middle
	width float64
}

// The sizes of the picture, in pixels.
const (
	rowHeight = 84
	boxHeight = 26
	between   = 14
	bendWidth = 6
	margin    = 16
)

// draw returns an SVG picture of packages and what they import: each above those
// that it imports. An arrow is left out where others lead to the same package.
func draw(imports map[string][]string) string {
	spots := spotsOf(imports)
	rows := rowsOf(spots)
	for i := range 40 {
		sortRows(rows, i%2 == 0)
	}
	for i := range 40 {
		alignRows(rows, i%2 == 0)
	}
	return picture(rows)
}

// spotsOf returns a spot for each package, linked with those that it imports
// unless others of them import them too.
func spotsOf(imports map[string][]string) map[string]*spot {
	spots := map[string]*spot{}
	reached := map[string]map[string]bool{}
	var visit func(name string) *spot
	visit = func(name string) *spot {
		if s := spots[name]; s != nil {
			return s
		}
		s := &spot{name: name, width: float64(7*len(label(name)) + 16)}
		spots[name], reached[name] = s, map[string]bool{}
		indirect := map[string]bool{}
		for _, local := range imports[name] {
			s.row = max(s.row, visit(local).row+1)
			maps.Copy(indirect, reached[local])
		}
		for _, local := range imports[name] {
			reached[name][local] = true
			if !indirect[local] {
				link(s, spots[local])
			}
		}
		maps.Copy(reached[name], indirect)
		return s
	}
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		visit(name)
	}
	return spots
}

func link(upper, lower *spot) {
	upper.below, lower.above = append(upper.below, lower), append(lower.above, upper)
}

// rowsOf returns the rows, the lowest first, with a bend in each row that an
// arrow passes.
func rowsOf(spots map[string]*spot) [][]*spot {
	var rows [][]*spot
	for _, name := range slices.Sorted(maps.Keys(spots)) {
		s := spots[name]
		for len(rows) <= s.row {
			rows = append(rows, nil)
		}
		rows[s.row] = append(rows[s.row], s)
	}
	for row := len(rows) - 1; row > 0; row-- {
		for _, s := range rows[row] {
			for i, lower := range s.below {
				if lower.row == row-1 {
					continue
				}
				bend := &spot{row: row - 1, width: bendWidth, above: []*spot{s}, below: []*spot{lower}}
				s.below[i] = bend
				lower.above[slices.Index(lower.above, s)] = bend
				rows[row-1] = append(rows[row-1], bend)
			}
		}
	}
	for _, row := range rows {
		spread(row, func(*spot) float64 { return 0 })
	}
	return rows
}

// neighbours returns the spots that a sweep upwards or downwards has seen.
func (s *spot) neighbours(upwards bool) []*spot {
	if upwards {
		return s.below
	}
	return s.above
}

// middle returns the mean place of the neighbours, the own one where there are none.
func (s *spot) middle(neighbours []*spot) float64 {
	if len(neighbours) == 0 {
		return s.x
	}
	sum := 0.0
	for _, n := range neighbours {
		sum += n.x
	}
	return sum / float64(len(neighbours))
}

// sortRows sorts each row by where the neighbours are, so that few arrows cross.
func sortRows(rows [][]*spot, upwards bool) {
	for i := range rows {
		row := rows[i]
		if !upwards {
			row = rows[len(rows)-1-i]
		}
		slices.SortStableFunc(row, func(a, b *spot) int {
			return cmp.Compare(a.middle(a.neighbours(upwards)), b.middle(b.neighbours(upwards)))
		})
		spread(row, func(*spot) float64 { return 0 })
	}
}

// alignRows moves the spots of each row, in their order, to where their neighbours are.
func alignRows(rows [][]*spot, upwards bool) {
	for i := range rows {
		row := rows[i]
		if !upwards {
			row = rows[len(rows)-1-i]
		}
		spread(row, func(s *spot) float64 { return s.middle(slices.Concat(s.above, s.below)) })
	}
}

// spread places the spots of a row, in their order and without overlaps, as near
// as possible to where they want to be: spots that push each other share a block.
func spread(row []*spot, wanted func(*spot) float64) {
	type block struct{ sum, count float64 }
	var blocks []block
	offsets := make([]float64, len(row))
	at := 0.0
	for i, s := range row {
		if i > 0 {
			at += (row[i-1].width+s.width)/2 + between
		}
		offsets[i] = at
		blocks = append(blocks, block{wanted(s) - at, 1})
		for n := len(blocks) - 1; n > 0 && blocks[n-1].sum*blocks[n].count > blocks[n].sum*blocks[n-1].count; n-- {
			blocks[n-1] = block{blocks[n-1].sum + blocks[n].sum, blocks[n-1].count + blocks[n].count}
			blocks = blocks[:n]
		}
	}
	i := 0
	for _, b := range blocks {
		for range int(b.count) {
			row[i].x = offsets[i] + b.sum/b.count
			i++
		}
	}
}

// label returns the name of a package as the picture has it.
func label(name string) string {
	if name == "." {
		return "gramc"
	}
	return strings.TrimPrefix(name, "internal/")
}

// kind returns the class of a box, which has its colour.
func kind(name string) string {
	switch {
	case strings.HasPrefix(name, "cmd/"):
		return "command"
	case strings.HasPrefix(name, "internal/"):
		return "internal"
	}
	return "public"
}

// picture returns the rows as SVG.
func picture(rows [][]*spot) string {
	left, right := 0.0, 0.0
	for _, row := range rows {
		left = min(left, row[0].x-row[0].width/2)
		right = max(right, row[len(row)-1].x+row[len(row)-1].width/2)
	}
	shift := margin - left
	width, height := right-left+2*margin, float64((len(rows)-1)*rowHeight+boxHeight+2*margin)
	top := func(s *spot) float64 { return float64(margin + (len(rows)-1-s.row)*rowHeight) }
	var arrows, boxes strings.Builder
	for _, row := range slices.Backward(rows) {
		for _, s := range row {
			x := s.x + shift
			if s.name == "" {
				fmt.Fprintf(&arrows, "<path d=\"M%.0f %.0fV%.0f\"/>\n", x, top(s), top(s)+boxHeight)
			} else {
				fmt.Fprintf(&boxes, "<rect class=\"%s\" x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%d\" rx=\"5\"/><text x=\"%.0f\" y=\"%.0f\">%s</text>\n",
					kind(s.name), x-s.width/2, top(s), s.width, boxHeight, x, top(s)+17, html.EscapeString(label(s.name)))
			}
			slices.SortStableFunc(s.below, func(a, b *spot) int { return cmp.Compare(a.x, b.x) })
			for i, lower := range s.below {
				from, to := x, lower.x+shift
				if s.name != "" {
					from += (float64(i) - float64(len(s.below)-1)/2) * min(8, (s.width-20)/float64(len(s.below)))
				}
				begin, end, class := top(s)+boxHeight, top(lower), ""
				if lower.name != "" {
					end, class = end-4, ` class="end"`
				}
				fmt.Fprintf(&arrows, "<path%s d=\"M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f\"/>\n",
					class, from, begin, from, begin+22, to, end-24, to, end)
			}
		}
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0[1]f %.0[2]f" width="%.0[1]f" height="%.0[2]f">
<title>What the packages of gramc import</title>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
<style>
text{font:12px monospace;text-anchor:middle;fill:#111}
path{fill:none;stroke:#999}
path.end{marker-end:url(#arrow)}
marker path{fill:#777;stroke:none}
rect{stroke:#555}
.command{fill:#ffd98a}
.public{fill:#bfe0ff}
.internal{fill:#eee}
</style>
<rect width="100%%" height="100%%" style="fill:#fff;stroke:none"/>
%[3]s%[4]s</svg>
`, width, height, arrows.String(), boxes.String())
}
