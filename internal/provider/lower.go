package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/jsonpointer"
)

// Limits of the package itself.
const (
	maxProblems = 100     // of each severity
	maxDepth    = 2000    // levels of schemas
	maxHops     = 100     // references from the root to an object
	maxWritten  = 1 << 20 // bytes of schemas written in place of references
	maxShown    = 200     // characters of a value in a description or message
)

const checkedAfterwards = "is checked by gramc after the call"

// Lower returns a schema as the target takes it: of the arguments of a tool, or
// of an answer with an object as its root; see [Wrap]. It is nil exactly when
// there is an Error among the problems, and the given bytes where nothing needs
// to change. Keys and fields keep their order.
//
// Plain takes every schema as it is.
func Lower(schema json.RawMessage, t Target) (json.RawMessage, []Problem) {
	l := &lowerer{target: t, limits: t.limits()}
	root, why := parse(schema)
	if root == nil {
		l.fail(nil, CodeNotASchema, "%s", why)
		return nil, l.problems
	}
	if _, known := table[t]; !known || t == Plain {
		return schema, nil
	}
	l.document = newDocument(root)
	lowered := l.root(root)
	switch {
	case l.failed:
		return nil, l.problems
	case lowered == root:
		return schema, l.problems
	}
	return lowered.append(nil), l.problems
}

// A lowerer rewrites one schema. Its problems are in the order in which it
// comes to them.
type lowerer struct {
	target Target
	*limits
	*document
	problems []Problem
	seen     map[Problem]bool
	failed   bool
	warnings int
	counts   counts  // of the strict form
	written  int     // bytes in place of references
	open     []*node // references that are being written out
}

// A place is where a schema stands in the schema that was given.
type place struct {
	up   *place
	step string
}

func (p *place) key(step string) *place { return &place{p, step} }

func (p *place) item(i int) *place { return &place{p, strconv.Itoa(i)} }

func (p *place) pointer() string {
	var steps []string
	for ; p != nil; p = p.up {
		steps = append(steps, jsonpointer.Token(p.step))
	}
	slices.Reverse(steps)
	if len(steps) == 0 {
		return ""
	}
	return "/" + strings.Join(steps, "/")
}

func (l *lowerer) fail(at *place, code, format string, args ...any) {
	l.report(Error, at, code, format, args...)
}

func (l *lowerer) warn(at *place, code, format string, args ...any) {
	l.report(Warning, at, code, format, args...)
}

func (l *lowerer) report(s Severity, at *place, code, format string, args ...any) {
	if s == Warning {
		if l.warnings++; l.warnings > maxProblems {
			return
		}
	} else if l.failed = true; len(l.problems) >= 2*maxProblems {
		return
	}
	p := Problem{Pointer: at.pointer(), Code: code, Severity: s, Message: fmt.Sprintf(format, args...)}
	if l.seen == nil {
		l.seen = map[Problem]bool{}
	}
	if !l.seen[p] { // a type that is used twice has its problems once
		l.seen[p] = true
		l.problems = append(l.problems, p)
	}
}

// root lowers the root, which has to be an object.
func (l *lowerer) root(n *node) *node {
	body, at, ok := l.rootBody(n)
	if !ok {
		return n
	}
	for _, keyword := range l.rootKeywords {
		if body.get(keyword) != nil {
			l.fail(at.key(keyword), CodeRootUnion, "%s takes no %s at the root; put it into a field", l.title, keyword)
			return n
		}
	}
	d := body.edit()
	switch types := typesOf(body); {
	case types == nil && (body.get("properties") != nil || len(body.members) == 0):
		d.first("type", text("object"))
	case types == nil || !slices.Contains(types, "object"):
		l.fail(at, CodeRoot, "%s needs an object here; put the value into a field of one", l.title)
		return n
	case len(types) > 1:
		d.set("type", text("object"))
	}
	others := body.get("additionalProperties")
	isMap := l.target == OpenAIStrict && others != nil && others.kind == '{' // which is told of as such
	if l.needProperties && body.get("properties") == nil && !isMap {
		d.set("properties", object())
	}
	l.fieldNames(body, at)
	root := d.node(body)
	switch l.target {
	case OpenAIStrict:
		return l.strictRoot(root, at)
	case Gemini:
		return l.gemini(root, at, 0)
	}
	return l.carry(root, at, 0)
}

// rootBody follows a reference at the root, and returns what it stands for
// with the definitions beside it.
func (l *lowerer) rootBody(n *node) (body *node, at *place, ok bool) {
	body = n
	for range maxHops {
		if body.kind != '{' {
			l.fail(at, CodeNotASchema, "a schema must be an object")
			return n, at, false
		}
		ref := body.get("$ref")
		if ref == nil {
			return body, at, true
		}
		to := l.resolve(ref.text())
		if to == nil {
			break
		}
		beside := body.edit()
		beside.remove("$ref")
		body, at = object(overlay(to.members, beside.members)...), placeOf(ref.text())
	}
	l.fail(at, CodeRef, "the reference at the root leads nowhere")
	return n, at, false
}

