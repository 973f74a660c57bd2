package compile

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
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

// namedTypes are the types that have names, lowered.
type namedTypes struct {
	byName map[string]*TypeDef
	order  []*TypeDef
	used   map[*TypeDef]bool // those that something else than a type uses

	keyed    bool                   // schemas call some type otherwise than gram does
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

// typeNamed returns the named type of that name, nil when there is none.
func (c *checker) typeNamed(name string) *TypeDef {
	d := c.named.byName[name]
	c.missed = c.missed || d != nil && d.spared
	return d
}

// typeSuggestions returns the names of all types.
func (c *checker) typeSuggestions() []string {
	names := typeNames()
	for _, p := range c.scope.types[:min(len(c.scope.types), maxCandidates)] {
		names = append(names, p.Identity())
	}
	return names
}

// use returns a use of a named type, nil when the type is wrong, and notes that
// it is used where the compiler is now.
func (c *checker) use(d *TypeDef, place source.Span) *Type {
	user := c.named.current
	if user != nil {
		user.uses = append(user.uses, d)
	} else {
		c.named.used[d] = true
	}
	if d != user {
		c.deprecated(place, "type", d.pattern)
	}
	if d.wrong { // which has been told at the type
		c.broken = true
		return nil
	}
	return &Type{Def: d, Name: d.Name, Span: place}
}

// soon calls do when the named types that it may look at are lowered, and the
// stages before are over for all of them.
func (c *checker) soon(s stage, do func()) {
	if c.named.current == nil {
		do()
		return
	}
	c.named.deferred[s] = append(c.named.deferred[s], deferred{c.named.current, do})
}

// within calls do, of which the problems are those of a type.
func (c *checker) within(d *TypeDef, do func()) {
	outside := c.diags
	c.diags = d.problems
	do()
	d.problems = c.diags
	c.diags = outside
}

// lowerTypes lowers all named types.
func (c *checker) lowerTypes() {
	patterns := c.scope.types
	if c.graph {
		patterns = slices.DeleteFunc(slices.Clone(patterns), saysNoType)
	}
	if len(patterns) == 0 {
		return
	}
	c.named = namedTypes{
		byName: make(map[string]*TypeDef, len(patterns)),
		used:   make(map[*TypeDef]bool, len(patterns)),
	}
	if len(patterns) > maxNamedTypes {
		c.diags.Errorf(NameSpan(patterns[maxNamedTypes]), diag.CodeTooLarge, "more than %d named types", maxNamedTypes)
		patterns = patterns[:maxNamedTypes]
	}
	for _, p := range patterns {
		d := &TypeDef{Name: p.Identity(), pattern: p}
		c.within(d, func() { c.typeName(d) })
		c.named.order = append(c.named.order, d)
	}
	c.diags = append(c.diags, c.conflicts...)
	if c.mentions != nil {
		c.named.order = c.spare(c.named.order)
	}
	for i, d := range c.named.order {
		d.number = i
		c.named.current = d
		c.within(d, func() { c.namedType(d) })
	}
	c.named.current = nil
	c.findAliases()
	for s := range c.named.deferred {
		for _, later := range c.named.deferred[s] {
			c.within(later.of, later.do)
		}
		c.named.deferred[s] = nil
	}
	c.findRecursion()
	c.infinite()
	c.condemn()
}

// saysNoType reports whether a pattern is labelled as a type but says nothing of
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
func (c *checker) condemn() {
	var wrong []*TypeDef
	for _, d := range c.named.order {
		if d.Type == nil || d.problems.HasErrors() {
			wrong = append(wrong, d)
		}
	}
	if len(wrong) == 0 {
		return
	}
	users := map[*TypeDef][]*TypeDef{}
	for _, d := range c.named.order {
		for _, used := range d.uses {
			users[used] = append(users[used], d)
		}
	}
	for len(wrong) > 0 {
		d := wrong[len(wrong)-1]
		wrong = wrong[:len(wrong)-1]
		if !d.wrong {
			d.wrong, d.Type = true, nil
			wrong = append(wrong, users[d]...)
		}
	}
}

// typeName checks the name of a type and makes it known.
func (c *checker) typeName(d *TypeDef) {
	place := NameSpan(d.pattern)
	first := c.named.byName[d.Name]
	switch {
	case d.Name == "":
		c.diags.Errorf(place, diag.CodeMissingTypeName, "the type has no name; write [Name:Type …]")
		return
	case IsTypeName(d.Name):
		c.diags.Errorf(place, diag.CodeInvalidTypeName, "%s is a type of the language and cannot be defined", d.Name)
		return
	case !nameable(d.Name):
		c.diags.Errorf(place, diag.CodeInvalidTypeName,
			"no type can refer to %s; the name of a type is one word of letters, digits and _, such as PostalAddress", quote(d.Name))
		return
	case d.Name[0] < 'A' || d.Name[0] > 'Z':
		upper := string(d.Name[0]&^0x20) + d.Name[1:]
		w := c.diags.Warnf(place, diag.CodeInvalidTypeName, "the name of the type %s should start with a capital letter", quote(d.Name))
		if d.Name[0] != '_' && d.pattern.Subject.Identity.Kind == ast.NameSymbol {
			fix(w, "write "+upper+"; its uses must be changed too", place, upper)
		}
	}
	if first == nil {
		c.named.byName[d.Name] = d
		return
	}
	if c.isImported(place) && ast.Print(d.pattern) == ast.Print(first.pattern) {
		return
	}
	at, other := c.conflict(NameSpan(first.pattern), place)
	e := c.conflicts.Errorf(at, diag.CodeDuplicateType, "the type %s is defined twice", quote(d.Name))
	relate(e, other, "here too")
}

// namedType lowers one type.
func (c *checker) namedType(d *TypeDef) {
	p := d.pattern
	if slices.ContainsFunc(p.Elements, func(e *ast.Pattern) bool { return e.Form == ast.FormBad || e.Broken }) {
		return // which the parser has told
	}
	what := "the type " + quote(d.Name)
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
		t.Span = NameSpan(p)
	}
	d.Type = t
}

