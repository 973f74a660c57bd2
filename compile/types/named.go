package types

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/internal/vocabulary"
	"github.com/gram-lang/gramc/source"
)

// This file lowers the types that a file names:
//
//	[Address:Type {description:"…"} | (street::Text), (zip::Text {pattern:"^[0-9]{5}$"})]
//	[Point:Type {x::Number, y::Number}]
//	[Email:Type {format:email} | (::Text)]
//	[Unit:Enum {values:["celsius", "fahrenheit"]}]
//	[Shape:Union {discriminator:"kind"} | (::Circle), (::Square)]

// maxNamedTypes is how many types a file may name, with those that it imports.
const maxNamedTypes = 10_000

// NamedTypes are the types that have names, lowered.
type NamedTypes struct {
	byName map[string]*TypeDef
	Order  []*TypeDef
	Used   map[*TypeDef]bool // those that something else than a type uses

	current  *TypeDef               // the one that is being lowered
	deferred [afterwards][]deferred // what waits until all are lowered
}

// A stage is when something is done that looks at named types.
type stage int

const (
	constrain stage = iota // say what holds for values of a type
	enumerate              // list such values
	compare                // compare others with all that is said
	afterwards
)

type deferred struct {
	of *TypeDef
	do func()
}

// TypeNamed returns the named type of that name, nil when there is none.
func (c *Checker) TypeNamed(name string) *TypeDef {
	d := c.Named.byName[name]
	c.Missed = c.Missed || d != nil && d.skipped
	return d
}

// typeSuggestions returns the names of all types.
func (c *Checker) typeSuggestions() []string {
	var names []string
	for _, t := range vocabulary.TypeNames() {
		names = append(names, t.Name)
	}
	for _, p := range c.Scope.Types[:min(len(c.Scope.Types), report.MaxCandidates)] {
		names = append(names, p.Identity())
	}
	return names
}

// use returns a use of a named type, nil when the type is wrong, and notes that
// it is used where the compiler is now.
func (c *Checker) use(d *TypeDef, place source.Span) *Type {
	user := c.Named.current
	if user != nil {
		user.Uses = append(user.Uses, d)
	} else {
		c.Named.Used[d] = true
	}
	if d != user {
		c.Deprecated(place, "type", d.Pattern)
	}
	if d.Wrong { // which is already reported at the type
		c.Broken = true
		return nil
	}
	return &Type{Def: d, Name: d.Name, Span: place}
}

// soon calls do when the named types that it may look at are lowered, and the
// stages before are over for all of them.
func (c *Checker) soon(s stage, do func()) {
	if c.Named.current == nil {
		do()
		return
	}
	c.Named.deferred[s] = append(c.Named.deferred[s], deferred{c.Named.current, do})
}

// within calls do, of which the problems are those of a type.
func (c *Checker) within(d *TypeDef, do func()) {
	outside := c.Diags
	c.Diags = d.Problems
	do()
	d.Problems = c.Diags
	c.Diags = outside
}

// LowerAll lowers all named types.
func (c *Checker) LowerAll() {
	patterns := c.Scope.Types
	if c.Graph {
		patterns = slices.DeleteFunc(slices.Clone(patterns), saysNoType)
	}
	if len(patterns) == 0 {
		return
	}
	c.Named = NamedTypes{
		byName: make(map[string]*TypeDef, len(patterns)),
		Used:   make(map[*TypeDef]bool, len(patterns)),
	}
	if len(patterns) > maxNamedTypes {
		c.Diags.Errorf(report.NameSpan(patterns[maxNamedTypes]), diag.CodeTooLarge, "more than %d named types", maxNamedTypes)
		patterns = patterns[:maxNamedTypes]
	}
	for _, p := range patterns {
		d := &TypeDef{Name: p.Identity(), Pattern: p}
		c.within(d, func() { c.typeName(d) })
		c.Named.Order = append(c.Named.Order, d)
	}
	c.Diags = append(c.Diags, c.Conflicts...)
	if c.Mentions != nil {
		c.Named.Order = c.skipUnmentioned(c.Named.Order)
	}
	for i, d := range c.Named.Order {
		d.number = i
		c.Named.current = d
		c.within(d, func() { c.namedType(d) })
	}
	c.Named.current = nil
	c.findAliases()
	for s := range c.Named.deferred {
		for _, later := range c.Named.deferred[s] {
			c.within(later.of, later.do)
		}
		c.Named.deferred[s] = nil
	}
	c.findRecursion()
	c.infinite()
	c.condemn()
}

