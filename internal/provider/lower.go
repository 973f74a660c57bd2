package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/jsonschema"
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
// of a response with an object as its root; see [Wrap] and [LowerFormat]. It is nil exactly when
// there is an Error among the problems, and the given bytes if nothing needs to
// change. Keys and properties keep their order.
//
// Plain takes every schema as it is.
func Lower(schema json.RawMessage, t Target) (json.RawMessage, []Problem) {
	return newSchemaLowerer(t).lower(schema)
}

// LowerFormat is [Lower] for the format of an answer, whose fields may have any name.
func LowerFormat(schema json.RawMessage, t Target) (json.RawMessage, []Problem) {
	l := newSchemaLowerer(t)
	l.fields = names{}
	return l.lower(schema)
}

func newSchemaLowerer(t Target) *schemaLowerer { return &schemaLowerer{target: t, limits: t.limits()} }

func (l *schemaLowerer) lower(schema json.RawMessage) (json.RawMessage, []Problem) {
	root, why := parseSchema(schema)
	if root == nil {
		l.fail(nil, CodeNotASchema, "%s", why)
		return nil, l.problems
	}
	if _, known := table[l.target]; !known || l.target == Plain {
		return schema, nil
	}
	l.schemaDocument = newSchemaDocument(root)
	lowered := l.root(root)
	switch {
	case l.failed:
		return nil, l.problems
	case lowered == root:
		return schema, l.problems
	}
	return lowered.Append(nil), l.problems
}

// A schemaLowerer rewrites one schema.
type schemaLowerer struct {
	target Target
	*limits
	*schemaDocument
	problems []Problem
	seen     map[Problem]bool
	failed   bool
	warnings int
	counts   counts                    // of the strict form
	circular map[*jsonschema.Node]bool // whether a schema leads back to itself
	written  int                       // bytes in place of references
	open     []*jsonschema.Node        // references that are being written out
}

func (l *schemaLowerer) fail(at *jsonschema.Location, code, format string, args ...any) {
	l.report(Error, at, code, format, args...)
}

func (l *schemaLowerer) warn(at *jsonschema.Location, code, format string, args ...any) {
	l.report(Warning, at, code, format, args...)
}

func (l *schemaLowerer) report(s Severity, at *jsonschema.Location, code, format string, args ...any) {
	if s == Warning {
		if l.warnings++; l.warnings > maxProblems {
			return
		}
	} else if l.failed = true; len(l.problems) >= 2*maxProblems {
		return
	}
	p := Problem{Pointer: at.Pointer(), Code: code, Severity: s, Message: fmt.Sprintf(format, args...)}
	if l.seen == nil {
		l.seen = map[Problem]bool{}
	}
	if !l.seen[p] { // a type that is used twice has its problems once
		l.seen[p] = true
		l.problems = append(l.problems, p)
	}
}

// root lowers the root, which has to be an object.
func (l *schemaLowerer) root(n *jsonschema.Node) *jsonschema.Node {
	body, at, ok := l.lowerRootBody(n)
	if !ok {
		return n
	}
	for _, keyword := range l.rootKeywords {
		if body.Get(keyword) != nil {
			l.fail(at.Key(keyword), CodeRootUnion, "%s takes no %s at the root; put it into a field", l.title, keyword)
			return n
		}
	}
	d := body.Edit()
	switch types := body.TypeList(); {
	case types == nil && (body.Get("properties") != nil || len(body.Members) == 0):
		d.SetFirst("type", jsonschema.String("object"))
	case types == nil || !slices.Contains(types, "object"):
		l.fail(at, CodeRoot, "%s needs an object here; put the value into a field of one", l.title)
		return n
	case len(types) > 1:
		d.Set("type", jsonschema.String("object"))
	}
	others := body.Get("additionalProperties")
	isMap := l.strict && others.Is(jsonschema.KindObject) // which is reported as such
	if l.needProperties && body.Get("properties") == nil && !isMap {
		d.Set("properties", jsonschema.Object())
	}
	l.lowerFieldNames(body, at)
	root := d.Node(body)
	switch {
	case l.strict:
		return l.strictRoot(root, at)
	case l.target == Gemini:
		return l.gemini(root, at, 0)
	}
	return l.carry(root, at, 0)
}

// lowerRootBody follows a reference at the root, and returns its target with the
// definitions beside the reference.
func (l *schemaLowerer) lowerRootBody(n *jsonschema.Node) (body *jsonschema.Node, at *jsonschema.Location, ok bool) {
	body = n
	for range maxHops {
		if !body.Is(jsonschema.KindObject) {
			l.fail(at, CodeNotASchema, "a schema must be an object")
			return n, at, false
		}
		ref := body.Get("$ref")
		if ref == nil {
			return body, at, true
		}
		to, there := l.Resolve(ref.Text())
		if to == nil {
			break
		}
		beside := body.Edit()
		beside.Remove("$ref")
		body, at = jsonschema.Object(overlayLowered(to.Members, beside.Members)...), there
	}
	l.fail(at, CodeRef, "the reference at the root has no target")
	return n, at, false
}

