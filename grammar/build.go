package grammar

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/alecthomas/participle/v2"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// A builder parses a file: what participle parsed it turns into the tree, and
// the rest it reads itself. Spans have no file yet.
type builder struct {
	cursor
	window window
}

// maxProblems is how many mistakes of one file are told.
const maxProblems = diag.MaxPerList

// gather adds the problems of a production, which left out some more.
func (b *builder) gather(problems []problem, dropped int) {
	for _, p := range problems {
		b.add(p)
	}
	b.dropped += dropped
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
	b.problems = append(b.problems, problem{start: at, end: at, code: diag.CodeTooLarge, message: fmt.Sprintf("more than %d names, values and signs; split the file", MaxTokens)})
}

// item reads a top-level pattern with its annotations, nil when they are not
// followed by one. Participle reads up to where the pattern starts.
func (b *builder) item() *ast.Pattern {
	told, start := len(b.problems), b.pos
	lex := b.window.open(b.tokens[start : start+b.annotations()+1])
	parsed, err := items().ParseFromLexer(lex, participle.AllowTrailing(true))
	b.pos += int(lex.RawCursor())
	list := make([]*ast.Annotation, 0, len(parsed.Annotations))
	for n, a := range parsed.Annotations {
		if built := b.annotation(a, n, parsed.Annotations[0]); built != nil {
			list = append(list, built)
		}
	}
	if err != nil {
		if len(b.problems) == told {
			b.add(participleProblem(err)).mend(b.annotationFixes(start, parsed))
		}
		if b.pos == start {
			b.next()
		}
		b.skipToTop()
		return nil
	}
	b.fresh()
	b.pos-- // to the bracket that opens the pattern
	var p *ast.Pattern
	if parsed.Bracket != nil {
		p = b.bracket()
	} else {
		p = b.path()
	}
	if len(list) > 0 {
		p.Annotations = list
		p.Base = ast.At(list[0].Span().To(p.Span()))
	}
	return p
}

// annotations returns how many tokens come before the bracket that opens the
// pattern of an item, or before what cannot stand there.
func (b *builder) annotations() int {
	i := b.pos
	for {
		switch b.tokens[i].kind {
		case tokAts:
			i = b.span(i+1, patterns)
			continue
		case tokAt:
			for _, expected := range []kinds{1<<tokSymbol | 1<<tokBacktick, 1 << tokLeftParen} {
				if i++; !expected.has(b.tokens[i].kind) {
					return i - b.pos
				}
			}
			if i = b.span(i+1, 0); b.tokens[i].kind == tokRightParen {
				i++
				continue
			}
		}
		return i - b.pos
	}
}

// span returns the first token from number i on that is in no bracket and of
// the given kinds, closes a bracket, or occurs in no value.
func (b *builder) span(i int, until kinds) int {
	const never kinds = 1<<tokEnd | 1<<tokLeftParen | 1<<tokAt | 1<<tokAts
	for depth := 0; ; i++ {
		switch kind := b.tokens[i].kind; {
		case never.has(kind), depth == 0 && (until | closers).has(kind):
			return i
		case openers.has(kind):
			depth++
		case closers.has(kind):
			depth--
		}
	}
}

// isArgument reports whether a parenthesis that comes after those tokens holds
// the value of an annotation.
func isArgument(before []token) bool {
	n := len(before)
	return n >= 2 && before[n-2].kind == tokAt && (before[n-1].kind == tokSymbol || before[n-1].kind == tokBacktick)
}

// annotation returns the n-th annotation of an item, nil when its parse failed.
func (b *builder) annotation(a *annotation, n int, first *annotation) *ast.Annotation {
	start := a.Pos.Offset
	built := &ast.Annotation{}
	if a.Identified != nil {
		b.gather(a.Identified.problems, 0)
		if n > 0 {
			b.secondIdentity(a, first)
		}
		built.Identified, built.Subject = true, a.Identified.subject
		built.Base = b.between(start, a.Identified.subject.Span().End)
		ast.Locate(built, b.file)
		return built
	}
	if a.Value != nil {
		b.gather(a.Value.problems, a.Value.dropped)
	}
	if a.Close == nil {
		return nil
	}
	key, closer := fromWindow(a.Key), fromWindow(a.Close)
	built.Key = &ast.Name{Base: b.between(key.begin(), key.end()), Text: key.text, Raw: key.text}
	if key.kind == tokBacktick {
		built.Key.Kind, built.Key.Text = ast.NameQuoted, b.unquote(&key)
	}
	built.Value = a.Value.value
	built.Base = b.between(start, closer.end())
	ast.Locate(built, b.file)
	return built
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
		list.Errorf(span, cmp.Or(p.code, diag.CodeSyntax), "%s", p.message).Fixes = p.fixes(src)
		if p.opened != nil && p.opened.text != "" {
			list[len(list)-1].Relate(src.Span(p.opened.begin(), p.opened.end()), "it opens here")
		}
	}
	return list
}