// saysNoType reports whether a pattern is labelled as a type but does not restrict
// one. In a file without agents and tools it is part of a graph, in which the
// label means something else.
func saysNoType(p *ast.Pattern) bool {
	r := p.Subject.Record
	if len(p.Elements) > 0 || r == nil {
		return len(p.Elements) == 0
	}
	return !slices.ContainsFunc(r.Properties, func(p *ast.Property) bool {
		return DeclaresField(p) || p.Key.Text == "values" || p.Key.Text == "fields" || p.Value == nil
	})
}

// condemn marks the types that are wrong, and those that are made of them.
func (c *Checker) condemn() {
	wrong := slices.DeleteFunc(slices.Clone(c.Named.Order), func(d *TypeDef) bool {
		return d.Type != nil && !d.Problems.HasErrors()
	})
	if len(wrong) == 0 {
		return
	}
	users := c.users()
	for d := range reach(wrong, func(d *TypeDef) []*TypeDef { return users[d] }) {
		d.Wrong, d.Type = true, nil
	}
}

// reach returns the types that are open and those that they lead to.
func reach(open []*TypeDef, next func(*TypeDef) []*TypeDef) map[*TypeDef]bool {
	seen := make(map[*TypeDef]bool, len(open))
	for len(open) > 0 {
		d := open[len(open)-1]
		open = open[:len(open)-1]
		if !seen[d] {
			seen[d] = true
			open = append(open, next(d)...)
		}
	}
	return seen
}

// typeName checks the name of a type and makes it known.
func (c *Checker) typeName(d *TypeDef) {
	place := report.NameSpan(d.Pattern)
	first := c.Named.byName[d.Name]
	problem := TypeNameProblem(d.Name)
	switch {
	case d.Name == "":
		c.Diags.Errorf(place, diag.CodeMissingTypeName, "the type has no name; write [Name:Type …]")
		return
	case IsTypeName(d.Name) || !nameable(d.Name):
		c.Diags.Errorf(place, diag.CodeInvalidTypeName, "%s", problem)
		return
	case problem != "":
		upper := string(d.Name[0]&^0x20) + d.Name[1:]
		w := c.Diags.Warnf(place, diag.CodeInvalidTypeName, "%s", problem)
		if d.Name[0] != '_' && d.Pattern.Subject.Identity.Kind == ast.NameSymbol {
			report.Fix(w, "write "+upper+"; its uses must be changed too", place, upper)
		}
	}
	if first == nil {
		c.Named.byName[d.Name] = d
		return
	}
	if c.IsImported(place) && ast.Print(d.Pattern) == ast.Print(first.Pattern) {
		return
	}
	at, other := c.Conflict(report.NameSpan(first.Pattern), place)
	e := c.Conflicts.Errorf(at, diag.CodeDuplicateType, "the type %s is defined twice", report.Quote(d.Name))
	report.Relate(e, other, "here too")
}