// lowerFieldNames checks the names of the arguments.
func (l *schemaLowerer) lowerFieldNames(n *jsonschema.Node, at *jsonschema.Location) {
	if l.fields.most == 0 {
		return
	}
	for _, m := range n.MembersOf("properties") {
		if !l.fields.takes(m.Key) {
			l.fail(at.Key("properties").Key(m.Key), CodeFieldName,
				"%s takes names of 1 to %d letters, digits and any of %q for arguments; rename %q",
				l.title, l.fields.most, l.fields.signs, excerpt.Short(m.Key, maxShown))
		}
	}
}

// undeclared reports required properties that have no schema.
func (l *schemaLowerer) undeclared(n *jsonschema.Node, at *jsonschema.Location) {
	properties := n.Get("properties")
	for i, name := range n.ItemsOf("required") {
		if properties.Get(name.Text()) == nil {
			l.fail(at.Key("required").Item(i), CodeField, "the field %s is required but not declared; declare it",
				shownLoweredValue(name))
		}
	}
}

// overlayLowered returns members with others on top of them.
func overlayLowered(members, others []jsonschema.Member) []jsonschema.Member {
	on := make(map[string]int, len(others))
	for i, m := range others {
		on[m.Key] = i
	}
	out := make([]jsonschema.Member, 0, len(members)+len(others))
	used := make([]bool, len(others))
	for _, m := range members {
		if i, there := on[m.Key]; there {
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

// types returns the types of a schema, or reports that none of its values fits.
func (l *schemaLowerer) types(n *jsonschema.Node, at *jsonschema.Location) (types []string, ok bool) {
	if enum := n.Get("enum"); enum != nil && len(enum.Items) == 0 {
		l.fail(at.Key("enum"), CodeNotASchema, "the enum has no values")
		return nil, false
	}
	types = guessSchemaTypes(n)
	for i, t := range types {
		if jsonschema.TypeNamed(t) == 0 || slices.Contains(types[:i], t) {
			l.fail(at.Key("type"), CodeNotASchema, "%q is not a type, or occurs twice", excerpt.Short(t, maxShown))
			return nil, false
		}
	}
	return types, true
}

// shownLoweredValue returns a value for a description.
func shownLoweredValue(value *jsonschema.Node) string {
	return excerpt.Short(value.Compact(), maxShown)
}

// describeLowered adds a note to the description.
func describeLowered(e *jsonschema.Edit, note string) {
	i := e.Find("description")
	if i < 0 {
		e.Members = slices.Insert(e.Members, e.Find("type")+1, jsonschema.NewMember("description", jsonschema.String(note)))
		return
	}
	if text := e.Members[i].Value.Text(); text != "" {
		note = text + " " + note
	}
	e.Members[i].Value = jsonschema.String(note)
}

// treat applies the treatments that need only the keyword.
func (l *schemaLowerer) treat(d *jsonschema.Edit, at *jsonschema.Location) {
	kept := make([]jsonschema.Member, 0, len(d.Members))
	for _, m := range d.Members {
		switch l.treatment(m.Key) {
		case carried, handled:
			kept = append(kept, m)
		case dropped:
			if !lowerAllowsAll(m) {
				l.warn(at.Key(m.Key), CodeDropped, "%s has no %s; it %s", l.title, m.Key, checkedAfterwards)
			}
		case leftOut:
			l.warn(at.Key(m.Key), CodeLeftOut, "%s has no %s; it is left out", l.title, shownLoweredKeyword(m.Key))
		case refused:
			l.fail(at.Key(m.Key), CodeKeyword, "%s has no %s; describe the value without it", l.title, m.Key)
		case silent:
		}
	}
	d.Members = kept
}

// shownLoweredKeyword returns a keyword for a message, in quotes if it is unusual.
func shownLoweredKeyword(key string) string {
	odd := func(c rune) bool { return !isNameLetter(c) && c != '$' && c != '-' }
	if short := excerpt.Short(key, maxShown); short != key || strings.ContainsFunc(key, odd) {
		return strconv.Quote(short)
	}
	return key
}

// lowerAllowsAll reports whether a limit allows everything.
func lowerAllowsAll(m jsonschema.Member) bool {
	return m.Key == "uniqueItems" && m.Value.Is(jsonschema.KindFalse) ||
		m.Value.Is(jsonschema.KindNumber) && string(m.Value.Raw()) == "0" && strings.HasPrefix(m.Key, "min") && m.Key != "minimum"
}

// format drops a format that the target does not know for the type.
func (l *schemaLowerer) format(d *jsonschema.Edit, at *jsonschema.Location, types []string) (dropped string) {
	i := d.Find("format")
	if i < 0 || l.formats == nil {
		return ""
	}
	name := d.Members[i].Value.Text()
	for _, t := range types {
		if slices.Contains(l.formats[t], name) {
			return ""
		}
	}
	d.Remove("format")
	l.warn(at.Key("format"), CodeDropped, "%s does not know the format %q; it %s", l.title, excerpt.Short(name, maxShown), checkedAfterwards)
	return name
}

// tooDeep reports whether a schema is nested too deeply to lower.
func (l *schemaLowerer) tooDeep(depth int) bool {
	if depth <= maxDepth {
		return false
	}
	l.fail(nil, CodeTooDeep, "the schema is nested deeper than %d levels", maxDepth)
	return true
}
