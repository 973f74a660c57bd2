package grammar

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// MaxSize is the size of the largest file, in bytes.
const MaxSize = 16 << 20

// Parse parses the text of a file. The tree is never nil; where the text is
// not gram it holds FormBad patterns, or properties without a value, and the
// list says why. The list holds only errors, in the order of the text.
func Parse(name, text string) (*ast.File, diag.List) {
	return ParseFile(source.NewFile(name, text))
}

// ParseFile is Parse for a file that exists already.
func ParseFile(src *source.File) (*ast.File, diag.List) {
	file := &ast.File{Base: ast.At(src.Span(0, len(src.Text()))), Source: src}
	b := &builder{}
	if !b.readable(src) {
		return file, b.report(src)
	}
	chunks := newChunker(src)
	for first := true; !chunks.done(); first = false {
		tokens := chunks.next()
		if first {
			b.header(tokens, file)
		}
		b.patterns(tokens, file)
	}
	if chunks.full() {
		b.full(chunks.ahead.Pos.Offset)
	}
	ast.Locate(file, src)
	ast.Attach(file, chunks.scan.comments)
	return file, b.report(src)
}

// readable notes what is wrong with the bytes of the text, and reports whether
// it can be parsed at all.
func (b *builder) readable(src *source.File) bool {
	text := src.Text()
	switch {
	case len(text) > MaxSize:
		b.note([]problem{{code: diag.CodeTooLarge, message: fmt.Sprintf("a file of %d bytes; at most %d are read", len(text), MaxSize)}})
		return false
	case strings.HasPrefix(text, "\xff\xfe"), strings.HasPrefix(text, "\xfe\xff"):
		b.note([]problem{{end: 2, code: diag.CodeNotUTF8, message: "the file is UTF-16; gram files are UTF-8"}})
		return false
	case !utf8.ValidString(text):
		at := firstInvalid(text)
		b.note([]problem{{start: at, end: at + 1, code: diag.CodeNotUTF8, message: "a byte that is not UTF-8"}})
	}
	return true
}

func firstInvalid(text string) int {
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return len(text)
}

func (b *builder) header(tokens *lexer.PeekingLexer, file *ast.File) {
	header := &record{}
	if header.Parse(tokens) == nil {
		file.Header = header.record
		b.note(header.problems)
	}
}

// patterns parses one top-level pattern after another.
func (b *builder) patterns(tokens *lexer.PeekingLexer, file *ast.File) {
	for !tokens.Peek().EOF() {
		c := &cursor{PeekingLexer: tokens}
		if !c.atTop() {
			file.Patterns = append(file.Patterns, c.notTop())
			b.note(c.problems)
			continue
		}
		if c.at("(") { // most of a graph; participle would only do the same
			p := &path{}
			if err := p.Parse(tokens); err != nil {
				panic("grammar: " + err.Error())
			}
			file.Patterns = append(file.Patterns, b.path(p))
			continue
		}
		here := c.RawCursor()
		parsed, err := items().ParseFromLexer(tokens, participle.AllowTrailing(true))
		if pattern := b.item(parsed); pattern != nil {
			file.Patterns = append(file.Patterns, pattern)
		}
		if err != nil {
			b.note([]problem{participleProblem(err)})
			if tokens.RawCursor() == here {
				c.Next()
			}
			c.skipToTop()
		}
	}
}

// atTop reports whether the next token can start a top-level pattern.
func (c *cursor) atTop() bool {
	return c.at("[") || c.at("(") || c.at("@") || c.at("@@")
}

// skipToTop moves on to what can start a top-level pattern. An annotation
// counts only in the first column: elsewhere it may be part of the mistake.
func (c *cursor) skipToTop() {
	for !c.Peek().EOF() && !c.at("[") && !c.at("(") && !c.restart() {
		if c.at("{") {
			c.group()
		} else {
			c.Next()
		}
	}
}

// notTop takes what stands at top level and is no pattern.
func (c *cursor) notTop() *ast.Pattern {
	start := c.Peek().Pos.Offset
	switch t := c.Peek(); {
	case c.at(","):
		c.unexpected("a pattern; top-level patterns stand side by side without commas")
	case c.at("{"):
		c.unexpected("a pattern; a record by itself stands only at the start of the file")
	case c.atAny(")]}"):
		c.unexpected("a pattern; there is nothing to close")
	case c.atArrow():
		c.unexpected("a pattern; an arrow stands between two nodes, a comment starts with //")
	case t.Type == tokSymbol:
		c.unexpected("a pattern in [ ] or ( ); a name by itself stands only in an element list")
	default:
		c.unexpected("a pattern in [ ] or ( )")
	}
	if c.at("{") {
		c.group()
	} else {
		c.Next()
	}
	c.skipToTop()
	return &ast.Pattern{Base: c.since(start), Subject: &ast.Subject{Base: c.since(c.end())}}
}