// namedType lowers one type.
func (c *Checker) namedType(d *TypeDef) {
	p := d.Pattern
	if slices.ContainsFunc(p.Elements, func(e *ast.Pattern) bool { return e.Form == ast.FormBad || e.Broken }) {
		return // which the parser has reported
	}
	what := "the type " + report.Quote(d.Name)
	var t *Type
	switch {
	case p.HasLabel(ast.LabelEnum):
		t = c.enumType(p, what)
	case p.HasLabel(ast.LabelUnion):
		t = c.unionType(p, what)
	default:
		t = c.recordOrAlias(p, what)
	}
	if shared := attributeIn(p.Subject.Record, "shared"); shared != nil {
		c.shared(d, shared, what)
	}
	if t != nil {
		t.Span = report.NameSpan(p)
	}
	d.Type = t
}

// shared reads shared:true, or shared:"key" where schemas call the type
// otherwise than gram does.
func (c *Checker) shared(d *TypeDef, p *ast.Property, what string) {
	key, ok := ast.TextOf(p.Value)
	switch {
	case !ok:
		d.Shared = c.Flag(p, what)
	case key == "":
		c.Invalid(p, what, "true, or what schemas call the type")
	default:
		d.Shared, d.Key = true, key
	}
}

// recordOrAlias lowers [Name:Type …].
func (c *Checker) recordOrAlias(p *ast.Pattern, what string) *Type {
	r := p.Subject.Record
	c.UnknownProperties(r, "a type", namedKeys)
	var t *Type
	switch only := soleAnonymous(p); {
	case only != nil:
		c.UnknownProperties(only.Subject.Record, "a type", typeKeys)
		var optional bool
		t, optional = c.label(only, what)
		if optional {
			c.Diags.Errorf(only.Span(), diag.CodeInvalidType, "a named type cannot be Maybe; make the field optional that holds it")
		}
		c.structure(t, only.Subject.Record, what)
		c.keywords(t, only.Subject.Record, what)
	case len(p.Elements) > 0:
		t = objectType("", c.elementFields(p, what))
	default:
		t = &Type{Kind: KindObject}
		if !saysMore(r) {
			c.Diags.Errorf(report.EndOf(p.Subject), diag.CodeMissingType,
				"%s says nothing; write its fields: [%s:Type | (name::Text)]", what, report.Clip(p.Identity()))
			return nil
		}
	}
	c.structure(t, r, what)
	c.keywords(t, r, what)
	return t
}

// saysMore reports whether a record holds more than notes.
func saysMore(r *ast.Record) bool {
	return r != nil && slices.ContainsFunc(r.Properties, func(p *ast.Property) bool {
		return p.Value == nil || DeclaresField(p) || !isNote(p.Key.Text) && p.Key.Text != "shared"
	})
}

// soleAnonymous returns the only element when it is (::Type), which makes the
// pattern another name of that type.
func soleAnonymous(p *ast.Pattern) *ast.Pattern {
	if len(p.Elements) != 1 {
		return nil
	}
	e := p.Elements[0]
	if e.Form != ast.FormNode || e.Subject.Identity != nil || len(e.Subject.Labels) == 0 || e.Property("paramName") != nil {
		return nil
	}
	return e
}

// elementFields lowers elements as the fields of an object.
func (c *Checker) elementFields(p *ast.Pattern, what string) []*Param {
	fields := make([]*Param, 0, len(p.Elements))
	byName := make(map[string]*Param, len(p.Elements))
	for i, e := range p.Elements {
		if e.Form != ast.FormNode {
			c.Diags.Errorf(e.Span(), diag.CodeMalformedFields, "a field of %s is a node: (name::Text)", what)
			continue
		}
		f := c.param(e, i+1, "field")
		if f.Type == nil {
			continue
		}
		fields = append(fields, f)
		c.duplicate(byName, f, diag.CodeDuplicateField, "field")
	}
	return fields
}