// fieldNames checks the names of the arguments.
func (l *lowerer) fieldNames(n *node, at *place) {
	properties := n.get("properties")
	if properties == nil || l.fields.most == 0 {
		return
	}
	for _, m := range properties.members {
		if !l.fields.takes(m.key) {
			l.fail(at.key("properties").key(m.key), CodeFieldName,
				"%s takes names of 1 to %d letters, digits and any of %q for arguments; rename %q",
				l.title, l.fields.most, l.fields.signs, excerpt.Short(m.key, maxShown))
		}
	}
}

// undeclared tells of required fields that have no schema.
func (l *lowerer) undeclared(n *node, at *place) {
	properties := n.get("properties")
	required := n.get("required")
	if required == nil {
		return
	}
	for i, name := range required.items {
		if properties == nil || properties.get(name.text()) == nil {
			l.fail(at.key("required").item(i), CodeField, "the field %s is required, and is not there; declare it",
				shown(name))
		}
	}
}

// overlay returns members with others on top of them.
func overlay(members, others []member) []member {
	on := make(map[string]int, len(others))
	for i, m := range others {
		on[m.key] = i
	}
	out := make([]member, 0, len(members)+len(others))
	used := make([]bool, len(others))
	for _, m := range members {
		if i, there := on[m.key]; there {
			m, used[i] = others[i], true
		}
		out = append(out, m)
	}
	for i, m := range others {
		if !used[i] {
			out = append(out, m)
		}
	}
	return out
}

// types returns the types of a schema, or tells that none of its values fits.
func (l *lowerer) types(n *node, at *place) (types []string, ok bool) {
	if enum := n.get("enum"); enum != nil && len(enum.items) == 0 {
		l.fail(at.key("enum"), CodeNotASchema, "the enum has no values")
		return nil, false
	}
	types = guessTypes(n)
	for i, t := range types {
		if !slices.Contains(jsonTypes[:], t) || slices.Contains(types[:i], t) {
			l.fail(at.key("type"), CodeNotASchema, "%q is no type, or is there twice", excerpt.Short(t, maxShown))
			return nil, false
		}
	}
	return types, true
}

// shown returns a value for a description.
func shown(value *node) string {
	b, err := compact(value)
	if err != nil {
		return "…"
	}
	return excerpt.Short(b, maxShown)
}

// leave decides what becomes of the keywords that need no more than their fate.
func (l *lowerer) leave(d *draft, at *place) {
	kept := make([]member, 0, len(d.members))
	for _, m := range d.members {
		switch l.fate(m.key) {
		case carried, handled:
			kept = append(kept, m)
		case dropped:
			if !saysNothing(m) {
				l.warn(at.key(m.key), CodeDropped, "%s has no %s; it %s", l.title, m.key, checkedAfterwards)
			}
		case leftOut:
			l.warn(at.key(m.key), CodeLeftOut, "%s has no %s; it is left out", l.title, keyword(m.key))
		case refused:
			l.fail(at.key(m.key), CodeKeyword, "%s has no %s; describe the value without it", l.title, m.key)
		case silent:
		}
	}
	d.members = kept
}

// keyword returns a keyword for a message; odd ones in quotes.
func keyword(key string) string {
	odd := func(c rune) bool { return !isLetter(c) && c != '$' && c != '-' }
	if short := excerpt.Short(key, maxShown); short != key || strings.ContainsFunc(key, odd) {
		return strconv.Quote(short)
	}
	return key
}

// saysNothing reports whether a limit allows everything.
func saysNothing(m member) bool {
	return m.key == "uniqueItems" && m.value.kind == 'f' ||
		m.value.kind == '0' && string(m.value.raw) == "0" && strings.HasPrefix(m.key, "min") && m.key != "minimum"
}

// format decides what becomes of a format: it is dropped where the target does
// not know it for the type.
func (l *lowerer) format(d *draft, at *place, types []string) (dropped string) {
	i := d.find("format")
	if i < 0 || l.formats == nil {
		return ""
	}
	name := d.members[i].value.text()
	for _, t := range types {
		if slices.Contains(l.formats[t], name) {
			return ""
		}
	}
	d.remove("format")
	l.warn(at.key("format"), CodeDropped, "%s does not know the format %q; it %s", l.title, excerpt.Short(name, maxShown), checkedAfterwards)
	return name
}

// tooDeep reports whether a schema is nested deeper than anything here follows.
func (l *lowerer) tooDeep(at *place, depth int) bool {
	if depth <= maxDepth {
		return false
	}
	l.fail(nil, CodeTooDeep, "the schema is nested deeper than %d levels", maxDepth)
	return true
}
