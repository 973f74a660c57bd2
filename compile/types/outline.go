package types

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/report"
)

// An Outline is what a type expression says of names, whatever else is wrong
// with it. The elements of an array count as the array, and the alternatives of
// a union as one type: a value of the type is read without knowing which it is.
type Outline struct {
	Types  []report.Reference // the named types
	Fields []OutlineField     // of {name: Type}
	Rest   *Outline           // of the values of a map, and of an Object; nil when it is none
	Values []ast.Value        // defaults, examples and the like, in (…)
}

// An OutlineField is a field of a type expression.
type OutlineField struct {
	report.Reference // its span has the quotes, where there are any
	Type             *Outline
	Default          ast.Value // nil for none
}

// OutlineOf reads the type expression of a label, or of the value of a property.
func OutlineOf(n ast.Node) *Outline {
	o := &Outline{}
	text := ""
	switch n := n.(type) {
	case *ast.Name:
		text = n.Text
	case *ast.Symbol:
		text = n.Text
	case *ast.String:
		text = n.Text
	case *ast.Tagged:
		text = n.Text
	}
	if kind, known := kindNamed(text); known || text == "" { // most types
		if kind == KindObject {
			o.rest()
		}
		return o
	}
	e := &outliner{*newExpression(&Checker{Reporter: &report.Reporter{}}, text, n)}
	for e.peek() != 0 {
		start := e.pos
		if e.typ(o); e.pos == start {
			e.pos++ // of what cannot be read
		}
	}
	return o
}

// TypeReferences returns the names of types that a type expression mentions, at
// whatever depth. Those of the language are left out.
func TypeReferences(n ast.Node) []report.Reference { return OutlineOf(n).references(nil) }

func (o *Outline) references(list []report.Reference) []report.Reference {
	list = append(list, o.Types...)
	for _, f := range o.Fields {
		list = f.Type.references(list)
	}
	if o.Rest != nil {
		list = o.Rest.references(list)
	}
	return list
}

// IsFieldWord reports whether a field of a type expression can have a name
// without quotes.
func IsFieldWord(name string) bool {
	e := &expression{text: name}
	return name != "" && isNameStart(name[0]) && e.name() == name
}

// An outliner reads an expression for its names. It goes on after mistakes, and
// so takes more than there is.
type outliner struct{ expression }

// typ reads a type or a union.
func (e *outliner) typ(o *Outline) {
	if e.depth++; e.depth > maxTypeDepth {
		e.pos = len(e.text)
	}
	for e.postfix(o); e.accept('|'); {
		e.postfix(o)
	}
	e.depth--
}

// postfix reads a primary and what stands behind it.
func (e *outliner) postfix(o *Outline) {
	e.primary(o)
	for {
		switch e.peek() {
		case '?':
			e.pos++
		case '[':
			e.pos++
			e.accept(']')
		case '(':
			e.attributes(o)
		default:
			return
		}
	}
}

// primary reads a type without what may stand behind it.
func (e *outliner) primary(o *Outline) {
	switch first := e.peek(); {
	case first == '[':
		e.pos++
		e.typ(o)
		e.accept(']')
	case first == '(':
		e.pos++
		e.typ(o)
		e.accept(')')
	case first == '{':
		e.object(o)
	case isNameStart(first):
		e.named(o)
	case first != 0 && strings.IndexByte("]})>,=:", first) < 0:
		e.read()
	}
}

// named reads a name, or what Map or Maybe stands before.
func (e *outliner) named(o *Outline) {
	start := e.pos
	name := e.expression.name()
	end := e.pos
	kind, known := kindNamed(name)
	switch next := e.peek(); {
	case next == '<' && name == "Map":
		e.pos++
		e.typ(o.rest())
		e.accept('>')
	case name == "Maybe":
		e.postfix(o)
	case kind == KindObject:
		o.rest()
	case !known && nameable(name):
		o.Types = append(o.Types, report.Reference{Text: name, Span: e.At(start, end)})
	}
}

// rest returns the outline of the values of a map.
func (o *Outline) rest() *Outline {
	if o.Rest == nil {
		o.Rest = &Outline{}
	}
	return o.Rest
}

// object reads {a: T, b?: T = 1, *: T}.
func (e *outliner) object(o *Outline) {
	for e.pos++; ; {
		next, start := e.peek(), e.pos
		name := ""
		switch {
		case next == 0:
			return
		case next == '}':
			e.pos++
			return
		case next == '*':
			e.pos++
			e.accept(':')
			e.typ(o.rest())
			continue
		case next == '"', next == '\'':
			name = e.string()
		case isNameStart(next):
			name = e.expression.name()
		default:
			e.pos++
			continue
		}
		f := OutlineField{Reference: report.Reference{Text: name, Span: e.At(start, e.pos)}, Type: &Outline{}}
		if e.accept('?'); !e.accept(':') {
			continue
		}
		e.accept(':')
		e.typ(f.Type)
		if e.accept('=') {
			f.Default = e.read()
		}
		o.Fields = append(o.Fields, f)
	}
}

// attributes reads (name=value, …).
func (e *outliner) attributes(o *Outline) {
	for e.pos++; ; {
		switch next := e.peek(); {
		case next == 0:
			return
		case next == ')':
			e.pos++
			return
		case !isNameStart(next):
			e.pos++
			continue
		}
		key := e.expression.name()
		if !e.accept('=') && !e.accept(':') {
			continue
		}
		v := e.read()
		switch word, bare := v.(*ast.Symbol); {
		case key == "of", key == "elementType":
			if !bare || !nameable(word.Text) || IsTypeName(word.Text) {
				continue
			}
			of := o
			if o.Rest != nil {
				of = o.Rest
			}
			of.Types = append(of.Types, report.Reference{Text: word.Text, Span: word.Span()})
		case HasFields(key) && v != nil:
			o.Values = append(o.Values, v)
		}
	}
}

// read reads a value, or a byte of what is none; the value is nil then.
func (e *outliner) read() ast.Value {
	start := e.pos
	v := e.value()
	if e.failed {
		e.failed = false
		if e.pos == start && e.pos < len(e.text) && strings.IndexByte("]})>", e.text[e.pos]) < 0 {
			e.pos++
		}
		return nil
	}
	return v
}

// HasFields reports whether an attribute has values of the type that it is of,
// in which fields are named.
func HasFields(key string) bool {
	switch key {
	case "default", "examples", "enum", "const":
		return true
	}
	return false
}
