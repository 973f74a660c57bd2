package trace

import (
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/visible"
)

// Limits on what the tree shows of a text.
const (
	treeText  = 2000 // bytes of a message or an answer
	treeValue = 300  // characters of arguments or a result
)

// A node is a text of one or more lines, and what is below it.
type node struct {
	text  string
	below []node
}

// Tree returns the trace as text for a terminal, without characters that control one.
func (t *Trace) Tree() string {
	var b strings.Builder
	for i, r := range t.runs {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(r.heading(i) + "\n")
		printNodes(&b, "", r.nodes())
	}
	if len(t.runs) > 1 {
		sum := t.total()
		b.WriteString("\n" + joined(sum.facts()) + "\n")
	}
	for _, note := range t.notes() {
		b.WriteString("\n" + note + "\n")
	}
	return b.String()
}

// heading names a run.
func (r *run) heading(i int) string {
	facts := []string{fmt.Sprintf("Turn %d", i+1)}
	if m := r.message; m != nil {
		facts = append(facts, m.Agent, m.Model)
		if !m.Time.IsZero() {
			facts = append(facts, m.Time.UTC().Format("2006-01-02 15:04:05 UTC"))
		}
	}
	sum := r.total()
	return joined(append(facts, sum.facts()...))
}

func (r *run) nodes() (nodes []node) {
	if r.message != nil {
		text := "💬 " + shown(r.message.Content)
		if len(r.message.Attached) > 0 {
			text += "\nattached: " + visible.Line(strings.Join(r.message.Attached, ", "))
		}
		nodes = append(nodes, node{text: text})
	}
	answer := ""
	if r.end != nil && r.end.Event == eventAnswer {
		answer = r.end.Content
	}
	for _, s := range r.steps {
		if s.request != nil {
			nodes = append(nodes, s.request.node(answer))
		} else {
			nodes = append(nodes, s.note.node())
		}
	}
	switch {
	case r.end == nil:
		nodes = append(nodes, node{text: "the run has not ended"})
	case r.end.Event == eventStopped:
		nodes = append(nodes, node{text: "✗ " + shown(r.end.Error.text())})
	default:
		nodes = append(nodes, node{text: "answer: " + shown(answer)})
	}
	return nodes
}

// node is a request without the text that is shown below as the answer.
func (r *request) node(answer string) node {
	n := node{text: fmt.Sprintf("request %d · %s", r.asked.Turn, joined(r.facts()))}
	for _, l := range r.fallbacks {
		n.below = append(n.below, l.node())
	}
	if a := r.answered; a != nil {
		if strings.TrimSpace(a.Content) != "" && a.Content != answer {
			n.below = append(n.below, node{text: shown(a.Content)})
		}
		if a.Refusal != "" {
			n.below = append(n.below, node{text: "refusal: " + shown(a.Refusal)})
		}
	}
	for _, c := range r.calls {
		n.below = append(n.below, c.node())
	}
	return n
}

func (c *call) node() node {
	outcome, failed := c.outcome()
	sign := "→"
	if failed {
		sign = "✗"
	}
	facts := ""
	if f := c.facts(); len(f) > 0 {
		facts = " · " + joined(f)
	}
	text := fmt.Sprintf("🛠 %s %s %s %s%s", visible.Line(c.started.Tool), value(c.args()), sign, value(outcome), facts)
	return node{text: text}
}

func (l *line) node() node {
	return node{text: joined(append([]string{value(l.noteText())}, l.spentFacts()...))}
}

// shown returns text of several lines.
func shown(text string) string {
	short := strings.TrimSpace(excerpt.Bytes(text, treeText))
	if len(text) > treeText {
		short += fmt.Sprintf("… (%s)", visible.Size(len(text)))
	}
	return visible.Text(short)
}

// value returns text on one line.
func value(text string) string { return visible.Line(excerpt.Short(text, treeValue)) }

func joined(facts []string) string { return visible.Line(strings.Join(facts, " · ")) }

// printNodes writes nodes with the lines that lead to them.
func printNodes(b *strings.Builder, margin string, nodes []node) {
	for i, n := range nodes {
		branch, rest := "├─ ", "│  "
		if i == len(nodes)-1 {
			branch, rest = "└─ ", "   "
		}
		for j, text := range strings.Split(n.text, "\n") {
			if j > 0 {
				branch = rest
			}
			b.WriteString(strings.TrimRight(margin+branch+text, " ") + "\n")
		}
		printNodes(b, margin+rest, n.below)
	}
}
