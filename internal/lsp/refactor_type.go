package lsp

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/source"
)

// refactorType offers to name a type, and to write a named one where it is used.
func (o *selection) refactorType(ctx context.Context) {
	if p, ok := o.declaredProperty(); ok {
		o.extractPropertyType(p)
		return
	}
	node, outer := o.typedNode()
	if node == nil || len(node.Subject.Labels) != 1 || node.Subject.Labels[0].Separator != "::" {
		return
	}
	label := node.Subject.Labels[0]
	if o.inside(node.Subject.Record) {
		return
	}
	switch {
	case label.Name.Kind == ast.NameQuoted:
		o.extractTypeExpression(node, outer)
	case label.Name.Text == "Object":
		o.extractObjectType(node, outer)
	default:
		o.inlineType(ctx, node.Subject)
	}
}

// extractPropertyType offers to name the type expression of a field, or of what
// an agent returns.
func (o *selection) extractPropertyType(p *ast.Property) {
	v, ok := p.Value.(*ast.Tagged)
	if !ok || v.Tag != "type" || v.Fence || !isNameableType(v.Text) || countWord(v.Text, o.top().Identity()) > 0 {
		return
	}
	name := o.freeType(p.Key.Text)
	if _, isAgent := ast.AsAgent(o.top()); isAgent && p.Key.Text == "returns" {
		name = o.freeType(o.top().Identity() + "Answer")
	}
	at := v.Span()
	between := o.doc.text[p.Key.Span().End:at.Start]
	if rest := strings.TrimSpace(between); rest == "::" {
		at.Start = p.Key.Span().End + strings.Index(between, "::") + len("::")
	}
	o.nameType(name, at, name, "| (::"+ast.Print(ast.NewName(v.Text))+")")
}

// nameType offers to define a type and to write a use of it in place of a span.
func (o *selection) nameType(name string, at source.Span, use, definition string) {
	o.add("name this type "+name, kindExtract, func(c *changes) {
		c.replace(o.doc, at.Start, at.End, use)
		c.after(o.doc, o.top(), o.doc.laidOut("["+name+":Type "+definition+"]"))
	})
}

// isNameableType reports whether a type expression can get a name: not a field
// marked optional, nor a single text, which is the discriminating value of a
// union.
func isNameableType(expression string) bool {
	expression = strings.TrimSpace(expression)
	only := grammar.NewScanner(expression).Next()
	isText := only.Kind == grammar.TextToken && only.End == len(expression)
	return !isText && !strings.HasPrefix(expression, "Maybe")
}

// extractTypeExpression offers to name the type expression of a node.
func (o *selection) extractTypeExpression(node, outer *ast.Pattern) {
	label := node.Subject.Labels[0].Name
	if !isNameableType(label.Text) || ast.IsNamedType(outer) && node.Subject.Identity == nil {
		return
	}
	if countWord(label.Text, outer.Identity()) > 0 { // a type that contains itself
		return
	}
	name := o.freeType(o.typeMeaning(node, outer))
	o.nameType(name, label.Span(), name, "| (::"+label.Span().Text()+")")
}

// objectAttributes are the attributes of an object that concern its fields, and
// move with them.
var objectAttributes = []string{"fields", "closed", "minFields", "maxFields"}

// extractObjectType offers to name an object with fields.
func (o *selection) extractObjectType(node, outer *ast.Pattern) {
	r := node.Subject.Record
	if r == nil || hasComments(r) {
		return
	}
	var fields, kept []string
	declares := false
	for _, p := range r.Properties {
		text := p.Span().Text()
		switch isDeclared := p.Separator == "::"; {
		case p.Value == nil:
			return
		case isDeclared || slices.Contains(objectAttributes, p.Key.Text):
			fields = append(fields, text)
			declares = declares || isDeclared || p.Key.Text == "fields"
		default:
			kept = append(kept, text)
		}
	}
	if !declares || ast.IsNamedType(outer) && node.Subject.Identity == nil {
		return
	}
	name := o.freeType(o.typeMeaning(node, outer))
	o.nameType(name, node.Subject.Labels[0].Name.Span().To(r.Span()), name+typeRecord(kept), "{"+strings.Join(fields, ", ")+"}")
}

// typeMeaning returns a name for the type of a node.
func (o *selection) typeMeaning(node, outer *ast.Pattern) string {
	if name := node.Identity(); name != "" {
		return name
	}
	return outer.Identity() + "Result"
}

// freeType returns a name for a type that is not taken yet.
func (o *selection) freeType(from string) string {
	var b strings.Builder
	upper := true
	for _, r := range from {
		switch isLetter := r < utf8.RuneSelf && unicode.IsLetter(r); {
		case !isLetter && (r < '0' || r > '9' || b.Len() == 0):
			upper = true
		case upper:
			b.WriteRune(unicode.ToUpper(r))
			upper = false
		default:
			b.WriteRune(r)
		}
	}
	base := b.String()
	if base == "" || types.IsTypeName(base) || base == "Maybe" || base == "IO" {
		base += "Type"
	}
	taken := o.examinedNames(o.doc).Shared()
	name := base
	for n := 2; slices.Contains(taken, name); n++ {
		name = base + strconv.Itoa(n)
	}
	return name
}

// namedType returns the definition of a type that the document knows, nil when
// it knows none.
func (o *selection) namedType(name string) *ast.Pattern {
	for _, d := range o.visible(o.doc) {
		if defs := d.indexedDefinitions(typeKind, name); len(defs) > 0 {
			return defs[0].pattern
		}
	}
	return nil
}

