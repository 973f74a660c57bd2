package format

import (
	"strings"
	"unicode/utf8"
)

// maxIndent is the column where indentation ends. Without it, a file of nothing
// but brackets would grow with the square of its depth.
const maxIndent = 40

// An opKind is what an op does.
type opKind uint8

const (
	opText    opKind = iota // text on one line
	opRaw                   // text with line breaks of its own
	opSign                  // text that may stand before the comment that ends the line
	opSpace                 // a space, unless a line ends here
	opLine                  // a line break, or text in a group that stays on its line
	opBlank                 // an empty line
	opComment               // a comment on a line of its own
	opSuffix                // a comment at the end of the line
	opBegin                 // a group
	opEnd
	opIndent
	opDedent
)

// An op is a step of the layout.
type op struct {
	kind  opKind
	blank bool // of opLine and opComment: with an empty line before
	force bool // of opBegin: the group is broken
	hug   bool // of opBegin: modeHug will do if the group breaks inside of its parts
	text  string
}

// ends reports whether the line ends at the op, whatever fits on it.
func (o op) ends() bool {
	return o.kind == opRaw || o.kind == opComment || o.kind == opSuffix || o.kind == opBegin && o.force
}

// A mode is what becomes of the line breaks of a group.
type mode uint8

const (
	modeBroken mode = iota // all are line breaks
	modeFlat               // none is
	modeHug                // none is, but groups inside of it are broken
)

// A layout writes a stream of ops. A group is flat when all of it fits on the
// rest of the line, up to the first place behind it where the line may end.
type layout struct {
	out   []byte
	width int
	eol   string // what ends a line

	queue []op
	next  int // the first op of the queue that was not looked at
	first int // the group of which the mode is not known yet, -1 when there is none
	measure

	modes  []mode // of the groups that are open
	indent int    // in levels
	column int    // where out ends
	space  bool   // a space is due before the next text, if it stands on this line
	breaks int    // line ends that are due before the next text
	suffix string // a comment that is due at the end of the line
}

// A measure is what is known of the first undecided group.
type measure struct {
	room  int  // columns that are left for it
	level int  // groups open in it, itself included
	end   int  // the index of its end in the queue, 0 as long as it is open
	lines bool // one of its own line breaks has come
}

// maxDone is how many ops that are done stay in the queue.
const maxDone = 1024

func (l *layout) add(o op) {
	l.queue = append(l.queue, o)
	for l.next < len(l.queue) {
		l.look(l.queue[l.next])
	}
	if l.first < 0 {
		l.queue, l.next = l.queue[:0], 0
	} else if l.first >= maxDone {
		n := copy(l.queue, l.queue[l.first:])
		l.queue, l.next, l.end, l.first = l.queue[:n], l.next-l.first, max(0, l.end-l.first), 0
	}
}

// look takes the next op of the queue.
func (l *layout) look(o op) {
	switch {
	case l.first < 0 && (o.kind != opBegin || o.force || l.mode() == modeFlat):
		l.put(o)
		l.next++
	case l.first < 0:
		l.first = l.next
		l.measure = measure{room: l.width - l.start(), level: 1}
		l.next++
	case l.end > 0 && (o.kind == opLine || o.ends()):
		l.flat()
	case o.ends():
		l.broken(l.level > 1 || o.kind == opBegin)
	case l.fits(o):
		l.next++
	default:
		l.broken(!l.lines)
	}
}

// fits adds an op to the measured group and reports whether it fits so far.
func (l *layout) fits(o op) bool {
	switch o.kind {
	case opText, opSign:
		l.room -= utf8.RuneCountInString(o.text)
	case opSpace:
		l.room--
	case opLine:
		l.room -= len(o.text)
		l.lines = l.lines || l.level == 1
	case opBegin:
		l.level++
	case opEnd:
		if l.level--; l.level == 0 && l.end == 0 {
			l.end = l.next
		}
	}
	return l.room >= 0
}

