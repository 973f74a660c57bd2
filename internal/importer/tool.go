package importer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// toolDescription returns the description of a tool, which gram requires.
func (im *importer) toolDescription(d *toolDefinition) string {
	if text := d.description.Text(); strings.TrimSpace(text) != "" {
		return text
	}
	words := strings.TrimSpace(strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(d.name))
	if words == "" {
		words = d.name
	}
	d.notes.assumed(im.span(d.whole), &jsonschema.Location{Token: "description"},
		"models choose tools by their description, and there is none; it becomes %s", quoteText(words))
	return words
}

// toolAnnotations returns the other members of a definition.
func (im *importer) toolAnnotations(d *toolDefinition) []*ast.Annotation {
	var list []*ast.Annotation
	for _, m := range d.extra {
		if ast.NewName(m.Key).Kind != ast.NameSymbol {
			d.notes.lost(d.notes.key(m), &jsonschema.Location{Token: m.Key}, "%s cannot be the name of an annotation", quoteText(m.Key))
			continue
		}
		list = append(list, &ast.Annotation{Key: ast.NewName(m.Key), Value: toolAnnotationValue(m.Value)})
	}
	return list
}

// toolAnnotationValue returns the value of an annotation: an object of plain values
// is a record.
func toolAnnotationValue(n *jsonschema.Node) ast.Value {
	if n.Kind != jsonschema.KindObject || slices.ContainsFunc(n.Members, func(m jsonschema.Member) bool { return !isPlainValue(m.Value) || hiddenText(m.Key) }) {
		return gramValue(n, false)
	}
	r := &ast.Record{}
	for _, m := range n.Members {
		addToPattern(r, m.Key, scalarValue(m.Value))
	}
	return r
}

// tool writes a definition, or a comment that says why it is left out. It reports
// whether it wrote it.
func (im *importer) tool(d *toolDefinition) bool {
	if !im.isNewTool(d) {
		return false
	}
	w := &gramWriter{library: &im.library}
	signature, in, out := im.signature(w, d)
	tool := ast.NewTool(d.name, "", signature).Pattern
	tool.Annotations = im.toolAnnotations(d)
	record := &ast.Record{}
	tool.Subject.Record = record
	addToPattern(record, "description", textValue(im.toolDescription(d), true))
	if d.strict != nil {
		addToPattern(record, "strict", &ast.Bool{Value: d.strict.Is(jsonschema.KindTrue)})
	}
	if d.deprecated {
		addToPattern(record, "deprecated", &ast.Bool{Value: true})
	}
	types := im.verifiedTypes(w.uses, false)
	problem := im.verify(d, signature, types, in, out)
	if isStubbed := func(t *named) bool { return t.stubbed }; problem != "" && im.whole < maxTypes && slices.ContainsFunc(types, isStubbed) {
		types = im.verifiedTypes(w.uses, true) // the parts that are left out may decide
		im.whole += len(types)
		problem = im.verify(d, signature, types, in, out)
	}
	var text strings.Builder
	made := slices.DeleteFunc(slices.Clone(types), func(t *named) bool { return t.written })
	if problem == "" {
		for _, t := range made {
			text.WriteString(ast.Print(t.pattern) + "\n")
		}
		text.WriteString(ast.Print(tool) + "\n")
		if im.written+len(made) > maxTypes || im.out.Len()+text.Len() > MaxSize {
			problem = "the gram text gets too large"
		}
	}
	if problem != "" {
		im.diags.Errorf(im.span(d.whole), diag.CodeImportLost, "%s is left out: gram rejects it: %s", d.notes.tool, problem)
		d.notes.comments = append(d.notes.comments, "left out: gram rejects it: "+problem)
		im.toolComment(d.notes)
		return false
	}
	for _, t := range made {
		t.written = true
	}
	im.written += len(made)
	im.toolComment(d.notes)
	im.out.WriteString(text.String())
	return true
}