// shared reads shared:true, or shared:"key" where schemas call the type
// otherwise than gram does.
func (c *checker) shared(d *TypeDef, p *ast.Property, what string) {
	key, ok := ast.TextOf(p.Value)
	switch {
	case !ok:
		d.Shared = c.flag(p, what)
	case key == "":
		c.invalid(p, what, "true, or what schemas call the type")
	default:
		d.Shared, d.Key = true, key
		c.named.keyed = true
	}
}

// recordOrAlias lowers [Name:Type …].
func (c *checker) recordOrAlias(p *ast.Pattern, what string) *Type {
	r := p.Subject.Record
	c.unknownProperties(r, "a type", namedKeys)
	var t *Type
	switch only := soleAnonymous(p); {
	case only != nil:
		c.unknownProperties(only.Subject.Record, "a type", typeKeys)
		var optional bool
		t, optional = c.label(only, what)
		if optional {
			c.diags.Errorf(only.Span(), diag.CodeInvalidType, "a named type cannot be Maybe; make the field optional that holds it")
		}
		c.structure(t, only.Subject.Record, what)
		c.keywords(t, only.Subject.Record, what)
	case len(p.Elements) > 0:
		t = objectType("", c.elementFields(p, what))
	default:
		t = &Type{Kind: KindObject}
		if !saysMore(r) {
			c.diags.Errorf(endOf(p.Subject), diag.CodeMissingType,
				"%s says nothing; write its fields: [%s:Type | (name::Text)]", what, clip(p.Identity()))
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
func (c *checker) elementFields(p *ast.Pattern, what string) []*Param {
	fields := make([]*Param, 0, len(p.Elements))
	byName := make(map[string]*Param, len(p.Elements))
	for i, e := range p.Elements {
		if e.Form != ast.FormNode {
			c.diags.Errorf(e.Span(), diag.CodeMalformedFields, "a field of %s is a node: (name::Text)", what)
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

// The properties that mean something on enums and unions; nobody changes them.
var (
	enumProperties  = []string{"values", "title", "description", "default", "examples", "deprecated", "nullable", "shared"}
	unionProperties = []string{"discriminator", "exclusive", "title", "description", "default", "examples", "deprecated", "nullable", "shared"}
)

// enumType lowers [Name:Enum {values:[…]}].
func (c *checker) enumType(p *ast.Pattern, what string) *Type {
	c.unknownProperties(p.Subject.Record, "an enum", enumProperties, "values")
	if len(p.Elements) > 0 {
		c.diags.Errorf(p.Elements[0].Span(), diag.CodeInvalidType, `%s has elements; its values are a property: {values:["a", "b"]}`, what)
		return nil
	}
	values := p.Property("values")
	if values == nil || values.Value == nil {
		if values == nil && !incomplete(p) {
			d := c.diags.Errorf(endOf(p.Subject), diag.CodeMissingType, `%s has no values; write {values:["a", "b"]}`, what)
			addProperty(d, p.Subject, `values:["a", "b"]`)
		}
		return nil
	}
	t := &Type{Kind: enumKind(values.Value)}
	enum := readEnum(c, values, &attributed{t, what})
	if enum == nil {
		return nil
	}
	t.Keywords = []Keyword{{"enum", enum, values.Key.Span()}}
	c.keywords(t, p.Subject.Record, what)
	return t
}

// enumKind returns the kind of all values, KindAny when they differ.
func enumKind(v ast.Value) Kind {
	list, ok := v.(*ast.Array)
	if !ok || len(list.Elements) == 0 {
		return KindAny
	}
	kindOf := func(v ast.Value) Kind {
		switch v := v.(type) {
		case *ast.Number:
			if v.Kind == ast.Decimal {
				return KindNumber
			}
			return KindInteger
		case *ast.Bool:
			return KindBoolean
		case *ast.String, *ast.Tagged, *ast.Symbol:
			if isNull(v) {
				return KindNull
			}
			return KindString
		}
		return KindAny
	}
	k := kindOf(list.Elements[0])
	for _, e := range list.Elements[1:] {
		switch other := kindOf(e); {
		case other == k:
		case k == KindInteger && other == KindNumber, k == KindNumber && other == KindInteger:
			k = KindNumber
		default:
			return KindAny
		}
	}
	if k == KindNull {
		return KindAny
	}
	return k
}

// unionType lowers [Name:Union | (::A), (::B)].
func (c *checker) unionType(p *ast.Pattern, what string) *Type {
	r := p.Subject.Record
	c.unknownProperties(r, "a union", unionProperties)
	if len(p.Elements) == 0 {
		if !incomplete(p) {
			c.diags.Errorf(lastByte(p.Span(), "]"), diag.CodeMissingType, "%s has no alternatives; write | (::A), (::B) before the bracket closes", what)
		}
		return nil
	}
	t := &Type{}
	for _, e := range p.Elements {
		if e.Form != ast.FormNode || len(e.Subject.Labels) == 0 {
			d := c.diags.Errorf(e.Span(), diag.CodeInvalidType, "an alternative of %s is a node with a type: (::Name)", what)
			if name := e.Subject.Identity; e.Form == ast.FormRef || e.Form == ast.FormNode && name != nil && e.Subject.Record == nil {
				fix(d, "write (::"+ast.Print(name)+")", e.Span(), "(::"+ast.Print(name)+")")
			}
			return nil
		}
		c.unknownProperties(e.Subject.Record, "a type", typeKeys)
		alternative, optional := c.label(e, what)
		if optional {
			c.diags.Errorf(e.Span(), diag.CodeInvalidType, "an alternative of a union cannot be Maybe")
		}
		if alternative == nil {
			return nil
		}
		c.structure(alternative, e.Subject.Record, what)
		c.keywords(alternative, e.Subject.Record, what)
		t.Union = append(t.Union, alternative)
	}
	if exclusive := attributeIn(r, "exclusive"); exclusive != nil {
		t.Exclusive = c.flag(exclusive, what)
	}
	c.keywords(t, r, what)
	if discriminator := attributeIn(r, "discriminator"); discriminator != nil {
		c.soon(compare, func() { c.discriminator(t, p, discriminator, what) })
	}
	return t
}

// discriminator checks that a field tells the alternatives of a union apart:
// all are objects, and each holds another text in it.
func (c *checker) discriminator(t *Type, p *ast.Pattern, property *ast.Property, what string) {
	field, ok := ast.TextOf(property.Value)
	if word, bare := property.Value.(*ast.Symbol); bare {
		field, ok = word.Text, true
	}
	if !ok {
		c.notText(property, diag.CodeInvalidConstraint, what)
		return
	}
	seen := map[string]source.Span{}
	for i, alternative := range t.Union {
		place := p.Elements[i].Span()
		whole := alternative.Resolved()
		if whole == nil {
			continue
		}
		f := whole.field(field)
		if whole.Kind != KindObject || f == nil || f.Optional || f.Type == nil {
			c.diags.Errorf(place, diag.CodeInvalidConstraint, "%s is told apart by %s, which is no required field of %s", what, quote(field), typeWord(alternative))
			return
		}
		value := f.Type.keyword("const")
		if value == nil {
			c.diags.Errorf(place, diag.CodeInvalidConstraint, "%s is told apart by %s, which may hold more than one text in %s; write it %s:: type`\"…\"`",
				what, quote(field), typeWord(alternative), clip(field))
			return
		}
		if first, twice := seen[string(value)]; twice {
			d := c.diags.Errorf(place, diag.CodeInvalidConstraint, "two alternatives of %s have %s %s", what, clip(field), clip(string(value)))
			relate(d, first, "first here")
			return
		}
		seen[string(value)] = place
	}
}

// ownTypes tells what is wrong with the types of the file, used or not.
func (c *checker) ownTypes() {
	for _, d := range c.named.order {
		if d.pattern.Span().File == c.file.Source {
			c.diags = append(c.diags, d.problems...)
		}
	}
}

// usedTypes returns the types that the agents of the program use, directly or
// not, in the order of the text.
func (c *checker) usedTypes() []*TypeDef {
	var list []*TypeDef
	seen := c.reached()
	for _, d := range c.named.order {
		if seen[d] {
			list = append(list, d)
		}
	}
	return list
}

// reached returns the types that something else than a type uses, directly or
// not.
func (c *checker) reached() map[*TypeDef]bool {
	seen := map[*TypeDef]bool{}
	var visit func(d *TypeDef)
	visit = func(d *TypeDef) {
		if seen[d] {
			return
		}
		seen[d] = true
		for _, used := range d.uses {
			visit(used)
		}
	}
	for d := range c.named.used {
		visit(d)
	}
	return seen
}

// typeProblems returns the problems of the types that are used, directly or
// not.
func (c *checker) typeProblems() diag.List {
	var list diag.List
	for _, d := range c.usedTypes() {
		list = append(list, d.problems...)
	}
	return list
}

// fewTypes is how many imported types are lowered without asking who uses them.
const fewTypes = 32

// spare takes the imported types out of a list of which no name stands in the
// file, in an imported tool that an agent of it has, or in a type that is left.
// That leaves more than is used, but is found by looking at words alone.
func (c *checker) spare(all []*TypeDef) []*TypeDef {
	isImported := func(d *TypeDef) bool { return c.isImported(d.pattern.Span()) }
	others := 0
	for _, d := range all {
		if isImported(d) {
			others++
		}
	}
	if others <= fewTypes || c.file.Source == nil {
		return all
	}
	texts := c.mentions()
	needed := map[string]bool{}
	for len(texts) > 0 {
		text := texts[len(texts)-1]
		texts = texts[:len(texts)-1]
		eachWord(text, func(word string) {
			if d := c.named.byName[word]; d != nil && !needed[word] && isImported(d) {
				needed[word] = true
				texts = append(texts, d.pattern.Span().Text())
			}
		})
	}
	left := make([]*TypeDef, 0, len(all)-others+len(needed))
	for _, d := range all {
		if isImported(d) && !needed[d.Name] {
			d.spared, d.wrong = true, true
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
