package compile

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/source"
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
func (v *View) Tool(t ast.Tool) *Tool { return v.c.tool(t) }

// Signature returns what the signature of an entry means, nil when there is
// something wrong with it.
func (v *View) Signature(p *ast.Pattern) *Signature { return v.c.signature(p) }

// Type returns the named type that the file knows by a name. It is nil when there
// is none; its Type is nil when it is wrong.
func (v *View) Type(name string) *TypeDef { return v.c.typeNamed(name) }

// TypeOf returns what a type expression means, as it may stand in the file; nil
// when it is wrong.
func (v *View) TypeOf(text string) *Type {
	c := v.c.fork()
	t, _ := c.typeText(text, &ast.String{Text: text})
	return t
}

// Pattern returns where the type is defined.
func (d *TypeDef) Pattern() *ast.Pattern { return d.pattern }

// Word returns how gram calls the type: by its name, or by what it was written
// as.
func (t *Type) Word() string {
	word := strings.TrimSpace(t.Name)
	if word == "" {
		word = kindWords([]Kind{t.Kind})
	}
	if t.Nullable && !strings.HasSuffix(word, "?") {
		word += " or null"
	}
	return word
}

// JSONWord returns how JSON Schema calls the values of the type, in a word or
// two.
func (t *Type) JSONWord() string {
	whole := t.resolved()
	if whole == nil {
		return ""
	}
	word := string(whole.Kind)
	switch {
	case whole.Kind == KindArray && whole.Elem != nil:
		if of := whole.Elem.resolved(); of != nil && of.Kind != KindAny {
			word = "array of " + string(of.Kind)
		}
	case whole.Union != nil:
		word = unionWord(whole.Union)
	case whole.keyword("enum") != nil || whole.keyword("const") != nil:
		word = strings.TrimSpace("enum " + word)
	case whole.Kind == KindAny:
		word = "any"
	}
	if t.isNullable() && word != "any" {
		word += " or null"
	}
	return word
}

// unionWord returns the kinds of alternatives.
func unionWord(alternatives []*Type) string {
	var kinds []string
	for _, a := range alternatives {
		whole := a.resolved()
		switch {
		case whole == nil || whole.Kind == KindAny:
			return "one of several"
		case !slices.Contains(kinds, string(whole.Kind)):
			kinds = append(kinds, string(whole.Kind))
		}
	}
	return strings.Join(kinds, " or ")
}

// Resolved returns the type that t stands for, behind all names; nil when that
// is wrong.
func (t *Type) Resolved() *Type { return t.resolved() }

// Keyword returns what a type, with the named types behind it, says of a keyword
// of JSON Schema; nil when it says nothing.
func (t *Type) Keyword(name string) []byte {
	if t.resolved() == nil {
		return nil
	}
	return t.expanded().keyword(name)
}

// IsLibrary reports whether a pattern at the top of a file is a library.
func IsLibrary(p *ast.Pattern) bool { return meansLibrary(p) }

// EntryOf returns the kind of an element of a library, "" when it is no entry.
func EntryOf(p *ast.Pattern) EntryKind {
	for _, kind := range []EntryKind{EntryCommand, EntryHTTP, EntryMCP, EntryBuiltin} {
		if p.HasLabel(string(kind)) {
			return kind
		}
	}
	return ""
}

// BuiltinOf returns the built-in that an entry is, and whether there is one.
func BuiltinOf(p *ast.Pattern) (b BuiltinTool, known bool) {
	name := p.Identity()
	if said := p.Property("builtin"); said != nil && said.Value != nil {
		name, _ = ast.WordOf(said.Value)
	}
	for _, b := range documentedBuiltins() {
		if b.Name == name {
			return b, true
		}
	}
	return BuiltinTool{}, false
}

// IsRule reports whether an element of an entry is a rule of approval.
func IsRule(p *ast.Pattern) bool { return ruleLabel(p) != nil }

// NameSpan returns the place of the name of a pattern, or what comes closest to
// one.
func NameSpan(p *ast.Pattern) source.Span { return nameSpan(p) }
