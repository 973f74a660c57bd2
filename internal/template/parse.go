package template

import "strings"

// A Range is a part of a text, as offsets of bytes: half-open.
type Range struct{ Start, End int }

// A Problem is something in a text that cannot be read as a template, or is
// hardly meant as it is read.
type Problem struct {
	Range
	Kind ProblemKind
	Name string // as far as there is one
}

// A ProblemKind is the kind of a Problem.
type ProblemKind uint8

// The kinds of problems. The text of the first is read as it is.
const (
	BareVariable     ProblemKind = iota // $NAME
	UnclosedVariable                    // ${NAME
	EmptyVariable                       // ${}
	InvalidVariable                     // ${a b}
	StrayBrace                          // }
	UnclosedArgument                    // {name
	InvalidArgument                     // {a b}
	SpacedArgument                      // { name }
)

// Parse parses a text. With arguments, {name} stands for an argument, and {{
// and }} for braces. Without, braces are text. It also returns where each part
// stands, and the problems in order. What has a problem is no part.
func Parse(text string, arguments bool) (Template, []Range, []Problem) {
	p := &templateParser{text: text}
	for p.pos < len(text) {
		switch {
		case text[p.pos] == '$':
			p.dollar()
		case arguments && (text[p.pos] == '{' || text[p.pos] == '}'):
			p.brace()
		default:
			p.take(1)
		}
	}
	p.flush()
	return p.template, p.ranges, p.problems
}

// A templateParser parses one text.
type templateParser struct {
	text     string
	pos      int
	literal  strings.Builder // what was read since the last part
	start    int             // where literal starts
	template Template
	ranges   []Range // of the parts of template
	problems []Problem
}

// take reads n bytes as they are.
func (p *templateParser) take(n int) {
	if p.literal.Len() == 0 {
		p.start = p.pos
	}
	p.literal.WriteString(p.text[p.pos : p.pos+n])
	p.pos += n
}

// flush makes a part of the literal text that was read.
func (p *templateParser) flush() {
	if p.literal.Len() > 0 {
		p.template = append(p.template, Part{Literal, p.literal.String()})
		p.ranges = append(p.ranges, Range{p.start, p.pos})
		p.literal.Reset()
	}
}

// part adds a part of n bytes that is not literal.
func (p *templateParser) part(kind Kind, name string, n int) {
	p.flush()
	p.template = append(p.template, Part{kind, name})
	p.ranges = append(p.ranges, Range{p.pos, p.pos + n})
	p.pos += n
}

// problem reports the next n bytes and skips them.
func (p *templateParser) problem(kind ProblemKind, name string, n int) {
	p.problems = append(p.problems, Problem{Range{p.pos, p.pos + n}, kind, name})
	p.pos += n
}

// dollar reads ${NAME}, $${ or a dollar.
func (p *templateParser) dollar() {
	rest := p.text[p.pos:]
	if strings.HasPrefix(rest, "$${") {
		p.pos++
		p.take(len("${"))
		if name := VariableName(p.text[p.pos:]); name != "" && strings.HasPrefix(p.text[p.pos+len(name):], "}") {
			p.take(len(name) + len("}"))
		}
		return
	}
	inner, braced := strings.CutPrefix(rest, "${")
	if !braced {
		p.bareVariable()
		return
	}
	name := VariableName(inner)
	end := strings.IndexAny(inner, "${}")
	n := len("${") + end + len("}")
	switch {
	case name != "" && strings.HasPrefix(inner[len(name):], "}"):
		p.part(Environment, name, n)
	case end < 0 || inner[end] != '}':
		p.problem(UnclosedVariable, name, len("${")+len(name))
	case end == 0:
		p.problem(EmptyVariable, "", n)
	default:
		p.problem(InvalidVariable, "", n)
	}
}

// bareVariable reads a dollar, and reports $NAME, which is text.
func (p *templateParser) bareVariable() {
	name := VariableName(p.text[p.pos+1:])
	n := len("$")
	if LooksLikeVariable(name) {
		n += len(name)
		p.problems = append(p.problems, Problem{Range{p.pos, p.pos + n}, BareVariable, name})
	}
	p.take(n)
}

// LooksLikeVariable reports whether a name is one that environment variables
// usually have: of capital letters, and more than one character.
func LooksLikeVariable(name string) bool {
	return len(name) > 1 && name == strings.ToUpper(name) && strings.Trim(name, "_0123456789") != ""
}

// VariableName returns the name of an environment variable that a text starts
// with, "" when it starts with none.
func VariableName(text string) string {
	n := 0
	for n < len(text) && (text[n] == '_' || 'a' <= text[n]|0x20 && text[n]|0x20 <= 'z' || n > 0 && '0' <= text[n] && text[n] <= '9') {
		n++
	}
	return text[:n]
}

// brace reads {name}, {{ or }}.
func (p *templateParser) brace() {
	rest := p.text[p.pos:]
	if strings.HasPrefix(rest, "{{") || strings.HasPrefix(rest, "}}") {
		p.pos++
		p.take(1)
		return
	}
	if rest[0] == '}' {
		p.problem(StrayBrace, "", 1)
		return
	}
	end := strings.IndexAny(rest[1:], "{}") + 1
	if end == 0 || rest[end] == '{' {
		p.problem(UnclosedArgument, "", 1)
		return
	}
	n := end + len("}")
	name := strings.TrimSpace(rest[1:end])
	switch {
	case !IsArgument(name):
		p.problem(InvalidArgument, name, n)
	case len(name) != end-1:
		p.problem(SpacedArgument, name, n)
	default:
		p.part(Argument, name, n)
	}
}

// IsArgument reports whether a template can name an argument so.
func IsArgument(name string) bool {
	return name != "" && !strings.ContainsAny(name, "{}\"':;,() \t\r\n")
}
