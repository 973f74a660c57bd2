package lsp

import (
	"strings"

	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/source"
)

// This file finds the single changes of whitespace that formatting makes, so that
// a part of a document can be laid out alone.

// A piece is a part of a text that formatting keeps together: a word, a sign, a
// text, a comment.
type piece struct{ start, end int }

// A cutter cuts a text into pieces. Frozen are the parts of it that formatting
// leaves alone, in their order.
type cutter struct {
	*grammar.Scanner
	frozen []source.Span
}

func newCutter(text string) *cutter { return &cutter{Scanner: grammar.NewScanner(text)} }

// next returns the next piece; it is empty at the end.
func (c *cutter) next() piece {
	t := c.Next()
	for len(c.frozen) > 0 && c.frozen[0].End <= t.Start {
		c.frozen = c.frozen[1:]
	}
	if len(c.frozen) > 0 && c.frozen[0].Start <= t.Start {
		t.End = c.frozen[0].End
		c.Seek(t.End)
	}
	return piece{t.Start, t.End}
}

// isFrozen reports whether the piece that was taken last is a frozen part.
func (c *cutter) isFrozen(p piece) bool {
	return len(c.frozen) > 0 && c.frozen[0].Start <= p.start && p.end == c.frozen[0].End
}

func isWhitespace(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }

// A respacing replaces bytes of a text by others, which differ in whitespace
// and in the order of comments.
type respacing struct {
	start, end int
	text       string
}

// maxWindow is how many pieces may have changed places around a comment.
const maxWindow = 64

// respaced returns a text after changes.
func respaced(text string, changes []respacing) string {
	var b strings.Builder
	last := 0
	for _, r := range changes {
		b.WriteString(text[last:r.start] + r.text)
		last = r.end
	}
	return b.String() + text[last:]
}

// mergedRespacing returns changes of a text as one.
func mergedRespacing(text string, changes []respacing) respacing {
	start, end := changes[0].start, changes[len(changes)-1].end
	return respacing{start, end, respaced(text[:end], changes)[start:]}
}

// trimmed returns a change without the whitespace that stays at its ends. A
// line end of two bytes is not cut.
func (r respacing) trimmed(text string) respacing {
	before := text[r.start:r.end]
	n := 0
	for n < min(len(before), len(r.text)) && before[n] == r.text[n] && isWhitespace(before[n]) {
		n++
	}
	n = len(strings.TrimRight(before[:n], "\r"))
	r.start, r.text, before = r.start+n, r.text[n:], before[n:]
	n = 0
	for n < min(len(before), len(r.text)) && before[len(before)-1-n] == r.text[len(r.text)-1-n] && isWhitespace(before[len(before)-1-n]) {
		n++
	}
	if strings.HasSuffix(before[:len(before)-n], "\r") || strings.HasSuffix(r.text[:len(r.text)-n], "\r") {
		n = 0
	}
	r.end, r.text = r.end-n, r.text[:len(r.text)-n]
	return r
}

// respacings returns what formatting the document changes, bit by bit, in the
// order of the text. Laid is the document as it is formatted.
func (d *document) respacings(laid string) []respacing {
	if laid == d.text {
		return nil
	}
	before, after := newCutter(d.text), newCutter(laid)
	before.frozen = d.frozen()
	var list []respacing
	lastBefore, lastAfter := 0, 0 // ends of the last pieces
	for {
		a, b := before.next(), after.next()
		switch isFrozen := before.isFrozen(a); {
		case d.text[a.start:a.end] == laid[b.start:b.end]:
		case isFrozen && strings.HasPrefix(laid[b.start:], d.text[a.start:a.end]):
			b.end = b.start + a.end - a.start
			after.Seek(b.end)
		default:
			if isFrozen { // the mistake in it does not matter
				before.frozen = before.frozen[1:]
				before.Seek(a.start)
				a = before.next()
			}
			if d.text[a.start:a.end] == laid[b.start:b.end] {
				break
			}
			if a, b = d.window(laid, before, after, a, b); a.end < 0 {
				return list
			}
		}
		whole := laid[lastAfter:b.end]
		if d.text[a.start:a.end] == laid[b.start:b.end] { // only what is before it may have changed
			whole = laid[lastAfter:b.start]
			if d.text[lastBefore:a.start] != whole {
				list = append(list, respacing{lastBefore, a.start, whole})
			}
		} else {
			list = append(list, respacing{lastBefore, a.end, whole})
		}
		if a.start == a.end {
			return list
		}
		lastBefore, lastAfter = a.end, b.end
	}
}

// window takes pieces from both until they have taken the same ones, in
// whatever order. The end is less than zero when they do not.
func (d *document) window(laid string, before, after *cutter, a, b piece) (piece, piece) {
	count, open := map[string]int{}, 0
	note := func(text string, n int) {
		if count[text] == 0 {
			open++
		}
		if count[text] += n; count[text] == 0 {
			open--
		}
	}
	x, y := a, b
	for range maxWindow {
		if x.start == x.end || y.start == y.end {
			break
		}
		note(d.text[x.start:x.end], 1)
		note(laid[y.start:y.end], -1)
		if open == 0 {
			return piece{a.start, x.end}, piece{b.start, y.end}
		}
		x, y = before.next(), after.next()
	}
	return piece{0, -1}, piece{0, -1}
}

// frozen returns the items of the document that formatting leaves alone, since
// something in them did not parse.
func (d *document) frozen() []source.Span {
	_, problems := d.file()
	if len(problems) == 0 {
		return nil
	}
	_, frozen := d.items()
	return frozen
}

// items returns the header and the patterns at the top, those that parsed and
// those that did not.
func (d *document) items() (whole, broken []source.Span) {
	file, problems := d.file()
	var items []source.Span
	if file.Header != nil {
		items = append(items, file.Header.Span())
	}
	for _, p := range file.Patterns {
		items = append(items, p.Span())
	}
	for _, item := range items {
		for len(problems) > 0 && problems[0].Span.End < item.Start {
			problems = problems[1:]
		}
		if len(problems) > 0 && problems[0].Span.Start <= item.End {
			broken = append(broken, item)
		} else {
			whole = append(whole, item)
		}
	}
	return whole, broken
}
