package lsp

import (
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/source"
)

// A semanticToken is bytes of the text that mean one thing.
type semanticToken struct {
	start, end int
	kind       tokenKind
	modifiers  tokenModifier
}

// treeTokens returns what the words of the document mean, in their order, some names
// of tools and types being deprecated. No two overlap: names of the index cut what
// the tree says of the text around them.
func (d *document) treeTokens(deprecated map[string]bool) []semanticToken {
	t := &semanticTokenizer{deprecated: deprecated, found: make([]semanticToken, 0, len(d.text)/10)}
	for n := range ast.Preorder(d.ast()) {
		t.node(n)
	}
	for comment := range d.comments() {
		t.add(comment.Span, tokenComment, 0)
	}
	slices.SortStableFunc(t.found, func(a, b semanticToken) int { return a.start - b.start })
	names := d.treeNameTokens(deprecated)
	all := make([]semanticToken, 0, len(t.found)+len(names))
	end := 0
	for _, next := range t.found {
		if next.start = max(next.start, end); next.start >= next.end {
			continue
		}
		end = next.end
		for len(names) > 0 && names[0].start < next.end {
			if next.start < names[0].start {
				all = append(all, semanticToken{next.start, names[0].start, next.kind, next.modifiers})
			}
			all = append(all, names[0])
			next.start = names[0].end
			names = names[1:]
		}
		if next.start < next.end {
			all = append(all, next)
		}
		end = max(end, next.start)
	}
	return append(all, names...)
}

// treeNameTokens returns the tokens of the names that the document defines, and of
// those of tools and arguments that it references.
func (d *document) treeNameTokens(deprecated map[string]bool) []semanticToken {
	var list []semanticToken
	for _, p := range d.index().places {
		token := semanticToken{start: int(p.start), end: int(p.end)}
		inAgent := p.in != nil && p.in.kind == agentKind
		switch def := p.definition; {
		case def != nil && (def.pattern == nil || p.form == asValue):
			continue // a key, or a text
		case def != nil:
			token.kind, token.modifiers = treeDefinitionToken(def), modifierDefinition
			if isDeprecated(def.pattern.Subject.Record) {
				token.modifiers |= modifierDeprecated
			}
		case p.purpose == argument:
			token.kind = tokenParameter
		case inAgent && (p.purpose == element || p.purpose == mention && patternHasElement(p.in.pattern, p.name)):
			token.kind = tokenTool
			if deprecated[p.name] {
				token.modifiers = modifierDeprecated
			}
		default:
			continue
		}
		list = append(list, token)
	}
	return list
}

func treeDefinitionToken(def *definition) tokenKind {
	if def.kind == typeKind && def.pattern.HasLabel(ast.LabelEnum) {
		return tokenEnum
	}
	return [...]tokenKind{
		agentKind: tokenAgent, toolKind: tokenTool, typeKind: tokenType, libraryKind: tokenLibrary, entryKind: tokenTool,
		patternKind: tokenVariable, parameterKind: tokenParameter, fieldKind: tokenProperty,
	}[def.kind]
}

// A semanticTokenizer collects the tokens of a tree, which it sees node by node in the
// order of the text.
type semanticTokenizer struct {
	found      []semanticToken
	deprecated map[string]bool // names of tools and types
	keywords   *ast.Subject    // whose labels are words of the language
	entryEnd   int             // the end of an entry of a library, whose texts name environment variables
	typeEnd    int             // the end of a value that is a type
}

func (t *semanticTokenizer) add(s source.Span, kind tokenKind, m tokenModifier) {
	if !s.IsZero() {
		t.found = append(t.found, semanticToken{s.Start, s.End, kind, m})
	}
}

