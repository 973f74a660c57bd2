package grammar

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// A builder turns what participle parsed into the tree, and gathers the
// problems that the productions noted. Spans have no file yet.
type builder struct {
	problems []problem
	dropped  int // problems beyond what anyone will read
}

// maxProblems is how many mistakes of one file are told.
const maxProblems = diag.MaxPerList

func (b *builder) note(problems []problem) {
	for _, p := range problems {
		if len(b.problems) > 10*maxProblems {
			b.dropped++
			continue
		}
		b.problems = append(b.problems, p)
	}
}

// forgive drops, of the problems since from, those that follow from another:
// closing brackets that are missing because a text without end took them, and
// everything about a pattern that is nested too deep but that.
func (b *builder) forgive(from int) {
	problems := b.problems[from:]
	deep := slices.IndexFunc(problems, func(p problem) bool { return p.code == diag.CodeTooDeep })
	if deep >= 0 {
		b.problems = append(b.problems[:from], problems[deep])
		return
	}
	swallowed := false
	kept := slices.DeleteFunc(problems, func(p problem) bool {
		swallowed = swallowed || p.kind == swallower
		return swallowed && (p.kind == closer || p.kind == unclosed)
	})
	b.problems = b.problems[:from+len(kept)]
}

// full notes that a file has too many tokens. What is missing behind that is no
// mistake of the author.
func (b *builder) full(at int) {
	b.problems = slices.DeleteFunc(b.problems, func(p problem) bool { return p.kind == unclosed || p.start >= at })
	b.note([]problem{{start: at, end: at, code: diag.CodeTooLarge, message: fmt.Sprintf("more than %d names, values and signs; split the file", MaxTokens)}})
}

// item returns the pattern of an item, nil when the parse never got to it.
func (b *builder) item(i *item) *ast.Pattern {
	defer b.forgive(len(b.problems))
	annotations := make([]*ast.Annotation, 0, len(i.Annotations))
	for n, a := range i.Annotations {
		if built := b.annotation(a, n); built != nil {
			annotations = append(annotations, built)
		}
	}
	var p *ast.Pattern
	switch {
	case i.Bracket != nil:
		p = b.bracket(i.Bracket)
	case i.Path != nil:
		p = b.path(i.Path)
	default:
		return nil
	}
	if len(annotations) > 0 {
		p.Annotations = annotations
		p.Base = ast.At(annotations[0].Span().To(p.Span()))
	}
	return p
}

// annotation returns the n-th annotation of an item, nil when its parse failed.
func (b *builder) annotation(a *annotation, n int) *ast.Annotation {
	start := a.Pos.Offset
	if a.Identified != nil {
		b.note(a.Identified.problems)
		if n > 0 {
			b.note([]problem{{start: start, end: start + len("@@"), message: "@@ stands once, before all other annotations"}})
		}
		return &ast.Annotation{Base: between(start, a.Identified.subject.Span().End), Identified: true, Subject: a.Identified.subject}
	}
	if a.Value != nil {
		b.note(a.Value.problems)
	}
	if a.Close == nil {
		return nil
	}
	key := &ast.Name{Base: between(a.Key.Pos.Offset, end(a.Key)), Text: a.Key.Value, Raw: a.Key.Value}
	if a.Key.Type == tokBacktick {
		c := &cursor{}
		key.Kind, key.Text = ast.NameQuoted, c.unquote(a.Key)
		b.note(c.problems)
	}
	return &ast.Annotation{Base: between(start, end(a.Close)), Key: key, Value: a.Value.value}
}

func (b *builder) bracket(n *bracket) *ast.Pattern {
	p := &ast.Pattern{Form: ast.FormBracket, Subject: n.Head.subject}
	b.note(n.Head.problems)
	if n.Pipe != nil {
		b.note(n.Pipe.problems)
	}
	p.Elements = make([]*ast.Pattern, 0, len(n.Elements))
	for _, e := range n.Elements {
		p.Elements = append(p.Elements, b.element(e))
	}
	stop := p.Subject.Span().End
	if n.Head.broken && len(n.Elements) == 0 {
		p.Elements = append(p.Elements, &ast.Pattern{Base: between(stop, stop), Subject: &ast.Subject{Base: between(stop, stop)}})
	}
	if n.Close != nil {
		b.note(n.Close.problems)
		stop = n.Close.end
		if n.Close.open {
			b.note([]problem{neverClosed(n.Open, "]")})
		}
	}
	p.Base = between(n.Open.Pos.Offset, stop)
	return p
}

func (b *builder) element(e *element) *ast.Pattern {
	b.note(e.Comma.problems)
	switch {
	case e.Bracket != nil:
		return b.bracket(e.Bracket)
	case e.Path != nil:
		return b.path(e.Path)
	case e.Ref != nil:
		b.note(e.Ref.problems)
		return e.Ref.pattern
	}
	b.note(e.Junk.problems)
	return e.Junk.pattern
}

func (b *builder) path(p *path) *ast.Pattern {
	b.note(p.problems)
	return p.pattern
}

// report turns the problems into diagnostics: in the order of the text, one
// for a place, and one, the innermost, for the brackets that the end of the
// file left open.
func (b *builder) report(src *source.File) diag.List {
	var list diag.List
	slices.SortStableFunc(b.problems, func(x, y problem) int { return x.start - y.start })
	innermost := -1
	for _, p := range b.problems {
		if p.kind == unclosed {
			innermost = p.start
		}
	}
	told := slices.DeleteFunc(b.problems, func(p problem) bool { return p.kind == unclosed && p.start != innermost })
	told = slices.CompactFunc(told, func(x, y problem) bool { return x.start == y.start })
	for i, p := range told {
		span := src.Span(p.start, p.end)
		if i == maxProblems {
			list.Errorf(span, diag.CodeTooManyErrors, "and %d more", len(told)-i+b.dropped)
			break
		}
		list.Errorf(span, cmp.Or(p.code, diag.CodeSyntax), "%s", p.message)
	}
	return list
}

func between(start, stop int) ast.Base {
	return ast.At(source.Span{Start: start, End: max(start, stop)})
}

func end(t *lexer.Token) int { return t.Pos.Offset + len(t.Value) }