// enumType lowers [Name:Enum {values:[…]}].
func (c *Checker) enumType(p *ast.Pattern, what string) *Type {
	c.UnknownProperties(p.Subject.Record, "an enum", enumKeys, "values")
	if len(p.Elements) > 0 {
		c.Diags.Errorf(p.Elements[0].Span(), diag.CodeInvalidType, `%s has elements; its values are a property: {values:["a", "b"]}`, what)
		return nil
	}
	values := p.Property("values")
	if values == nil || values.Value == nil {
		if values == nil && !Incomplete(p) {
			d := c.Diags.Errorf(report.EndOf(p.Subject), diag.CodeMissingType, `%s has no values; write {values:["a", "b"]}`, what)
			report.AddProperty(d, p.Subject, `values:["a", "b"]`)
		}
		return nil
	}
	t := &Type{}
	enum := c.readEnum(values, t, what)
	if enum == nil {
		return nil
	}
	if _, isList := values.Value.(*ast.Array); isList {
		t.Kind = kindOfAll(enum)
	}
	t.Keywords = []Keyword{{"enum", enum, values.Key.Span()}}
	c.keywords(t, p.Subject.Record, what)
	return t
}

// kindOfAll returns the kind of all values of a list, KindAny when they differ.
func kindOfAll(list json.RawMessage) Kind {
	var values []json.RawMessage
	if err := json.Unmarshal(list, &values); err != nil {
		panic("types: " + err.Error())
	}
	kind := KindAny
	for i, v := range values {
		k := KindAny
		switch {
		case v[0] == '"':
			k = KindString
		case v[0] == 't' || v[0] == 'f':
			k = KindBoolean
		case bytes.ContainsAny(v[:1], "-0123456789"):
			k = KindInteger
			if bytes.ContainsAny(v, ".eE") || kind == KindNumber {
				k = KindNumber
			}
		}
		if i > 0 && k != kind && !(kind == KindInteger && k == KindNumber) {
			return KindAny
		}
		kind = k
	}
	return kind
}

// unionType lowers [Name:Union | (::A), (::B)].
func (c *Checker) unionType(p *ast.Pattern, what string) *Type {
	r := p.Subject.Record
	c.UnknownProperties(r, "a union", unionKeys)
	if len(p.Elements) == 0 {
		if !Incomplete(p) {
			c.Diags.Errorf(report.LastByte(p.Span(), "]"), diag.CodeMissingType, "%s has no alternatives; write | (::A), (::B) before the bracket closes", what)
		}
		return nil
	}
	t := &Type{}
	for _, e := range p.Elements {
		if e.Form != ast.FormNode || len(e.Subject.Labels) == 0 {
			d := c.Diags.Errorf(e.Span(), diag.CodeInvalidType, "an alternative of %s is a node with a type: (::Name)", what)
			if name := e.Subject.Identity; e.Form == ast.FormRef || e.Form == ast.FormNode && name != nil && e.Subject.Record == nil {
				report.Fix(d, "write (::"+ast.Print(name)+")", e.Span(), "(::"+ast.Print(name)+")")
			}
			return nil
		}
		c.UnknownProperties(e.Subject.Record, "a type", typeKeys)
		alternative, optional := c.label(e, what)
		if optional {
			c.Diags.Errorf(e.Span(), diag.CodeInvalidType, "an alternative of a union cannot be Maybe")
		}
		if alternative == nil {
			return nil
		}
		c.structure(alternative, e.Subject.Record, what)
		c.keywords(alternative, e.Subject.Record, what)
		t.Union = append(t.Union, alternative)
	}
	if exclusive := attributeIn(r, "exclusive"); exclusive != nil {
		t.Exclusive = c.Flag(exclusive, what)
	}
	c.keywords(t, r, what)
	if discriminator := attributeIn(r, "discriminator"); discriminator != nil {
		c.soon(compare, func() { c.discriminator(t, p, discriminator, what) })
	}
	return t
}

