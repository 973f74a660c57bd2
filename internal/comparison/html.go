package comparison

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/gram-lang/gramc/internal/page"
)

// On a narrow screen, what has many rows keeps a width at which it can be read, and scrolls.
const pageStyle = `svg{max-width:48rem;display:block}th,td.t{white-space:nowrap}.name{min-width:7rem}@media(max-width:40rem){.wide table,.wide svg{width:44rem}.plot text{font-size:18px}}`

// HTML returns the report as a page that needs nothing else. Its links to traces start
// at the folder in which it will be.
func (r *Report) HTML(folder string) string {
	w := &page.Writer{}
	w.Markup("<h1>%s</h1>\n<p><b class=a>A</b> %s<br><b class=b>B</b> %s</p>\n", r.Verdict, r.Plan.A, r.Plan.B)
	w.Markup("<p class=soft>%d cases, %d runs. A difference is B − A; an interval that excludes 0 is shown.</p>\n", r.Cases, r.Runs)
	for _, name := range r.Broken {
		w.Markup("<p class=bad>B breaks %s, which must hold.</p>\n", name)
	}
	if r.Cases > 0 {
		r.writeTable(w)
		r.writeIntervals(w)
		r.writeDots(w)
		if i := slices.IndexFunc(r.Measures, func(m Measure) bool { return m.Name == "time" }); i >= 0 {
			writeCurves(w, &r.Measures[i])
		}
		r.writeFlips(w, folder)
		r.writeCases(w)
	}
	return w.Page("A/B: "+r.Verdict, pageStyle)
}

func (r *Report) all() []Measure { return append([]Measure{r.Success}, r.Measures...) }

func (r *Report) writeTable(w *page.Writer) {
	w.Markup("<h2>What the arms have</h2>\n<div class=wide><table><tr><th><th class=n>A<th class=n>B<th class=n>B − A<th>interval<th>p<th>method</tr>\n")
	for _, m := range r.all() {
		cells := m.row()
		mark, p := "", ""
		if m.Between.Shown {
			mark = "<b>"
		}
		if m.Between.P != nil {
			p = fmt.Sprintf("%.3g", *m.Between.P)
		}
		w.Markup("<tr><th>%s<td class=n>%s<td class=n>%s<td class=n>"+mark+"%s<td class=t>%s<td class=t>%s<td class=t>%s</tr>\n",
			cells[0], cells[1], cells[2], cells[3], cells[4], p, m.Between.Method)
	}
	w.Markup("</table></div>\n<p class=soft>The success of each version alone (%s, Wilson): A %s, B %s.</p>\n", level(r.Level), r.Success.A.interval(), r.Success.B.interval())
}

// A plot maps values to the width of a picture of 640 units.
type plot struct{ low, high float64 }

const left, right = 110, 620 // where the values begin and end

func (p plot) x(v float64) float64 {
	if p.high <= p.low {
		return left
	}
	return left + (right-left)*(min(max(v, p.low), p.high)-p.low)/(p.high-p.low)
}

// writeIntervals draws the interval of each measure relative to what A has.
func (r *Report) writeIntervals(w *page.Writer) {
	const limit = 1.5
	p := plot{-limit, limit}
	height := 34*len(r.all()) + 40
	w.Markup("<h2>Intervals</h2>\n<p class=soft>Success in points of 100; the others as a share of what A has.</p>\n")
	w.Markup("<div class=plot><svg viewBox='0 0 640 %d' role=img aria-label='Intervals of the differences'>\n", height)
	for _, tick := range []float64{-1, -0.5, 0, 0.5, 1} {
		w.Markup("<line class=axis x1=%.1f y1=10 x2=%.1f y2=%d /><text x=%.1f y=%d text-anchor=middle>%s</text>\n", p.x(tick), p.x(tick), height-28, p.x(tick), height-10, signed(100*tick, "%"))
	}
	for i, m := range r.all() {
		y, scale := 28+34*i, 1.0
		if m.Name != "success" {
			scale = math.Abs(m.A.Value)
		}
		w.Markup("<text x=0 y=%d>%s</text>\n", y+4, m.Name)
		if scale == 0 {
			continue
		}
		low, high := -limit, limit
		if m.Between.Low != nil && m.Between.High != nil {
			low, high = *m.Between.Low/scale, *m.Between.High/scale
		}
		w.Markup("<line class=b stroke-width=3 x1=%.1f y1=%d x2=%.1f y2=%d /><circle class=b cx=%.1f cy=%d r=5 />\n", p.x(low), y, p.x(high), y, p.x(m.Between.Estimate/scale), y)
	}
	w.Markup("</svg></div>\n")
}

// mostDrawn is how many cases the page draws and lists.
const mostDrawn = 400

