package types

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/plainjson"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
	"github.com/gram-lang/gramc/source"
)

// A Kind is what RawJSON Schema calls a type.
type Kind string

// The kinds.
const (
	KindAny     Kind = "" // of several kinds: Any, a union, an enum of mixed values
	KindString  Kind = "string"
	KindInteger Kind = "integer"
	KindNumber  Kind = "number"
	KindBoolean Kind = "boolean"
	KindObject  Kind = "object"
	KindArray   Kind = "array"
	KindNull    Kind = "null"
)

// A Type is the type of a value.
type Type struct {
	Kind      Kind
	Name      string    // as written: Text, String, [Text]
	Elem      *Type     // of an array; nil = elements of any type
	Fields    []*Param  // of an object; nil = any fields
	Rest      *Type     // of an object: what the other fields hold; nil = anything
	Union     []*Type   // the alternatives of a union
	Def       *TypeDef  // the named type that this is a use of; of the rest only Nullable and Keywords count
	Keywords  []Keyword // what else the schema says
	Span      source.Span
	Exclusive bool // of a union: a value fits one alternative only
	Nullable  bool // null is a value too

	attributed bool              // attributes follow in its expression; some are read later
	required   int32             // how many Fields are not optional
	byName     map[string]*Param // Fields, where there are many
}

// A TypeDef is a named type, as in [Name:Type | …].
type TypeDef struct {
	Name   string
	Type   *Type  // nil when it is wrong, or made of what is
	Shared bool   // its schema stands once, in $defs, and is referred to
	Key    string // what it is called in $defs; "" = by its name

	Pattern   *ast.Pattern
	number    int        // its place among the types of the file
	Uses      []*TypeDef // which types it is made of
	Problems  diag.List
	Wrong     bool  // for good: all types are lowered
	skipped   bool  // it was not lowered, see skipLazyTypes; then it counts as wrong
	recursive bool  // it holds itself
	unshared  bool  // it holds itself, and not only by way of shared types
	finite    bool  // it holds itself, and has a finite value all the same
	component int   // the same for types that hold each other
	null      *bool // null is a value of it; nil = not known yet
}

// MarshalJSON writes the name of the type and its gram text.
func (d *TypeDef) MarshalJSON() ([]byte, error) {
	return plainjson.Marshal(TypeText{d.Name, ast.Print(d.Pattern)})
}

// A TypeText is a named type as an IR file has it.
type TypeText struct {
	Name       string `json:"name"`
	Definition string `json:"definition"`
}

// ByReference reports whether schemas refer to the type instead of holding it.
func (d *TypeDef) ByReference() bool { return d.Shared || d.unshared }

// key returns what the type is called in $defs.
func (d *TypeDef) key() string { return cmp.Or(d.Key, d.Name) }

// Resolved returns the type that t stands for, behind all names. It is nil
// where a named type is wrong, which is already reported.
func (t *Type) Resolved() *Type {
	for t != nil && t.Def != nil {
		t = t.Def.Type
	}
	return t
}

// expanded returns t without names: what the named types say and what their
// uses add to it. It is t itself where t has no name. No type behind t is
// wrong.
func (t *Type) expanded() *Type { return t.unfold(func(*TypeDef) bool { return true }) }

// written is expanded, but stops at a type that schemas refer to.
func (t *Type) written() *Type { return t.unfold(func(d *TypeDef) bool { return !d.ByReference() }) }

// unfold returns t without the names that are to be opened.
func (t *Type) unfold(open func(*TypeDef) bool) *Type {
	if t.Def == nil || !open(t.Def) {
		return t
	}
	whole := *t.Def.Type.unfold(open)
	whole.Name = t.Name
	whole.Nullable = whole.Nullable || t.Nullable
	if len(t.Keywords) == 0 {
		return &whole
	}
	whole.Keywords = slices.Clone(whole.Keywords)
	for _, k := range t.Keywords {
		whole.setKeyword(k)
	}
	sortKeywords(whole.Keywords)
	return &whole
}

// isAnything reports whether every value is one of t.
func (t *Type) isAnything() bool {
	return t.Kind == KindAny && t.Union == nil && t.Def == nil && t.keyword("type") == nil && t.keyword("enum") == nil && t.keyword("const") == nil
}

