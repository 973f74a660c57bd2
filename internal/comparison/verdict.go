package comparison

import (
	"fmt"
	"math"
	"strings"

	"github.com/gram-lang/gramc/internal/stats"
	"github.com/gram-lang/gramc/internal/visible"
)

// verdict is the first line of a report.
func (r *Report) verdict() string {
	d := r.Success.Between
	switch {
	case r.Cases == 0:
		return "nothing can be said: no case ran with both arms"
	case d.Shown && d.Estimate > 0:
		return fmt.Sprintf("B solves %s more (%s)", points(d.Estimate), d.interval(1))
	case d.Shown:
		return fmt.Sprintf("A solves %s more (%s)", points(-d.Estimate), d.interval(-1))
	}
	text := "no difference shown"
	if t := r.Threshold; t != nil {
		cases := visible.Counted(r.Cases, "case")
		if d.Units < r.Cases {
			cases = visible.Counted(d.Units, "group") + " of cases"
		}
		text += fmt.Sprintf("; with %s one of %s would have been seen %.0f %% of the time", cases, points(t.Difference), 100*t.Power)
	}
	return text
}

// points returns a share as points of a hundred: "1 point", "12 points".
func points(share float64) string {
	text := fmt.Sprintf("%.3g", math.Round(1000*share)/10)
	if text == "1" {
		return "1 point"
	}
	return text + " points"
}

// interval returns the interval of a share, in points, as "95 %: 4 to 20".
func (d *Difference) interval(sign float64) string {
	if d.Low == nil || d.High == nil {
		return "too few cases for an interval"
	}
	low, high := sign*100**d.Low, sign*100**d.High
	if sign < 0 {
		low, high = high, low
	}
	return strings.ReplaceAll(fmt.Sprintf("%s: %.3g to %.3g", level(d.Level), round(low), round(high)), "-", "−")
}

// interval returns the interval of a share, as "16.1 to 42.8 %".
func (s *Summary) interval() string {
	return fmt.Sprintf("%.3g to %.3g %%", round(100**s.Low), round(100**s.High))
}

func level(l float64) string { return fmt.Sprintf("%.3g %%", 100*l) }

func round(v float64) float64 { return math.Round(10*v)/10 + 0 }

// Text returns the report for people: the verdict, the table, and the cases that
// flipped.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", r.Verdict)
	fmt.Fprintf(&b, "A  %s\nB  %s\n%s, %s\n", visible.Line(r.Plan.A), visible.Line(r.Plan.B), visible.Counted(r.Cases, "case"), visible.Counted(r.Runs, "run"))
	if r.Left > 0 {
		fmt.Fprintf(&b, "%s ran with one arm only and %s left out\n", visible.Counted(r.Left, "case"), isOrAre(r.Left))
	}
	for _, name := range r.Broken {
		fmt.Fprintf(&b, "B breaks %s, which must hold\n", visible.Line(name))
	}
	if r.Cases == 0 {
		return b.String()
	}
	rows := [][]string{{"", "A", "B", "B − A", "", ""}}
	for _, m := range append([]Measure{r.Success}, r.Measures...) {
		rows = append(rows, m.row())
	}
	b.WriteString("\n" + aligned(rows))
	fmt.Fprintf(&b, "\nsuccess: %s over %s\n", r.Success.Between.Method, visible.Counted(r.Success.Between.Units, "independent case"))
	fmt.Fprintf(&b, "each version alone (%s, Wilson): A %s, B %s\n", level(r.Level), r.Success.A.interval(), r.Success.B.interval())
	if len(r.Measures) > 0 {
		fmt.Fprintf(&b, "the others: medians of the cases, %s, adjusted by Holm\n", r.Measures[0].Between.Method)
	}
	r.writeFlipped(&b)
	return b.String()
}

// mostFlipped is how many cases that flipped the text shows of each kind.
const mostFlipped = 20

func (r *Report) writeFlipped(b *strings.Builder) {
	for _, side := range []struct {
		title string
		is    func(*Flip) bool
	}{{"Only A solves, or more often", func(f *Flip) bool { return f.A > f.B }}, {"Only B solves, or more often", func(f *Flip) bool { return f.B > f.A }}} {
		n := 0
		for i := range r.Flipped {
			f := &r.Flipped[i]
			if !side.is(f) {
				continue
			}
			if n++; n == 1 {
				fmt.Fprintf(b, "\n%s\n", side.title)
			}
			if n <= mostFlipped {
				fmt.Fprintf(b, "  %s  A %s, B %s: %s\n", visible.Line(f.Case), percent(f.A), percent(f.B), visible.Line(f.Failure))
				if f.TraceA != "" && f.TraceB != "" {
					fmt.Fprintf(b, "    traces: %s %s\n", visible.Line(f.TraceA), visible.Line(f.TraceB))
				}
			}
		}
		if n > mostFlipped {
			fmt.Fprintf(b, "  and %s; --json and --html have all\n", visible.Counted(n-mostFlipped, "more case"))
		}
	}
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func percent(share float64) string { return fmt.Sprintf("%.3g %%", 100*share) }

// row returns a measure as the cells of a table.
func (m *Measure) row() []string {
	d := m.Between
	mark := ""
	if d.Shown {
		mark = "shown"
	}
	if m.Name == "success" {
		return []string{m.Name, percent(m.A.Value), percent(m.B.Value), signed(100*d.Estimate, "") + " points", d.interval(1), mark}
	}
	interval := "too few cases for an interval"
	if d.Low != nil && d.High != nil {
		interval = fmt.Sprintf("%s: %s to %s", level(d.Level), signed(*d.Low, m.Unit), signed(*d.High, m.Unit))
	}
	return []string{m.Name, amount(m.A.Value, m.Unit), amount(m.B.Value, m.Unit), signed(d.Estimate, m.Unit), interval, mark}
}

// amount returns a value with its unit, to three digits.
func amount(v float64, unit string) string {
	switch {
	case unit == "$":
		return "$" + digits(v)
	case unit == "":
		return digits(v)
	case unit == "s" && v < 0.9995:
		return digits(1000*v) + " ms"
	}
	return digits(v) + " " + unit
}

// digits returns a value with at least three digits.
func digits(v float64) string {
	if math.Abs(v) >= 999.5 {
		return visible.Number(int64(math.Round(v)))
	}
	return fmt.Sprintf("%.3g", v)
}

func signed(v float64, unit string) string {
	switch {
	case v < 0:
		return "−" + amount(-v, unit)
	case v > 0:
		return "+" + amount(v, unit)
	}
	return amount(0, unit)
}

// aligned returns rows as columns: the first to the left, numbers to the right.
func aligned(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			gap := strings.Repeat(" ", widths[i]-len([]rune(cell)))
			if i == 0 || i > 3 {
				line.WriteString(cell + gap)
			} else {
				line.WriteString(gap + cell)
			}
			line.WriteString("  ")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

// Cases says how many cases it takes to show differences of several sizes, four times
// of five.
func Cases() string {
	rows := [][]string{{"to show", "cases", "", ""}}
	for _, delta := range []float64{0.3, 0.2, 0.15, 0.1, 0.05} {
		n, ok := stats.CasesFor(delta, usualChance, 0.8, Alpha, 20_000)
		text := visible.Number(int64(n))
		if !ok {
			text = "over " + text
		}
		rows = append(rows, []string{points(delta), text, "", ""})
	}
	return aligned(rows)
}

// Power returns how likely n cases show a difference of 20 points.
func Power(n int) float64 { return stats.Power(n, usualDifference, usualChance, Alpha) }