// flat writes the measured group on one line.
func (l *layout) flat() {
	l.modes = append(l.modes, modeFlat)
	for _, o := range l.queue[l.first+1 : l.end+1] {
		l.put(o)
	}
	l.first, l.next = -1, l.end+1
}

// broken begins the measured group with line breaks, or without them if it hugs
// and something before the first of them is broken, or deeper inside.
func (l *layout) broken(mayHug bool) {
	m := modeBroken
	if mayHug && l.queue[l.first].hug {
		m = modeHug
	}
	l.modes = append(l.modes, m)
	l.first, l.next = -1, l.first+1
}

// mode returns the mode of the innermost open group.
func (l *layout) mode() mode {
	if len(l.modes) == 0 {
		return modeBroken
	}
	return l.modes[len(l.modes)-1]
}

// start returns the column where the next text will stand.
func (l *layout) start() int {
	if l.breaks > 0 {
		return l.margin()
	}
	if l.space {
		return l.column + 1
	}
	return l.column
}

func (l *layout) margin() int { return min(2*l.indent, maxIndent) }

// put carries out an op.
func (l *layout) put(o op) {
	switch o.kind {
	case opText, opRaw:
		l.text(o.text)
	case opSign:
		if l.breaks > 0 {
			l.text(o.text)
		} else {
			l.write(o.text)
		}
	case opSpace:
		l.space = true
	case opLine:
		l.line(o)
	case opBlank:
		l.breaks = 2
	case opComment:
		l.comment(o)
	case opSuffix:
		if l.suffix != "" || l.breaks > 0 {
			l.comment(o)
			return
		}
		l.suffix = o.text
	case opBegin:
		if l.mode() == modeFlat {
			l.modes = append(l.modes, modeFlat)
		} else {
			l.modes = append(l.modes, modeBroken)
		}
	case opEnd:
		l.modes = l.modes[:len(l.modes)-1]
	case opIndent:
		if l.mode() != modeHug {
			l.indent++
		}
	case opDedent:
		if l.mode() != modeHug {
			l.indent--
		}
	}
}

func (l *layout) line(o op) {
	switch {
	case l.mode() == modeBroken && o.blank:
		l.breaks = 2
	case l.mode() == modeBroken:
		l.breaks = max(l.breaks, 1)
	case l.breaks == 0 && l.suffix == "":
		l.write(o.text)
	}
}

func (l *layout) comment(o op) {
	switch {
	case o.blank:
		l.breaks = 2
	case l.column > 0:
		l.breaks = max(l.breaks, 1)
	}
	l.text(o.text)
	l.breaks = 1
}

// text writes text, on a new line if one is due.
func (l *layout) text(text string) {
	if l.suffix != "" {
		l.breaks = max(l.breaks, 1)
	}
	switch {
	case l.breaks > 0:
		l.newLine()
	case l.space:
		l.write(" ")
	}
	l.space = false
	l.write(text)
}

// newLine ends the line with the comment that is due, and starts another.
func (l *layout) newLine() {
	l.endLine()
	for range l.breaks {
		l.out = append(l.out, l.eol...)
	}
	l.breaks, l.column = 0, 0
	const blanks = "                                        " // maxIndent of them
	l.write(blanks[:l.margin()])
}

func (l *layout) endLine() {
	if l.suffix != "" {
		l.out = append(append(l.out, ' '), l.suffix...)
		l.suffix = ""
	}
}

func (l *layout) write(text string) {
	l.out = append(l.out, text...)
	if n := strings.LastIndexByte(text, '\n'); n >= 0 {
		l.column, text = 0, text[n+1:]
	}
	l.column += utf8.RuneCountInString(text)
}

// finish ends the line of a top-level pattern. All its groups are closed.
func (l *layout) finish() {
	l.add(op{kind: opLine})
	l.endLine()
}