// node adds the tokens of a node alone.
func (t *semanticTokenizer) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Pattern:
		switch {
		case library.EntryKindOf(n) != "":
			t.keywords, t.entryEnd = n.Subject, n.Span().End
		case n.Form == ast.FormBracket && documentSymbolKind(n) != protocol.SymbolKindObject, library.RuleLabel(n) != nil:
			t.keywords = n.Subject
		}
	case *ast.Subject:
		if n.Identity != nil {
			t.add(n.Identity.Span(), tokenVariable, 0)
		}
		for _, l := range n.Labels {
			if n == t.keywords && l.Separator == ":" {
				t.add(l.Name.Span(), tokenKeyword, 0)
			} else {
				t.typeLabel(l.Name)
			}
		}
	case *ast.Arrow:
		t.arrow(n)
	case *ast.Annotation:
		if n.Key != nil {
			t.add(n.Key.Span(), tokenDecorator, 0)
		}
	case *ast.Property:
		t.property(n)
	case ast.Value:
		t.value(n)
	}
}

// arrow adds the tokens of an arrow: its strokes, without the label between them.
func (t *semanticTokenizer) arrow(a *ast.Arrow) {
	s := a.Span()
	open, shut := strings.IndexByte(s.Text(), '['), strings.LastIndexByte(s.Text(), ']')
	if a.Subject == nil || open < 0 || shut < open {
		t.add(s, tokenOperator, 0)
		return
	}
	t.add(s.File.Span(s.Start, s.Start+open), tokenOperator, 0)
	t.add(s.File.Span(s.Start+shut+1, s.End), tokenOperator, 0)
}

// property adds the token of a key, and notes whether its value is a type.
func (t *semanticTokenizer) property(p *ast.Property) {
	modifiers, isType := tokenModifier(0), p.Separator == "::"
	inner, isRecord := p.Value.(*ast.Record)
	switch p.Key.Text {
	case "returns", "type", "elementType", "of":
		isType = true
	default:
		if isType {
			modifiers = modifierDefinition
		}
		if isType && isRecord && isDeprecated(inner) {
			modifiers |= modifierDeprecated
		}
	}
	t.add(p.Key.Span(), tokenProperty, modifiers)
	if t.typeEnd = 0; isType && !isRecord && p.Value != nil {
		t.typeEnd = p.Value.Span().End
	}
}

// value adds the tokens of a value, which can be a type.
func (t *semanticTokenizer) value(v ast.Value) {
	isType := v.Span().Start < t.typeEnd
	switch v := v.(type) {
	case *ast.String:
		switch {
		case isType && v.Quote != ast.QuoteFence && v.Raw != "":
			t.typeText(v.Span(), v.Raw[1:len(v.Raw)-1], v.Text, 1)
		case v.Span().Start < t.entryEnd:
			t.variables(v.Span())
		default:
			t.add(v.Span(), tokenString, 0)
		}
	case *ast.Number, *ast.Range:
		t.add(v.Span(), tokenNumber, 0)
	case *ast.Bool:
		t.add(v.Span(), tokenKeyword, 0)
	case *ast.Symbol:
		switch {
		case v.Text == "null":
			t.add(v.Span(), tokenKeyword, 0)
		case isType:
			t.typeName(v.Span(), v.Text)
		default:
			t.add(v.Span(), tokenEnumMember, 0)
		}
	case *ast.Tagged:
		t.tagged(v)
	}
}

// variables adds the tokens of a text of a library: the names of environment
// variables, and the text between them.
func (t *semanticTokenizer) variables(s source.Span) {
	start := s.Start
	for _, name := range variableNames(s) {
		t.add(s.File.Span(start, name.Start), tokenString, 0)
		t.add(name, tokenVariable, 0)
		start = name.End
	}
	t.add(s.File.Span(start, s.End), tokenString, 0)
}

// tagged adds the tokens of a text with a tag. Markdown and languages that this
// server does not know stay as the editor colours them.
func (t *semanticTokenizer) tagged(v *ast.Tagged) {
	content, tag, ok := embeddedContent(v)
	if !ok {
		t.add(v.Span(), tokenString, 0)
		return
	}
	if at := strings.Index(v.Raw, tag); at >= 0 && tag != "" {
		from := v.Span().Start + at
		t.found = append(t.found, semanticToken{from, from + len(tag), tokenDecorator, 0})
	}
	switch {
	case tag == "type":
		t.typeText(v.Span(), content.Text(), v.Text, content.Start-v.Span().Start)
	case tag == "json":
		t.typeExpression(content)
	case tag == "re":
		t.add(content, tokenRegexp, 0)
	case !v.Fence:
		t.add(content, tokenString, 0)
	}
}
