package importer

import (
	"encoding/json"
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// verifiedTypes returns the named types of those names and all that they are made
// of, before what is made of them where that is possible. A shared type that is
// written already can do without its parts: to visit them for each tool of a large
// document takes quadratic time. With whole it has them: examples may be of a part.
func (im *importer) verifiedTypes(names []string, whole bool) []*named {
	var list []*named
	seen := map[string]bool{}
	var visit func(names []string)
	visit = func(names []string) {
		for _, name := range names {
			if seen[name] {
				continue
			}
			seen[name] = true
			t := im.byName[name]
			if t.stubbed = t.written && t.stub != nil && !whole; !t.stubbed {
				visit(t.uses)
			}
			list = append(list, t)
		}
	}
	visit(names)
	return list
}

// verify compiles a tool and compares its schemas with those that it is made
// of. It returns why the tool cannot be written, "" when it can.
func (im *importer) verify(d *toolDefinition, signature *ast.Pattern, types []*named, in, out *schemaReader) string {
	if im.size > maxSchemas {
		return "the schemas of the tools before it are too large"
	}
	file := &ast.File{}
	stubbed := map[string]bool{}
	for _, t := range types {
		if t.stubbed {
			file.Patterns = append(file.Patterns, t.stub)
			stubbed[t.stub.Identity()] = true
		} else {
			file.Patterns = append(file.Patterns, t.pattern)
		}
	}
	file.Patterns = append(file.Patterns, ast.NewTool(d.name, "d", signature).Pattern)
	tools, problems := compile.Tools(file, nil)
	for _, p := range problems {
		if p.Severity == diag.Error {
			return p.Message
		}
	}
	if len(tools) != 1 {
		return "it does not compile"
	}
	input, output := tools[0].Schema(), tools[0].OutputSchema()
	size := func(name string, bytes int) { im.byName[name].size = bytes }
	in.verifySchema(d.input, input, stubbed, size)
	if d.output != nil {
		out.verifySchema(d.output, output, stubbed, size)
	}
	im.size += len(input) + len(output) + im.verifiedSize(types)
	return ""
}

// verifiedSize returns how many bytes of schemas the stubs among some types and
// all that those are made of stand for.
func (im *importer) verifiedSize(types []*named) int {
	size, seen := 0, map[*named]bool{}
	var visit func(t *named)
	visit = func(t *named) {
		if seen[t] {
			return
		}
		seen[t] = true
		size += t.size
		for _, name := range t.uses {
			visit(im.byName[name])
		}
	}
	for _, t := range types {
		if t.stubbed {
			visit(t)
		}
	}
	return size
}

// verifySchema reports where the schema that comes back from gram differs from the
// one that went in, unless it is already reported. Shared types that are stubbed
// were compared before.
func (r *schemaReader) verifySchema(want *jsonschema.Node, have json.RawMessage, stubbed map[string]bool, size func(name string, bytes int)) {
	back, err := jsonschema.Read(have, nil)
	if err != nil {
		panic("importer: a schema that is not JSON: " + err.Error())
	}
	r.verifyDifferences(want, back, nil)
	for _, s := range r.order {
		if def := back.Get("$defs").Get(s.key); def != nil && !s.same && !stubbed[s.name] {
			s.same = true
			size(s.name, len(def.Raw()))
			r.verifyDifferences(s.target, def, s.at)
		}
	}
}

// verifyDifferences compares two schemas. Definitions are compared where something
// refers to them.
func (n *notes) verifyDifferences(want, have *jsonschema.Node, at *jsonschema.Location) {
	skip := func(k jsonschema.Keyword) bool {
		return k.Form == jsonschema.FormSchemaMap && k.Role == jsonschema.Identity || k.Name == "$schema"
	}
	for _, d := range jsonschema.Differences(at, want, have, skip) {
		switch {
		case n.covers(d.At), d.At != nil && d.At.Token == "type" && slices.Equal(sortedVerifiedTypes(d.Want), sortedVerifiedTypes(d.Have)):
		case d.Want == nil:
			n.lost(n.span(want), d.At, "%s comes back without having been there", quoteText(d.At.Token))
		case d.Have == nil:
			n.lost(n.span(d.Want), d.At, "%s does not come back", quoteText(d.At.Token))
		default:
			n.lost(n.span(d.Want), d.At, "it comes back as %s", clipText(jsonText(d.Have)))
		}
	}
}

func sortedVerifiedTypes(value *jsonschema.Node) []string {
	names := jsonschema.Object(jsonschema.NewMember("type", value)).TypeList()
	slices.Sort(names)
	return names
}