// isNewTool reports whether no tool has that name yet, and reports a second
// definition.
func (im *importer) isNewTool(d *toolDefinition) bool {
	first := im.tools[d.name]
	if first == nil {
		im.tools[d.name] = d.whole
		return true
	}
	span, before := im.span(d.whole), im.span(first)
	if jsonschema.Equal(first, d.whole) {
		im.diags.Infof(span, diag.CodeDuplicateTool, "%s has the same definition twice", d.notes.tool).Relate(before, "first here")
		return false
	}
	im.diags.Errorf(span, diag.CodeDuplicateTool, "%s has another definition already; this one is left out", d.notes.tool).Relate(before, "first here")
	fmt.Fprintf(&im.out, "\n// %s: a second, different definition is left out\n", diag.Escape(clipText(d.notes.tool)))
	return false
}

// toolComment writes what the reader of the gram text should know about a tool.
func (im *importer) toolComment(n *notes) {
	if im.out.Len() > 0 {
		im.out.WriteByte('\n')
	}
	for ; n != nil; n = n.result {
		for _, text := range n.comments {
			text = strings.NewReplacer("\r", " ", "\n", " ").Replace(text)
			fmt.Fprintf(&im.out, "// %s: %s\n", diag.Escape(n.tool), diag.Escape(text))
		}
	}
}

// A toolDefinition is a tool as its source defines it.
type toolDefinition struct {
	name        string
	whole       *jsonschema.Node // all of it
	description *jsonschema.Node
	strict      *jsonschema.Node
	deprecated  bool
	input       *jsonschema.Node    // the schema of the arguments
	output      *jsonschema.Node    // the schema of the result
	extra       []jsonschema.Member // what becomes annotations
	reader      *schemaReader       // of all definitions of one document; nil = one of its own
	entry       *openAPIEntry       // of an operation
	service     *openAPIService     // the same
	notes       *notes
}

// member reads a member of a definition.
func (d *toolDefinition) member(m jsonschema.Member) {
	isExtra := false
	switch m.Key {
	case "name":
	case "description":
		if !m.Value.Is(jsonschema.KindNull) && !m.Value.Is(jsonschema.KindString) {
			d.notes.lost(d.notes.key(m), &jsonschema.Location{Token: m.Key}, "a description must be a string")
		}
		d.description = m.Value
	case "parameters", "inputSchema", "input_schema", "parametersJsonSchema", "parameters_json_schema", "args_schema":
		d.schema(&d.input, m)
	case "args": // the properties of the arguments without a schema around them
		if isExtra = !m.Value.Is(jsonschema.KindObject) || d.input != nil; !isExtra {
			d.input = objectMoved(jsonschema.Object(
				jsonschema.NewMember("type", jsonschema.String("object").At(int(m.Start), int(m.End))),
				jsonschema.Member{Key: "properties", Value: m.Value, Start: m.Start, End: m.End},
			), m.Value)
		}
	case "outputSchema", "output_schema", "response", "responseJsonSchema", "returns":
		d.schema(&d.output, m)
	case "strict":
		if isExtra = !m.Value.IsBool(); !isExtra {
			d.strict = m.Value
		}
	case "type":
		isExtra = !isFunctionForm(m.Value)
	default:
		isExtra = true
	}
	if isExtra && (m.Key == "args" || m.Key == "type" || !m.Value.Is(jsonschema.KindNull)) {
		d.extra = append(d.extra, m)
	}
}

// schema takes the schema of the arguments, or of the result.
func (d *toolDefinition) schema(to **jsonschema.Node, m jsonschema.Member) {
	v, at := m.Value, &jsonschema.Location{Token: m.Key}
	if inner := v.Get("json"); inner.Is(jsonschema.KindObject) && len(v.Members) == 1 {
		v = inner
	}
	switch {
	case v.Kind == jsonschema.KindNull:
	case *to != nil:
		d.notes.lost(d.notes.key(m), at, "%s is a second schema", quoteText(m.Key))
	case v.Kind != jsonschema.KindObject:
		d.notes.lost(d.notes.key(m), at, "%s must be a schema", quoteText(m.Key))
	default:
		*to = v
	}
}
