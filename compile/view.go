package compile

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/diag"
)

// A View answers what single parts of a file mean, whatever is wrong with its
// other parts. It is for editors, and not for several goroutines at once.
type View struct{ c *compiler }

// NewView returns the view of a file.
func NewView(f *ast.File, o *Options) *View { return &View{newCompiler(f, o)} }

// Names returns the agents, tools and types that the file knows.
func (v *View) Names() *Names { return v.c.names }

// Tool returns what a tool of the file or of an imported one means. Its
// signature is nil when there is something wrong with it.
func (v *View) Tool(t ast.Tool) *Tool { return v.c.lowerToolOnce(t) }

// Signature returns what the signature of an entry means, nil when there is
// something wrong with it.
func (v *View) Signature(p *ast.Pattern) *types.Signature { return v.c.LowerSignature(p) }

// Entries returns the entries of the libraries of the file, without those in which
// there is an error.
func (v *View) Entries() []*library.Entry {
	var list []*library.Entry
	for _, p := range v.c.main.Patterns {
		if library.IsLibrary(p) {
			list = append(list, v.c.libraries.Library(p).Entries...)
		}
	}
	return slices.DeleteFunc(list, func(e *library.Entry) bool {
		at := e.Pattern.Span()
		hasSignature := slices.ContainsFunc(e.Pattern.Elements, func(p *ast.Pattern) bool { return library.RuleLabel(p) == nil })
		return hasSignature && e.Signature == nil || slices.ContainsFunc(v.c.Diags, func(d *diag.Diagnostic) bool {
			return d.Severity == diag.Error && d.Span.File == at.File && at.Start <= d.Span.Start && d.Span.End <= at.End
		})
	})
}

// CheckEntry returns where an entry of a library differs from a tool of the file that
// it works for.
func (v *View) CheckEntry(e *library.Entry, t ast.Tool) diag.List {
	tool := v.Tool(t)
	before := len(v.c.Diags)
	v.c.fitEntry(e, tool)
	return slices.Clone(v.c.Diags[before:])
}

// Type returns the named type that the file knows by a name. It is nil when there
// is none; its Type is nil when it is wrong.
func (v *View) Type(name string) *types.TypeDef { return v.c.NamedType(name) }

// TypeOf returns what a type expression means, as it may stand in the file; nil
// when it is wrong.
func (v *View) TypeOf(text string) *types.Type {
	c := v.c.Fork()
	t, _ := c.LowerTypeText(text, &ast.String{Text: text})
	return t
}
