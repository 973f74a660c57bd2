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
	opLine                  // a line break, or nothing in a group that stays on its line
	opBlank                 // an empty line
	opComment               // a comment on a line of its own
	opSuffix                // a comment at the end of the line
	opBegin                 // a group
	opEnd
	opIndent
	opDedent
)

// A layoutOp is a step of the layout. It is small: a file has some hundred of them in
// each KB.
type layoutOp struct {
	kind       opKind
	blank      bool  // of opLine and opComment: with an empty line before
	space      bool  // of opLine: a space instead of nothing
	force      bool  // of opBegin: the group is broken
	hug        bool  // of opBegin: modeHug will do if the group breaks inside of its parts
	start, end int32 // its text in the source
}

// ends reports whether the line ends at the op, whatever fits on it.
func (o *layoutOp) ends() bool {
	return o.kind == opRaw || o.kind == opComment || o.kind == opSuffix || o.kind == opBegin && o.force
}

// A mode is what becomes of the line breaks of a group.
type mode uint8

const (
	modeBroken mode = iota // all are line breaks
	modeFlat               // none is
	modeHug                // none is, but groups inside of it are broken
)

// A layout writes ops. A group is flat when all of it fits on the rest of the
// line, up to the first place after it where the line may end.
type layout struct {
	src   string
	out   strings.Builder
	width int
	eol   string    // what ends a line
	ops   layoutOps // of the item

	modes  []mode // of the groups that are open
	indent int    // in levels
	column int    // where out ends
	space  bool   // a space is due before the next text, if it stands on this line
	breaks int    // line ends that are due before the next text
	suffix string // a comment that is due at the end of the line
}

func (l *layout) add(o layoutOp) { l.ops.add(o) }

// addText adds an op with a text of the source.
func (l *layout) addText(o layoutOp, start, end int) {
	o.start, o.end = int32(start), int32(end)
	l.add(o)
}

// textOf returns the text of an op.
func (l *layout) textOf(o *layoutOp) string { return l.src[o.start:o.end] }

// A layoutOps holds ops in blocks: a list of millions is never copied to grow.
type layoutOps struct {
	blocks [][]layoutOp
	length int
}

const blockLength = 128

func (l *layoutOps) add(o layoutOp) {
	if l.length == blockLength*len(l.blocks) {
		l.blocks = append(l.blocks, make([]layoutOp, blockLength))
	}
	*l.at(l.length) = o
	l.length++
}

func (l *layoutOps) at(i int) *layoutOp { return &l.blocks[i/blockLength][i%blockLength] }

// step adds ops without a text.
func (l *layout) step(kinds ...opKind) {
	for _, k := range kinds {
		l.add(layoutOp{kind: k})
	}
}

// run writes the ops of an item, all groups of which are closed, and ends the line.
func (l *layout) run() {
	l.add(layoutOp{kind: opLine})
	for i := range l.ops.length {
		l.put(i)
	}
	l.ops.length = 0
	l.endLine()
}

// measure returns the mode of the group that begins at an op. One that hugs and does
// not fit needs no line breaks of its own if something before the first of them is
// broken, or deeper inside.
func (l *layout) measure(begin int) mode {
	hug := modeBroken
	if l.ops.at(begin).hug {
		hug = modeHug
	}
	room, level := l.width-l.start(), 1
	ended, lines := false, false // the group; its own line breaks have come
	for i := begin + 1; i < l.ops.length; i++ {
		o := l.ops.at(i)
		switch {
		case ended && (o.kind == opLine || o.ends()):
			return modeFlat
		case o.ends() && level == 1 && o.kind != opBegin:
			return modeBroken
		case o.ends():
			return hug
		}
		switch o.kind {
		case opText, opSign:
			room -= utf8.RuneCountInString(l.textOf(o))
		case opSpace:
			room--
		case opLine:
			if o.space {
				room--
			}
			lines = lines || level == 1
		case opBegin:
			level++
		case opEnd:
			level--
			ended = ended || level == 0
		}
		switch {
		case room < 0 && lines:
			return modeBroken
		case room < 0:
			return hug
		}
	}
	return modeFlat
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

// put carries out op i.
func (l *layout) put(i int) {
	switch o := l.ops.at(i); o.kind {
	case opText, opRaw:
		l.text(l.textOf(o))
	case opSign:
		if l.breaks > 0 {
			l.text(l.textOf(o))
		} else {
			l.write(l.textOf(o))
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
		l.suffix = l.textOf(o)
	case opBegin:
		m := modeFlat
		if o.force && l.mode() != modeFlat {
			m = modeBroken
		} else if l.mode() != modeFlat {
			m = l.measure(i)
		}
		l.modes = append(l.modes, m)
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

func (l *layout) line(o *layoutOp) {
	switch {
	case l.mode() == modeBroken && o.blank:
		l.breaks = 2
	case l.mode() == modeBroken:
		l.breaks = max(l.breaks, 1)
	case o.space && l.breaks == 0 && l.suffix == "":
		l.write(" ")
	}
}

func (l *layout) comment(o *layoutOp) {
	switch {
	case o.blank:
		l.breaks = 2
	case l.column > 0:
		l.breaks = max(l.breaks, 1)
	}
	l.text(l.textOf(o))
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
		l.out.WriteString(l.eol)
	}
	l.breaks, l.column = 0, 0
	const margin = "                                        " // maxIndent of them
	l.write(margin[:l.margin()])
}

func (l *layout) endLine() {
	if l.suffix != "" {
		l.out.WriteByte(' ')
		l.out.WriteString(l.suffix)
		l.suffix = ""
	}
}

func (l *layout) write(text string) {
	l.out.WriteString(text)
	if n := strings.LastIndexByte(text, '\n'); n >= 0 {
		l.column, text = 0, text[n+1:]
	}
	l.column += utf8.RuneCountInString(text)
}
