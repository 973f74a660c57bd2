package types

import (
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

// NamedType returns the named type of that name, nil when there is none.
func (c *Checker) NamedType(name string) *TypeDef {
	d := c.Named.byName[name]
	c.Missed = c.Missed || d != nil && d.skipped
	return d
}

// namedTypeSuggestions returns the names of all types.
func (c *Checker) namedTypeSuggestions() []string {
	var names []string
	for _, t := range vocabulary.TypeNames() {
		names = append(names, t.Name)
	}
	for _, p := range c.Scope.Types[:min(len(c.Scope.Types), report.MaxCandidates)] {
		names = append(names, p.Identity())
	}
	return names
}

// useNamedType returns a use of a named type, nil when the type is wrong, and notes that
// it is used where the compiler is now.
func (c *Checker) useNamedType(d *TypeDef, place source.Span) *Type {
	user := c.Named.current
	if user != nil {
		user.Uses = append(user.Uses, d)
	} else {
		c.Named.Used[d] = true
	}
	if d != user {
		c.Deprecated(place, "type", d.Pattern, func(name string) bool { return c.Named.byName[name] != nil })
	}
	if d.Wrong { // which is already reported at the type
		c.Broken = true
		return nil
	}
	t := c.types.take()
	t.Def, t.Name, t.Span = d, d.Name, place
	return t
}

// whenNamedTypesLowered calls do when the named types that it may look at are lowered, and the
// stages before are over for all of them.
func (c *Checker) whenNamedTypesLowered(s stage, do func()) {
	if c.Named.current == nil {
		do()
		return
	}
	c.Named.deferred[s] = append(c.Named.deferred[s], deferred{c.Named.current, do})
}

// inNamedType calls do, of which the problems are those of a type.
func (c *Checker) inNamedType(d *TypeDef, do func()) {
	outside := c.Diags
	c.Diags = d.Problems
	do()
	d.Problems = c.Diags
	c.Diags = outside
}

// namedTypeSaysNothing reports whether a pattern is labelled as a type but does not restrict
// one. In a file without agents and tools it is part of a graph, in which the
// label means something else.
func namedTypeSaysNothing(p *ast.Pattern) bool {
	r := p.Subject.Record
	if len(p.Elements) > 0 || r == nil {
		return len(p.Elements) == 0
	}
	types := 0
	for _, p := range r.Properties {
		word, bare := p.Value.(*ast.Symbol)
		if !bare || foreignWordType(word.Text) == "" && foreignFormat(word.Text) == "" {
			types = 0
			break
		}
		if foreignWordType(word.Text) != "" {
			types++
		}
	}
	return !slices.ContainsFunc(r.Properties, func(p *ast.Property) bool {
		return DeclaresField(p) || p.Key.Text == "values" || p.Key.Text == "fields" || p.Value == nil
	}) && types == 0
}

// markWrongNamedTypes marks the types that are wrong, and those that are made of them.
func (c *Checker) markWrongNamedTypes() {
	wrong := slices.DeleteFunc(slices.Clone(c.Named.Order), func(d *TypeDef) bool {
		return d.Type != nil && !d.Problems.HasErrors()
	})
	if len(wrong) == 0 {
		return
	}
	users := c.recursionUsers()
	for d := range reachNamedTypes(wrong, func(d *TypeDef) []*TypeDef { return users[d] }) {
		d.Wrong, d.Type = true, nil
	}
}

// reachNamedTypes returns the types that are open and those that they lead to.
func reachNamedTypes(open []*TypeDef, next func(*TypeDef) []*TypeDef) map[*TypeDef]bool {
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

// defineNamedType checks the name of a type and makes it known.
func (c *Checker) defineNamedType(d *TypeDef) {
	place := report.NameSpan(d.Pattern)
	first := c.Named.byName[d.Name]
	problem := TypeNameProblem(d.Name)
	switch {
	case d.Name == "":
		c.Diags.Errorf(place, diag.CodeMissingTypeName, "the type has no name; write [Name:Type …]")
		return
	case IsTypeName(d.Name) || !nameableType(d.Name):
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
	if at == place && place.File != nil && ast.Print(d.Pattern) == ast.Print(first.Pattern) {
		e.Fixes = append(e.Fixes, diag.Fix{Title: "remove it", Edits: []diag.Edit{report.RemovePattern(d.Pattern)}})
		e.MarkSafe()
	}
}

// AppendOwnNamedTypes reports what is wrong with the types of the file, used or not.
func (c *Checker) AppendOwnNamedTypes() {
	for _, d := range c.Named.Order {
		if d.Pattern.Span().File == c.File.Source {
			c.Diags = append(c.Diags, d.Problems...)
		}
	}
}

// UsedNamedTypes returns the types that the agents of the program use, directly or
// not, in the order of the text.
func (c *Checker) UsedNamedTypes() []*TypeDef {
	used := c.ReachedNamedTypes()
	return slices.DeleteFunc(slices.Clone(c.Named.Order), func(d *TypeDef) bool { return !used[d] })
}

// ReachedNamedTypes returns the types that something else than a type uses, directly or
// not.
func (c *Checker) ReachedNamedTypes() map[*TypeDef]bool {
	return reachNamedTypes(slices.Collect(maps.Keys(c.Named.Used)), func(d *TypeDef) []*TypeDef { return d.Uses })
}

// NamedTypeProblems returns the problems of the types that are used, directly or
// not.
func (c *Checker) NamedTypeProblems() diag.List {
	var list diag.List
	for _, d := range c.UsedNamedTypes() {
		list = append(list, d.Problems...)
	}
	return list
}