// discriminator checks that a field reports the alternatives of a union apart:
// all are objects, and each holds another text in it.
func (c *Checker) discriminator(t *Type, p *ast.Pattern, property *ast.Property, what string) {
	field, ok := ast.WordOf(property.Value)
	if !ok {
		c.NotText(property, diag.CodeInvalidConstraint, what)
		return
	}
	seen := map[string]source.Span{}
	for i, alternative := range t.Union {
		place := p.Elements[i].Span()
		whole := alternative.Resolved()
		if whole == nil {
			continue
		}
		f := whole.Field(field)
		if whole.Kind != KindObject || f == nil || f.Optional || f.Type == nil {
			c.Diags.Errorf(place, diag.CodeInvalidConstraint, "%s is told apart by %s, which is no required field of %s", what, report.Quote(field), TypeWord(alternative))
			return
		}
		value := f.Type.keyword("const")
		if value == nil {
			c.Diags.Errorf(place, diag.CodeInvalidConstraint, "%s is told apart by %s, which may hold more than one text in %s; write it %s:: type`\"…\"`",
				what, report.Quote(field), TypeWord(alternative), report.Clip(field))
			return
		}
		if first, twice := seen[string(value)]; twice {
			d := c.Diags.Errorf(place, diag.CodeInvalidConstraint, "two alternatives of %s have %s %s", what, report.Clip(field), report.Clip(string(value)))
			report.Relate(d, first, "first here")
			return
		}
		seen[string(value)] = place
	}
}

// AppendOwn reports what is wrong with the types of the file, used or not.
func (c *Checker) AppendOwn() {
	for _, d := range c.Named.Order {
		if d.Pattern.Span().File == c.File.Source {
			c.Diags = append(c.Diags, d.Problems...)
		}
	}
}

// UsedTypes returns the types that the agents of the program use, directly or
// not, in the order of the text.
func (c *Checker) UsedTypes() []*TypeDef {
	used := c.Reached()
	return slices.DeleteFunc(slices.Clone(c.Named.Order), func(d *TypeDef) bool { return !used[d] })
}

// Reached returns the types that something else than a type uses, directly or
// not.
func (c *Checker) Reached() map[*TypeDef]bool {
	return reach(slices.Collect(maps.Keys(c.Named.Used)), func(d *TypeDef) []*TypeDef { return d.Uses })
}

// TypeProblems returns the problems of the types that are used, directly or
// not.
func (c *Checker) TypeProblems() diag.List {
	var list diag.List
	for _, d := range c.UsedTypes() {
		list = append(list, d.Problems...)
	}
	return list
}

// fewTypes is how many imported types are lowered without asking who uses them.
const fewTypes = 32

// skipUnmentioned takes the imported types out of a list of which no name stands in the
// file, in an imported tool that an agent of it has, or in a type that is left.
// That leaves more than is used, but is found by looking at words alone.
func (c *Checker) skipUnmentioned(all []*TypeDef) []*TypeDef {
	isImported := func(d *TypeDef) bool { return c.IsImported(d.Pattern.Span()) }
	others := 0
	for _, d := range all {
		if isImported(d) {
			others++
		}
	}
	if others <= fewTypes || c.File.Source == nil {
		return all
	}
	texts := c.Mentions()
	needed := map[string]bool{}
	for len(texts) > 0 {
		text := texts[len(texts)-1]
		texts = texts[:len(texts)-1]
		eachWord(text, func(word string) {
			if d := c.Named.byName[word]; d != nil && !needed[word] && isImported(d) {
				needed[word] = true
				texts = append(texts, d.Pattern.Span().Text())
			}
		})
	}
	left := make([]*TypeDef, 0, len(all)-others+len(needed))
	for _, d := range all {
		if isImported(d) && !needed[d.Name] {
			d.skipped, d.Wrong = true, true
			continue
		}
		left = append(left, d)
	}
	return left
}

// eachWord calls do with all that can be the name of a type in a text.
func eachWord(text string, do func(word string)) {
	for i := 0; i < len(text); i++ {
		if !isNameStart(text[i]) {
			continue
		}
		start := i
		for i < len(text) && isNamePart(text[i]) {
			i++
		}
		do(text[start:i])
	}
}