// inlineType offers to write a named type where it is used. The definition goes
// away when nothing else in the workspace may use it.
func (o *selection) inlineType(ctx context.Context, use *ast.Subject) {
	label := use.Labels[0].Name
	if types.IsTypeName(label.Text) || !o.isDefinedOnce(label.Text) {
		return
	}
	def := o.namedType(label.Text)
	if def == nil || len(def.Annotations) > 0 || countWord(def.Span().Text(), label.Text) > 1 || hasComments(def) {
		return
	}
	text, ok := inlinedType(def, use)
	if !ok {
		return
	}
	end := label.Span().End
	if use.Record != nil {
		end = use.Record.Span().End
		if hasComments(use.Record) {
			return
		}
	}
	o.add("write out the type "+label.Text, kindInline, func(c *changes) {
		c.replace(o.doc, label.Span().Start, end, text)
		if !slices.Contains(o.doc.ast().Patterns, def) {
			return
		}
		used, err := o.wordOccursElsewhere(ctx, o.doc, label.Text, 1+countWord(def.Span().Text(), label.Text))
		if err == nil && !used {
			c.remove(def)
		}
	})
}

// inlinedType returns a type with its attributes as a use of it writes them, and
// whether it can be written so.
func inlinedType(def *ast.Pattern, use *ast.Subject) (string, bool) {
	label, properties := "Object", []*ast.Property(nil)
	var declared []string
	switch {
	case def.Property("shared") != nil || def.Property("default") != nil || def.HasLabel(ast.LabelUnion):
		return "", false
	case def.HasLabel(ast.LabelEnum):
		values := def.Property("values")
		if values == nil || !areTypeTexts(values.Value) {
			return "", false
		}
		label, declared = "Text", []string{"enum: " + values.Value.Span().Text()}
	case len(def.Elements) == 1 && def.Elements[0].Form == ast.FormNode && def.Elements[0].Subject.Identity == nil:
		only := def.Elements[0].Subject
		if len(only.Labels) != 1 {
			return "", false
		}
		label = only.Labels[0].Name.Span().Text()
		if only.Record != nil {
			properties = only.Record.Properties
		}
	default:
		for _, e := range def.Elements {
			field, ok := typeDeclaration(e)
			if !ok {
				return "", false
			}
			declared = append(declared, field)
		}
	}
	return typeTextWithAttributes(label, declared, def, properties, use)
}

// typeTextWithAttributes returns a label with a record: the attributes of a use precede
// those of the type.
func typeTextWithAttributes(label string, parts []string, def *ast.Pattern, properties []*ast.Property, use *ast.Subject) (string, bool) {
	taken := map[string]bool{"values": def.HasLabel(ast.LabelEnum)}
	if use.Record != nil {
		var own []string
		for _, p := range use.Record.Properties {
			taken[p.Key.Text] = true
			own = append(own, p.Span().Text())
		}
		parts = append(own, parts...)
	}
	if def.Subject.Record != nil {
		properties = append(slices.Clone(def.Subject.Record.Properties), properties...)
	}
	for _, p := range properties {
		switch {
		case p.Value == nil:
			return "", false
		case taken[p.Key.Text] && p.Separator == "::":
			return "", false
		case !taken[p.Key.Text]:
			taken[p.Key.Text] = true
			parts = append(parts, p.Span().Text())
		}
	}
	return label + typeRecord(parts), true
}

// typeRecord returns properties as a record behind something, "" without any.
func typeRecord(properties []string) string {
	if len(properties) == 0 {
		return ""
	}
	return " {" + strings.Join(properties, ", ") + "}"
}

// typeDeclaration returns an element of a type as a property that declares the same
// field, and whether there is one.
func typeDeclaration(e *ast.Pattern) (string, bool) {
	s := e.Subject
	if e.Form != ast.FormNode || s.Identity == nil || len(s.Labels) != 1 || s.Labels[0].Separator != "::" {
		return "", false
	}
	key := ast.Print(&ast.Name{Kind: ast.NameDouble, Text: s.Identity.Text})
	if s.Identity.Kind == ast.NameSymbol {
		key = s.Identity.Text
	}
	switch key {
	case "of", "elementType", "fields":
		return "", false
	}
	typ, space := s.Labels[0].Name.Text, ""
	if s.Labels[0].Name.Kind == ast.NameQuoted {
		typ, space = ast.Print(&ast.Tagged{Tag: "type", Text: typ}), " "
	}
	if s.Record == nil || len(s.Record.Properties) == 0 {
		return key + "::" + space + typ, true
	}
	parts := []string{"type: " + typ}
	for _, p := range s.Record.Properties {
		switch p.Value.(type) {
		case nil, *ast.Array, *ast.Record:
			return "", false
		}
		if p.Separator == "::" || p.Key.Text == "paramName" || p.Key.Text == "type" {
			return "", false
		}
		parts = append(parts, p.Span().Text())
	}
	return key + "::{" + strings.Join(parts, ", ") + "}", true
}

// areTypeTexts reports whether a value is a list of texts.
func areTypeTexts(v ast.Value) bool {
	list, ok := v.(*ast.Array)
	return ok && len(list.Elements) > 0 && !slices.ContainsFunc(list.Elements, func(e ast.Value) bool {
		switch e := e.(type) {
		case *ast.String:
			return false
		case *ast.Symbol:
			return e.Text == "null"
		}
		return true
	})
}