// writeDots draws how often each arm solves each case.
func (r *Report) writeDots(w *page.Writer) {
	dots := slices.Clone(r.Dots)
	slices.SortStableFunc(dots, func(x, y Dot) int {
		switch a, b := x.B-x.A, y.B-y.A; {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
	dots = dots[:min(len(dots), mostDrawn)]
	p := plot{0, 1}
	height := 12*len(dots) + 40
	w.Markup("<h2>Each case: the share of its runs that succeed</h2>\n<div class=wide><svg viewBox='0 0 640 %d' role=img aria-label='Success of each case with A and B'>\n", height)
	for _, tick := range []float64{0, 0.5, 1} {
		w.Markup("<line class=axis x1=%.1f y1=6 x2=%.1f y2=%d /><text x=%.1f y=%d text-anchor=middle>%.0f %%</text>\n", p.x(tick), p.x(tick), height-28, p.x(tick), height-10, 100*tick)
	}
	for i, d := range dots {
		y := 12 + 12*i
		w.Markup("<g><title>%s</title><line class=axis stroke-width=2 x1=%.1f y1=%d x2=%.1f y2=%d />", d.Case, p.x(d.A), y, p.x(d.B), y)
		w.Markup("<circle class=a cx=%.1f cy=%d r=4 /><circle class=b cx=%.1f cy=%d r=2.5 /><text x=0 y=%d font-size=9>%s</text></g>\n", p.x(d.A), y, p.x(d.B), y, y+3, clip(d.Case))
	}
	w.Markup("</svg></div>\n")
}

// clip returns a name that fits beside a plot.
func clip(name string) string {
	if r := []rune(name); len(r) > 20 {
		return string(r[:19]) + "…"
	}
	return name
}

// writeCurves draws the share of the cases that were done after so many seconds.
func writeCurves(w *page.Writer, m *Measure) {
	top := max(slices.Max(m.values[0]), slices.Max(m.values[1]))
	p := plot{0, top}
	w.Markup("<h2>Time: the share of the cases that are done</h2>\n<div class=plot><svg viewBox='0 0 640 230' role=img aria-label='Times of both arms'>\n")
	for i := range 5 {
		at, share := top*float64(i)/4, float64(i)/4
		w.Markup("<text x=%.1f y=222 text-anchor=middle>%s</text><line class=axis x1=%d y1=%.1f x2=%d y2=%.1f /><text x=60 y=%.1f>%.0f %%</text>\n",
			p.x(at), amount(at, m.Unit), left, 200-180*share, right, 200-180*share, 204-180*share, 100*share)
	}
	for arm, class := range []string{"a", "b"} {
		values := slices.Sorted(slices.Values(m.values[arm]))
		w.Markup("<path class='curve %s' d='M%d 200", class, left)
		for i, v := range values {
			w.Markup(" H%.1f V%.1f", p.x(v), 200-180*float64(i+1)/float64(len(values)))
		}
		w.Markup(" H%d' />\n", right)
	}
	w.Markup("</svg></div>\n<p class=soft><b class=a>A</b> median %s, <b class=b>B</b> median %s</p>\n", amount(m.A.Value, m.Unit), amount(m.B.Value, m.Unit))
}

func (r *Report) writeFlips(w *page.Writer, folder string) {
	if len(r.Flipped) == 0 {
		return
	}
	w.Markup("<h2>Cases that flipped</h2>\n<div class=wide><table><tr><th>case<th class=n>A<th class=n>B<th>what does not hold<th>traces</tr>\n")
	for i := range r.Flipped {
		f := &r.Flipped[i]
		w.Markup("<tr><td class=name>%s<td class=n>%s<td class=n>%s<td>%s<td>", f.Case, percent(f.A), percent(f.B), f.Failure)
		writeTraceLink(w, folder, cmp.Or(f.PageA, f.TraceA), "A")
		w.Text(" ")
		writeTraceLink(w, folder, cmp.Or(f.PageB, f.TraceB), "B")
		w.Markup("</tr>\n")
	}
	w.Markup("</table></div>\n")
}

// writeTraceLink writes a link to the trace of a run, nothing if there is none.
func writeTraceLink(w *page.Writer, folder, trace, text string) {
	if trace == "" {
		return
	}
	address, err := addressFrom(folder, trace)
	if err != nil {
		w.Text(text)
		return
	}
	w.Link(address, text)
}

// addressFrom returns the address of a file for a page in a folder.
func addressFrom(folder, file string) (string, error) {
	from, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(filepath.FromSlash(file))
	if err != nil {
		return "", err
	}
	to, err = filepath.Rel(from, to)
	return (&url.URL{Path: filepath.ToSlash(to)}).String(), err
}

func (r *Report) writeCases(w *page.Writer) {
	w.Markup("<h2>All cases</h2>\n<div class=wide><table><tr><th>case<th class=n>A<th class=n>B<th class=n>A, time<th class=n>B, time</tr>\n")
	for _, d := range r.Dots[:min(len(r.Dots), mostDrawn)] {
		w.Markup("<tr><td class=name>%s<td class=n>%s<td class=n>%s<td class=n>%s<td class=n>%s</tr>\n", d.Case, percent(d.A), percent(d.B), amount(d.SecondsA, "s"), amount(d.SecondsB, "s"))
	}
	w.Markup("</table></div>\n")
	if n := len(r.Dots) - mostDrawn; n > 0 {
		w.Markup("<p class=soft>%d more cases are in the JSON report.</p>\n", n)
	}
}
