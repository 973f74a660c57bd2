package types

import (
	"fmt"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
)

// peek skips whitespace and returns the next byte, 0 at the end.
func (e *expression) peek() byte {
	for e.pos < len(e.text) && strings.IndexByte(" \t\r\n\v\f", e.text[e.pos]) >= 0 {
		e.pos++
	}
	if e.pos == len(e.text) {
		return 0
	}
	return e.text[e.pos]
}

func (e *expression) accept(b byte) bool {
	if e.peek() != b {
		return false
	}
	e.pos++
	return true
}

func (e *expression) expect(b byte) {
	if !e.failed && !e.accept(b) {
		e.unexpected(fmt.Sprintf("%q", string(b)))
	}
}

// isFieldNameStart reports whether a name may start with b. Letters outside ASCII
// may stand in the names of fields.
func isFieldNameStart(b byte) bool { return b == '_' || 'a' <= b|0x20 && b|0x20 <= 'z' || b >= 0x80 }

func isFieldNamePart(b byte) bool {
	return isFieldNameStart(b) || '0' <= b && b <= '9' || b == '.' || b == '@' || b == '-'
}

func (e *expression) name() string {
	start := e.pos
	for e.pos < len(e.text) && isFieldNamePart(e.text[e.pos]) {
		e.pos++
	}
	return e.text[start:e.pos]
}

// list reads members with commas between them, up to a closing bracket.
func (e *expression) list(closing byte, member func()) {
	for more := !e.failed && e.peek() != closing; more; more = e.another(closing) {
		member()
	}
	e.expect(closing)
}

// unexpected reports that something else than what stands at the reading
// position is wanted.
func (e *expression) unexpected(wanted string) {
	if e.peek(); e.pos == len(e.text) {
		e.fail(e.pos, e.pos, diag.CodeSyntax, "the type ends where %s is expected", wanted)
		return
	}
	start, end := e.pos, report.RuneEnd(e.text, e.pos)
	if isFieldNameStart(e.text[start]) {
		end = start + len(e.name())
	}
	e.fail(start, end, diag.CodeSyntax, "unexpected %s in a type; expected %s", report.Quote(e.text[start:end]), wanted)
}

// fail reports the first mistake, after which nobody reads on.
func (e *expression) fail(start, end int, code diag.Code, format string, args ...any) *diag.Diagnostic {
	e.failed = true
	return e.c.Diags.Errorf(e.At(start, end), code, format, args...)
}
