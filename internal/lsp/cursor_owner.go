package lsp

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/vocabulary"
)

// owner returns the kind of thing whose properties are in the bracket n levels
// around the innermost one, "" if it has none.
func (c *cursorContext) owner(n int) vocabulary.Owner {
	f, around := c.up(n), c.up(n+1)
	switch {
	case f == nil || f.kind != inRecord && f.kind != inMap:
		return ""
	case f.kind == inMap:
		if around.kind == inArray {
			around = c.up(n + 2)
		}
		if around != nil && (around.kind == inRecord || around.kind == inMap) && (around.colons == 2 || around.key == "fields") {
			return vocabulary.OwnerField
		}
		return ""
	case around == nil:
		return vocabulary.OwnerHeader
	case around.kind == inPattern && c.up(n+2).has(ast.LabelTest):
		return ownerOf(around, vocabulary.StepLabels())
	case around.kind == inPattern:
		return ownerLabelled(around)
	}
	return c.nodeOwner(around, c.up(n+2))
}

// ownerOf returns what a pattern is by those labels.
func ownerOf(f *frame, labels []vocabulary.Word) vocabulary.Owner {
	for _, w := range labels {
		if f.has(w.Name) {
			return w.Owner
		}
	}
	return ""
}

// ownerLabelled returns what a pattern is by its labels.
func ownerLabelled(f *frame) vocabulary.Owner {
	for _, w := range slices.Concat(vocabulary.Labels(), vocabulary.EntryLabels()) {
		if f.has(w.Name) || w.Owner == vocabulary.OwnerTool && f.has(ast.LabelToolSpecification) {
			return w.Owner
		}
	}
	return ""
}

// ownerRule is a rule of approval, whose properties are arguments.
const ownerRule vocabulary.Owner = "rule"

// nodeOwner returns the kind of a node, by its content and its surroundings.
func (c *cursorContext) nodeOwner(node, around *frame) vocabulary.Owner {
	switch {
	case ownerHasRule(node, around):
		return ownerRule
	case around.has(ast.LabelUnion):
		return vocabulary.OwnerAlias
	case node.name != "":
		return vocabulary.OwnerParameter
	case around.has(ast.LabelType):
		return vocabulary.OwnerAlias
	case len(node.labels) > 0:
		return vocabulary.OwnerResult
	}
	return vocabulary.OwnerArguments
}

// ownerHasRule reports whether a node is a rule of approval in an entry.
func ownerHasRule(node, around *frame) bool {
	return ownerHasLabel(node, vocabulary.RuleLabels()) && ownerIsEntry(around)
}

// ownerIsEntry reports whether a pattern is an entry of a library.
func ownerIsEntry(f *frame) bool { return ownerHasLabel(f, vocabulary.EntryLabels()) }

func ownerHasLabel(f *frame, words []vocabulary.Word) bool {
	return slices.ContainsFunc(words, func(w vocabulary.Word) bool { return f.has(w.Name) })
}

// ownerProperties returns the properties that the record n levels around can have:
// of a built-in only its own, of a type only those that apply to it.
func (c *cursorContext) ownerProperties(n int) []vocabulary.Property {
	owner := c.owner(n)
	all := vocabulary.Properties(owner)
	around := c.up(n + 1)
	if around == nil {
		return all
	}
	builtin, known := library.BuiltinTool{}, false
	if owner == vocabulary.OwnerBuiltin {
		builtin, known = c.ownerBuiltin(around)
	}
	kind, limited := c.ownerLabelKind(around)
	return slices.DeleteFunc(all, func(p vocabulary.Property) bool {
		return known && !ownerIsBuiltinWith(builtin, p) || limited && !ownerTakesAttribute(p, kind)
	})
}

// ownerBuiltin returns the built-in that an entry is, by its name where the parser has
// made something else of it.
func (c *cursorContext) ownerBuiltin(entry *frame) (library.BuiltinTool, bool) {
	p := c.ownerPattern(entry)
	if p == nil {
		p = &ast.Pattern{Subject: &ast.Subject{Identity: ast.NewName(entry.name)}}
	}
	return library.BuiltinOf(p)
}

// ownerPattern returns the pattern of the tree that a bracket is, nil when the parser
// has made something else of it.
func (c *cursorContext) ownerPattern(f *frame) *ast.Pattern {
	for _, n := range ast.PathTo(c.d.ast(), f.start+1) {
		if p, ok := n.(*ast.Pattern); ok && p.Span().Start == f.start {
			return p
		}
	}
	return nil
}

// ownerIsBuiltinWith reports whether a property means something on a built-in.
func ownerIsBuiltinWith(b library.BuiltinTool, d vocabulary.Property) bool {
	return len(d.Owners) > 1 && d.Key != "allowHosts" || d.Key == "builtin" || slices.Contains(b.Properties, d.Key)
}

// ownerLabelKind returns the kind of the values of a node, where its label and the file
// are enough to know it.
func (c *cursorContext) ownerLabelKind(f *frame) (types.Kind, bool) {
	if f.kind != inNode || len(f.labels) == 0 {
		return "", false
	}
	label := strings.TrimRight(f.labels[0], "?")
	if strings.HasPrefix(label, "[") || strings.HasSuffix(label, "[]") {
		return types.KindArray, true
	}
	if kind, known := ownerKind(ownerView(), label); known {
		return kind, true
	}
	return ownerKind(compile.NewView(c.d.ast(), nil), label)
}

// ownerView returns the view of an empty file, which knows the types of the
// language.
func ownerView() *compile.View { return compile.NewView(&ast.File{}, nil) }

// ownerKind returns the kind of the values of a type, where it is known and one.
func ownerKind(view *compile.View, text string) (types.Kind, bool) {
	t := view.TypeOf(text)
	if t == nil || t.Resolved() == nil {
		return "", false
	}
	switch kind := t.Resolved().Kind; kind {
	case types.KindString, types.KindInteger, types.KindNumber, types.KindBoolean, types.KindArray, types.KindObject:
		return kind, true
	}
	return "", false
}

// ownerTakesAttribute reports whether an attribute is for values of a kind. The formats that
// gram has words for are those of texts.
func ownerTakesAttribute(d vocabulary.Property, kind types.Kind) bool {
	if d.Form == vocabulary.FormFormat {
		return kind == types.KindString
	}
	return len(d.Types) == 0 || slices.Contains(d.Types, string(kind))
}

// ownerTakesType reports whether the value of a property is a type.
func ownerTakesType(owner vocabulary.Owner, key string) bool {
	switch key {
	case "returns":
		return owner == vocabulary.OwnerAgent
	case "of", "elementType", "types":
		return ownerIsTyped(owner)
	case "type":
		return owner == vocabulary.OwnerField
	}
	return false
}

// ownerIsTyped reports whether properties with two colons declare fields.
func ownerIsTyped(o vocabulary.Owner) bool {
	_, known := vocabulary.PropertyOf(o, "enum") // which every type has
	return known
}

// ownerIsRule reports whether a node is a rule of approval, or becomes one.
func (c *cursorContext) ownerIsRule(node, around *frame) bool {
	return ownerHasRule(node, around) || c.ownerAtRuleLabel(node, around)
}

// ownerAtRuleLabel reports whether the cursor is at the label of a rule.
func (c *cursorContext) ownerAtRuleLabel(node, around *frame) bool {
	at := c.token.start
	return ownerIsEntry(around) && node.name == "" && node.last == ':' && c.token.quote == 0 && at > 1 && c.d.text[at-2] != ':'
}
