package trace

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/internal/page"
	"github.com/gram-lang/gramc/internal/visible"
)

// Limits on what the page shows; the file has the rest.
const (
	pageRuns  = 500
	pageSteps = 5000 // requests, notes and calls of all runs
	pageBars  = 300  // of one timeline
)

const pageStyle = `section{margin-top:2.5rem;border-top:1px solid var(--line)}details{margin:.6rem 0}summary{cursor:pointer}
.said{border-left:3px solid var(--a)}.answer{border-left:3px solid var(--b)}td pre{margin:0;max-height:24rem;overflow:auto}
.calls{table-layout:fixed}.calls th:first-child{width:20%}.calls th:last-child{width:16%}
aside section,main section:first-child{border:0;margin-top:0}h3{font-size:1rem;margin:1.2rem 0 .3rem}aside details:target>summary{outline:2px solid var(--b);outline-offset:3px}
.source{counter-reset:line;white-space:pre;overflow-x:auto}.source span{display:block;counter-increment:line}.source span::before{content:counter(line);display:inline-block;width:3ch;margin-right:2ch;text-align:right;color:var(--soft);user-select:none}
@media(min-width:75rem){body:has(aside){max-width:120rem}.beside:has(aside){display:grid;grid-template-columns:minmax(0,1fr) minmax(0,40%);gap:2.5rem}aside{position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow:auto}}
svg .request{fill:var(--b)}svg .call{fill:var(--a)}svg .wait{fill:none;stroke:var(--a);stroke-dasharray:3 2}svg .first{stroke:var(--paper);stroke-width:2}
@media(max-width:40rem){.calls,.calls tbody,.calls tr,.calls td{display:block;width:100%}.calls tr:first-child{display:none}.calls td{border:0;padding:.2rem 0}.calls td:first-child{font-weight:600}.calls td:last-child{padding-bottom:1rem}.wide svg{min-width:50rem}}`

// HTML returns the trace as a page that needs nothing else.
func (t *Trace) HTML() string {
	w := &page.Writer{}
	title := "Trace"
	if m := t.runs[0].message; m != nil {
		title = "Trace of " + m.Agent
	}
	sum := t.total()
	w.Markup("<h1>%s</h1>\n<p>%s</p>\n", title, joined(sum.facts()))
	for _, note := range t.notes() {
		w.Markup("<p class=bad>%s.</p>\n", note)
	}
	w.Markup("<div class=beside><main>\n")
	left := pageSteps
	for i, r := range t.runs {
		size := len(r.steps) + sumCalls(r)
		if i == pageRuns || size > left {
			w.Markup("<p class=bad>The page ends here: %s more are in the file.</p>\n", visible.Counted(len(t.runs)-i, "turn"))
			break
		}
		left -= size
		t.writeRun(w, i)
	}
	w.Markup("</main>\n")
	if len(t.agents) > 0 {
		t.writeAgents(w)
	}
	w.Markup("</div>\n")
	return w.Page(title, pageStyle)
}

func sumCalls(r *run) int {
	sum := r.total()
	return sum.calls
}

func (t *Trace) writeRun(w *page.Writer, i int) {
	r := t.runs[i]
	w.Markup("<section>\n<h2>Turn %d</h2>\n", i+1)
	sum := r.total()
	if m := r.message; m != nil {
		facts := []string{m.Agent, m.Model}
		if !m.Time.IsZero() {
			facts = append(facts, m.Time.UTC().Format("2006-01-02 15:04:05 UTC"))
		}
		w.Markup("<p class=soft>%s<br>%s</p>\n<pre class=said>%s</pre>\n", joined(facts), joined(sum.facts()), m.Content)
		if len(m.Attached) > 0 {
			w.Markup("<p class=soft>attached: %s</p>\n", strings.Join(m.Attached, ", "))
		}
		if m.Instruction != "" || len(m.Tools) > 0 {
			w.Markup("<details><summary>Instruction and tools</summary><pre>%s</pre><p class=soft>%s</p></details>\n", m.Instruction, joined(m.Tools))
		}
	}
	r.writeTimeline(w)
	answer := ""
	if r.end != nil && r.end.Event == eventAnswer {
		answer = r.end.Content
	}
	for _, s := range r.steps {
		if s.request != nil {
			t.writeRequest(w, r.agent, s.request, answer)
		} else {
			s.note.writeNote(w)
		}
	}
	switch {
	case r.end == nil:
		w.Markup("<p class=bad>The run has not ended.</p>\n")
	case r.end.Event == eventStopped:
		w.Markup("<pre class=bad>%s</pre>\n", r.end.Error.text())
	default:
		w.Markup("<pre class=answer>%s</pre>\n", answer)
	}
	w.Markup("</section>\n")
}

func (t *Trace) writeRequest(w *page.Writer, agent int, r *request, answer string) {
	w.Markup("<details open><summary>Request %d <span class=soft>%s</span></summary>\n", r.asked.Turn, joined(r.facts()))
	for _, l := range r.fallbacks {
		l.writeNote(w)
	}
	if a := r.answered; a != nil {
		if strings.TrimSpace(a.Content) != "" && a.Content != answer {
			w.Markup("<pre>%s</pre>\n", a.Content)
		}
		if a.Refusal != "" {
			w.Markup("<pre class=bad>%s</pre>\n", a.Refusal)
		}
	}
	if len(r.calls) > 0 {
		w.Markup("<table class=calls><tr><th>call<th>arguments<th>result<th>time</tr>\n")
		for _, c := range r.calls {
			text, failed := c.outcome()
			class := ""
			if failed {
				class = "bad"
			}
			w.Markup("<tr><td>")
			t.linkTool(w, agent, c.started.Tool)
			w.Markup(`<td><pre>%s</pre><td><pre class="%s">%s</pre><td>%s</tr>`+"\n", indented(c.args()), class, indented(text), joined(c.facts()))
		}
		w.Markup("</table>\n")
	}
	w.Markup("</details>\n")
}