// AcceptsNull reports whether null is a value of t.
func (t *Type) AcceptsNull() bool {
	switch {
	case t == nil:
		return false
	case t.Nullable || t.Kind == KindNull || t.isAnything():
		return true
	case t.Def == nil:
		return slices.ContainsFunc(t.Union, (*Type).AcceptsNull)
	}
	d := t.Def
	if d.null == nil {
		null := d.Type.AcceptsNull()
		d.null = &null
	}
	return *d.null
}

// isNullable reports whether t, or a named type behind it, accepts null beside
// what the rest of it says.
func (t *Type) isNullable() bool {
	for ; t != nil; t = t.Def.Type {
		if t.Nullable {
			return true
		}
		if t.Def == nil {
			break
		}
	}
	return false
}

// objectType returns the type of objects with these fields.
func objectType(name string, fields []*Param) *Type {
	t := &Type{Kind: KindObject, Name: name}
	t.setFields(fields)
	return t
}

func (t *Type) setFields(fields []*Param) {
	t.Fields = fields
	t.required = 0
	for _, f := range fields {
		if !f.Optional {
			t.required++
		}
	}
	if t.byName = nil; len(fields) <= fewFields {
		return
	}
	t.byName = make(map[string]*Param, len(fields))
	for _, f := range fields {
		t.byName[f.Name] = f
	}
}

// fewFields is how many fields are found as fast without a table.
const fewFields = 8

// Field returns the field of a name, the last of several that have it by
// mistake, nil when there is none.
func (t *Type) Field(name string) *Param {
	if t.byName != nil {
		return t.byName[name]
	}
	for _, f := range slices.Backward(t.Fields) {
		if f.Name == name {
			return f
		}
	}
	return nil
}

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

// JSONWord returns how RawJSON Schema calls the values of the type, in a word or
// two.
func (t *Type) JSONWord() string {
	whole := t.Resolved()
	if whole == nil {
		return ""
	}
	word := string(whole.Kind)
	switch {
	case whole.Kind == KindArray && whole.Elem != nil:
		if of := whole.Elem.Resolved(); of != nil && of.Kind != KindAny {
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
		whole := a.Resolved()
		switch {
		case whole == nil || whole.Kind == KindAny:
			return "one of several"
		case !slices.Contains(kinds, string(whole.Kind)):
			kinds = append(kinds, string(whole.Kind))
		}
	}
	return strings.Join(kinds, " or ")
}

// TypeWord returns how a message calls a type.
func TypeWord(t *Type) string {
	if t.Name != "" {
		return report.Clip(t.Name)
	}
	return kindWords([]Kind{t.Kind})
}

// kindWords returns the types of these kinds as gram calls them.
func kindWords[K ~string](kinds []K) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = kindNames[Kind(k)]
	}
	if last := len(words) - 1; last > 0 {
		return strings.Join(words[:last], ", ") + " or " + words[last]
	}
	return words[0]
}

func namedKinds() (map[string]Kind, map[Kind]string) {
	byName, names := map[string]Kind{}, map[Kind]string{}
	for _, t := range vocabulary.TypeNames() {
		k := Kind(t.Kind)
		byName[t.Name] = k
		if names[k] == "" {
			names[k] = t.Name
		}
	}
	return byName, names
}

// kindNamed returns the kind of the types that have names of their own.
func kindNamed(name string) (k Kind, known bool) {
	k, known = kinds[name]
	return k, known
}

// IsTypeName reports whether a word names a type of the language.
func IsTypeName(name string) bool {
	_, known := kindNamed(name)
	return known
}

// isTextType reports whether a type holds text and nothing else.
func isTextType(t *Type) bool {
	t = t.Resolved()
	return t != nil && t.Kind == KindString
}

// firstTypeName returns Text for String, which means the same.
func firstTypeName(typeName string) string {
	all := vocabulary.TypeNames()
	for _, t := range all {
		if t.Name == typeName && t.Second {
			return all[slices.IndexFunc(all, func(other vocabulary.TypeName) bool { return other.Kind == t.Kind })].Name
		}
	}
	return typeName
}
