package lsp

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/types"
	"github.com/gram-lang/gramc/internal/template"
)

// checkFixed returns why the symbol keeps its name, nil if it need not.
func (r *renaming) checkFixed() error {
	for _, o := range r.occurrences {
		if o.purpose == served {
			return fmt.Errorf("the tool %[2]q is defined by the server %[1]s and cannot be renamed here; see %[3]s", quotedDefinition(o.in), r.name, r.shownPath(o.document))
		}
	}
	seen := map[*definition]bool{} // the tools whose entries have been looked at
	for _, def := range r.ordered {
		top := topmostDefinition(def)
		if def.kind != parameterKind || seen[top] || top.name == "" {
			continue
		}
		tool := r.finder.symbol([]*definition{top})
		if err := r.checkServedTool(tool); err != nil {
			return err
		}
		for def := range tool.definitions {
			seen[def] = true
		}
		for _, entry := range r.symbolEntries(tool) {
			b, _ := library.BuiltinNamed(entry.builtin())
			if entry.isBuiltin() && slices.Contains(b.ParameterNames(), r.name) {
				return fmt.Errorf("the built-in tool %s calls its parameter %q, and the entry %s of %s uses that tool", entry.builtin(), r.name, quotedDefinition(entry), r.shownPath(entry.document))
			}
		}
	}
	return r.checkShell()
}

// checkServedTool returns an error when a server is known to have the tool of a
// parameter.
func (r *renaming) checkServedTool(tool *symbol) error {
	for _, d := range r.all {
		for _, u := range d.index().named(tool.name) {
			if u.purpose == served && tool.relate(r.resolve(d, u)) != unrelated {
				return fmt.Errorf("the tool %[2]q is defined by the server %[1]s, and its parameter cannot be renamed here; see %[3]s", quotedDefinition(u.in), tool.name, r.shownPath(d))
			}
		}
	}
	return nil
}

// checkShell returns an error when the shell line of an entry contains the name of
// a parameter, or of a field of its parameters or result: its meaning there is
// unknown.
func (r *renaming) checkShell() error {
	if !slices.ContainsFunc(r.ordered, func(def *definition) bool { return def.kind.isPart() }) {
		return nil
	}
	for _, d := range r.all {
		for _, entry := range d.index().definitions {
			if entry.kind != entryKind {
				continue
			}
			shell := entry.pattern.Property("shell")
			if shell == nil || shell.Value == nil || countWord(shell.Value.Span().Text(), r.name) == 0 {
				continue
			}
			if r.checkReach(append(r.contracts(d, entry.name), entry), map[*definition]bool{}) {
				return fmt.Errorf("the shell line of the entry %s in %s contains %q, whose meaning there is unknown", quotedDefinition(entry), r.shownPath(d), r.name)
			}
		}
	}
	return nil
}

// checkReach reports whether a part of some definitions, or of the types that they
// are of, is of the symbol. Those that were looked at are in seen.
func (r *renaming) checkReach(defs []*definition, seen map[*definition]bool) bool {
	for _, def := range defs {
		switch {
		case r.definitions[def]:
			return true
		case seen[def]:
			continue
		}
		seen[def] = true
		if r.checkReach(def.parts, seen) {
			return true
		}
		for s := def.holds; s != nil; s = s.rest {
			for _, other := range r.expanded(nil, s) {
				if other.fields != nil && r.checkReach([]*definition{other.fields}, seen) {
					return true
				}
			}
		}
	}
	return false
}

// check returns why the symbol cannot get a name, nil if it can.
func (r *renaming) check(to string) error {
	if problem := r.checkName(to); problem != "" {
		return fmt.Errorf("%s", problem)
	}
	for _, def := range r.ordered {
		if err := r.checkTaken(def, to); err != nil {
			return err
		}
	}
	for _, k := range []definitionKind{toolKind, typeKind} {
		if err := r.checkAmbiguous(k, to); err != nil {
			return err
		}
	}
	return nil
}

// checkName returns why a text is no name of what the symbol is, "" if it is.
func (r *renaming) checkName(to string) string {
	hidden := func(c rune) bool { return c != ' ' && !unicode.IsPrint(c) }
	for _, def := range r.ordered {
		problem := ""
		switch def.kind {
		case toolKind, entryKind:
			problem = types.ToolNameProblem(to)
		case typeKind:
			problem = types.TypeNameProblem(to)
		case fieldKind:
			if def.pattern == nil && def.form == asName && !types.DeclaresField(&ast.Property{Key: ast.NewName(to), Separator: "::"}) {
				problem = fmt.Sprintf("%s is an attribute, and no property of that name can declare a field", to)
			}
		}
		switch {
		case problem != "":
			return problem
		case to == "":
			return fmt.Sprintf("%s needs a name", kindWithArticle(def.kind))
		case strings.ContainsFunc(to, hidden):
			return fmt.Sprintf("the name %q contains invisible characters", to)
		case strings.Contains(to, "`"):
			return "a name with a backtick could not be mentioned in a text"
		}
	}
	for _, o := range r.occurrences {
		if o.purpose == argument && o.form != asName && !template.IsArgument(to) {
			return fmt.Sprintf("the template of the entry %s in %s cannot reference an argument %q", quotedDefinition(o.in), r.shownPath(o.document), to)
		}
	}
	return ""
}

// checkTaken returns an error when something beside a definition has a name that the
// definition is to get.
func (r *renaming) checkTaken(def *definition, to string) error {
	var others []*definition
	switch {
	case def.kind.isPart() && def.owner != nil:
		others = def.owner.partsNamed(to)
	case def.kind == entryKind:
		for _, other := range def.document.indexedDefinitions(entryKind, to) {
			if other.owner == def.owner {
				others = append(others, other)
			}
		}
	case def.kind == agentKind, def.kind == libraryKind, def.kind == patternKind:
		others = def.document.indexedDefinitions(def.kind, to)
	}
	if len(others) == 0 {
		return nil
	}
	where := r.shownPath(def.document)
	if owner := others[0].owner; owner != nil && owner.name != "" {
		where = fmt.Sprintf("the %s %q", owner.kind, owner.name)
	}
	return fmt.Errorf("%s already has %s %q", where, kindWithArticle(def.kind), to)
}

// checkAmbiguous returns an error when some document that knows a tool or a type of
// the symbol knows another one by the name that it is to get.
func (r *renaming) checkAmbiguous(k definitionKind, to string) error {
	for _, d := range r.all {
		var one, other *document
		for _, known := range r.visible(d) {
			if slices.ContainsFunc(r.ordered, func(def *definition) bool { return def.kind == k && def.document == known }) {
				one = known
			}
			if len(known.indexedDefinitions(k, to)) > 0 {
				other = known
			}
		}
		switch {
		case one == nil || other == nil:
		case d == other:
			return fmt.Errorf("%s already has %s %q", r.shownPath(d), kindWithArticle(k), to)
		default:
			return fmt.Errorf("%s already has %s %q, which %s knows too", r.shownPath(other), kindWithArticle(k), to, r.shownPath(d))
		}
	}
	return nil
}
