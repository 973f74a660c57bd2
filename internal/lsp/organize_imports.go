package lsp

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
)

// organizeImports offers to sort the imports of the document, without those that
// nothing uses and those that stand there twice.
func (o *selection) organizeImports() {
	tree, broken := o.doc.file()
	property := tree.Header.Get("import")
	if !o.wants(kindOrganize) || len(broken) > 0 || property == nil || property.Value == nil || hasComments(property) {
		return
	}
	written := []ast.Value{property.Value}
	if list, isList := property.Value.(*ast.Array); isList {
		written = list.Elements
	}
	kept := slices.DeleteFunc(slices.Clone(written), func(v ast.Value) bool {
		return slices.ContainsFunc(o.examine(o.doc).problems, func(p *diag.Diagnostic) bool {
			return p.Span == v.Span() && (p.Code == diag.CodeUnusedImport || p.Code == diag.CodeInvalidImport && p.Severity == diag.Hint)
		})
	})
	pathOf := func(v ast.Value) string {
		text, _ := ast.TextOf(v)
		return text
	}
	slices.SortStableFunc(kept, func(a, b ast.Value) int { return strings.Compare(pathOf(a), pathOf(b)) })
	if slices.Equal(kept, written) {
		return
	}
	o.add("organize imports", kindOrganize, func(c *changes) {
		if len(kept) == 0 {
			at := compile.ImportsSpan(tree)
			c.replace(o.doc, at.Start, at.End, "")
			return
		}
		for i, v := range kept { // what stands between them stays
			if at := written[i].Span(); v != written[i] {
				c.replace(o.doc, at.Start, at.End, v.Span().Text())
			}
		}
		if last := written[len(kept)-1].Span().End; len(kept) < len(written) {
			c.replace(o.doc, last, written[len(written)-1].Span().End, "")
		}
	})
}
