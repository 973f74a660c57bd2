package lsp

import (
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/migrate"
)

// rewrite offers other ways to write what is there, and properties to add.
func (o *selection) rewrite() {
	o.rewritePortable()
	o.addProperties()
	o.rewriteShortType()
}

// rewritePortable offers to write lists of fields as every gram tool reads them: those
// of the pattern at the top that the place is in, and those of the file.
func (o *selection) rewritePortable() {
	top, others := o.top(), 0
	for _, p := range o.doc.ast().Patterns {
		if p != top && strings.Contains(p.Span().Text(), "fields") {
			others++
		}
	}
	at := top.Span()
	if !strings.Contains(at.Text(), "fields") {
		return
	}
	tree, _ := grammar.Parse("", at.Text())
	text, _ := migrate.Fields(tree)
	if text == at.Text() {
		return
	}
	o.add("write the fields here as portable gram", kindRewrite, func(c *changes) {
		c.replace(o.doc, at.Start, at.End, text)
	})
	if _, problems := o.doc.file(); others == 0 || len(problems) > 0 {
		return
	}
	o.add("write all fields of the file as portable gram", kindRewrite, func(c *changes) {
		text, _ := migrate.Fields(o.doc.ast())
		c.add(o.doc, o.doc.editsTo(text)...)
	})
}

// rewriteShortType offers to write the type of a node as an expression: Array {of::Text}
// as [Text], Map {of::Int} as Map<Int>, and nullable: true as a question mark.
func (o *selection) rewriteShortType() {
	node, _ := o.typedNode()
	if node == nil || len(node.Subject.Labels) != 1 || node.Subject.Record == nil || hasComments(node.Subject.Record) {
		return
	}
	label := node.Subject.Labels[0].Name
	for i, p := range node.Subject.Record.Properties {
		expression := ""
		switch element, isType := rewrittenType(p.Value); {
		case label.Kind != ast.NameSymbol:
		case (p.Key.Text == "of" || p.Key.Text == "elementType") && isType && label.Text == "Array":
			expression = "[" + element + "]"
		case (p.Key.Text == "of" || p.Key.Text == "elementType") && isType && label.Text == "Map":
			expression = "Map<" + element + ">"
		case p.Key.Text == "nullable" && isTrue(p.Value) && p.Separator == ":" && node.Property("of") == nil && node.Property("elementType") == nil:
			expression = label.Text + "?"
		}
		if expression == "" {
			continue
		}
		o.add("write the type as "+expression, kindRewrite, func(c *changes) {
			at := label.Span()
			c.replace(o.doc, at.Start, at.End, ast.Print(ast.NewName(expression)))
			c.removeProperty(o.doc, node.Subject, i)
		})
		return
	}
}

// rewrittenType returns the type that a value is, as an expression writes it.
func rewrittenType(v ast.Value) (string, bool) {
	switch v := v.(type) {
	case *ast.Symbol:
		return v.Text, v.Text != "Object" && v.Text != "Array"
	case *ast.Tagged:
		return v.Text, v.Tag == "type" && !strings.HasPrefix(v.Text, "Maybe")
	case *ast.String:
		return v.Text, v.Quote != ast.QuoteFence && v.Text != "" && v.Text != "Object" && v.Text != "Array" && !strings.HasPrefix(v.Text, "Maybe")
	}
	return "", false
}

func isTrue(v ast.Value) bool {
	b, ok := v.(*ast.Bool)
	return ok && b.Value
}