func (l *line) writeNote(w *page.Writer) {
	w.Markup("<p class=a>%s</p>\n", joined(append([]string{l.noteText()}, l.spentFacts()...)))
	if l.Event == eventCompacted {
		w.Markup("<details><summary>Summary</summary><pre>%s</pre></details>\n", l.Content)
	}
}

// indented returns long JSON on several lines, and other text as it is.
func indented(text string) string {
	if len(text) <= maxJSONLine || !json.Valid([]byte(text)) {
		return text
	}
	return strings.TrimSpace(string(compile.Indent([]byte(text))))
}

// maxJSONLine is how many characters of JSON stay on their line.
const maxJSONLine = 60

// A bar is what took time in a run.
type bar struct {
	name, class string
	from, to    time.Duration // since the start of the run
	first       time.Duration // when a response began; 0 if that is unknown
}

func (r *run) bars() (bars []bar) {
	since := func(l *line) time.Duration { return between(r.message, l) }
	for _, s := range r.steps {
		q := s.request
		if q == nil {
			continue
		}
		if q.answered != nil {
			b := bar{fmt.Sprintf("request %d", q.asked.Turn), "request", since(q.asked), since(q.answered), 0}
			if ms := q.answered.FirstToken; ms > 0 {
				b.first = min(b.from+duration(ms), b.to)
			}
			bars = append(bars, b)
		}
		for _, c := range q.calls {
			if c.finished == nil {
				continue
			}
			start := since(c.started)
			if a := c.approval; a != nil {
				bars = append(bars, bar{"approval", "wait", start, since(a), 0})
				start = since(a)
				if c.finished.Millis <= 0 {
					continue // it was not run
				}
			}
			end := since(c.finished)
			if c.finished.Millis > 0 {
				end = min(start+duration(c.finished.Millis), end)
			}
			bars = append(bars, bar{c.started.Tool, "call", start, end, 0})
		}
	}
	return bars
}

// Where the bars of a timeline are, in units of the picture.
const (
	timeLeft, timeRight = 150, 840
	barHeight           = 20
)

// writeTimeline draws when requests and calls ran.
func (r *run) writeTimeline(w *page.Writer) {
	bars := r.bars()
	whole := between(r.message, r.last())
	if len(bars) == 0 || whole <= 0 {
		return
	}
	more := len(bars) - pageBars
	bars = bars[:min(len(bars), pageBars)]
	x := func(at time.Duration) float64 {
		return timeLeft + (timeRight-timeLeft)*min(float64(at)/float64(whole), 1)
	}
	bottom := barHeight*len(bars) + 8
	w.Markup("<div class=wide><svg viewBox='0 0 900 %d' role=img aria-label='Timeline of requests and calls'>\n", bottom+22)
	for i := range 5 {
		at := whole * time.Duration(i) / 4
		w.Markup("<line class=axis x1=%.1f y1=4 x2=%.1f y2=%d /><text x=%.1f y=%d text-anchor=middle>%s</text>\n", x(at), x(at), bottom, x(at), bottom+16, visible.Duration(at))
	}
	for i, b := range bars {
		y := barHeight*i + 8
		width := max(x(b.to)-x(b.from), 2)
		took := visible.Duration(b.to - b.from)
		w.Markup("<g><title>%s: %s</title><text x=0 y=%d>%s</text><rect class=%s x=%.1f y=%d width=%.1f height=12 rx=2 />", b.name, took, y+10, clip(b.name), b.class, x(b.from), y, width)
		if b.first > 0 {
			w.Markup("<line class=first x1=%.1f y1=%d x2=%.1f y2=%d />", x(b.first), y, x(b.first), y+12)
		}
		w.Markup("</g>\n")
	}
	w.Markup("</svg></div>\n")
	writeLegend(w, bars)
	if more > 0 {
		w.Markup("<p class=soft>%s more are not drawn.</p>\n", visible.Counted(more, "bar"))
	}
}

// writeLegend says what the bars are.
func writeLegend(w *page.Writer, bars []bar) {
	w.Markup("<p class=soft><b class=b>■</b> request")
	if slices.ContainsFunc(bars, func(b bar) bool { return b.first > 0 }) {
		w.Markup(", cut where its first token came")
	}
	if slices.ContainsFunc(bars, func(b bar) bool { return b.class == "call" }) {
		w.Markup("; <b class=a>■</b> call")
	}
	if slices.ContainsFunc(bars, func(b bar) bool { return b.class == "wait" }) {
		w.Markup("; <b class=a>□</b> wait for the user")
	}
	w.Markup("</p>\n")
}

// clip returns a name that fits beside a bar.
func clip(name string) string {
	if r := []rune(name); len(r) > 22 {
		return string(r[:21]) + "…"
	}
	return name
}
