package importer

import (
	"slices"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// signature returns the parameters and the result as a chain.
func (im *importer) signature(w *gramWriter, d *toolDefinition) (signature *ast.Pattern, in, out *schemaReader) {
	in = im.signatureReader(d)
	out = in
	arguments := in.signatureArguments(d.input)
	in.reportUnreferenced()
	result := &typ{kind: "Any"}
	if d.output != nil {
		if d.reader == nil {
			out = newSchemaReader(im.notes("the result of "+d.notes.tool), d.output)
		}
		if result = out.schema(d.output, nil); result.isTooLarge() || im.size > maxResults {
			d.notes.assumed(out.span(d.output), nil, "the result becomes Any: its schema, or all schemas together, are larger than gram takes")
			d.notes.comments = append(d.notes.comments, "the result is Any: its schema, or all schemas together, are larger than gram takes")
			result, d.output = &typ{kind: "Any"}, nil
		}
		out.reportUnreferenced()
		if out != in {
			d.notes.result = out.notes
		}
	}
	top := &namePath{word: d.name}
	var nodes []*ast.Pattern
	whole := &ast.Record{}
	whole.Properties = w.attributesUse(arguments).record().Properties
	w.restOf(whole, arguments, top.down("arguments"))
	if len(whole.Properties) > 0 {
		nodes = append(nodes, &ast.Pattern{Form: ast.FormNode, Subject: &ast.Subject{Record: whole}})
	}
	for _, f := range arguments.fields {
		nodes = append(nodes, w.use(f.typ, top.down(f.name)).field(f))
	}
	if len(nodes) == 0 {
		nodes = append(nodes, &ast.Pattern{Form: ast.FormNode, Subject: &ast.Subject{}})
	}
	nodes = append(nodes, w.use(result, top.down(d.name+" result")).node("", true))
	return signatureChain(nodes), in, out
}

// signatureChain returns a signature: a ==> b ==> c.
func signatureChain(nodes []*ast.Pattern) *ast.Pattern {
	p := &ast.Pattern{Form: ast.FormPath, Subject: &ast.Subject{}, Elements: nodes}
	for range nodes[1:] {
		p.Arrows = append(p.Arrows, &ast.Arrow{Family: ast.Fat, Direction: ast.Right})
	}
	return p
}

func (im *importer) signatureReader(d *toolDefinition) *schemaReader {
	if d.reader != nil {
		return d.reader.with(d.notes)
	}
	if dialect := d.input.Get("$schema"); dialect != nil && im.dialects == nil {
		im.dialects = dialect
	}
	return newSchemaReader(d.notes, d.input)
}

// signatureArguments reads the schema of all arguments together.
func (r *schemaReader) signatureArguments(n *jsonschema.Node) *typ {
	for range maxHops {
		ref := n.Get("$ref")
		target := r.resolveReference(ref)
		if !target.Is(jsonschema.KindObject) {
			break
		}
		r.noteReferenceTargets(n, nil)
		r.rewritten(r.span(ref), nil, "the arguments replace the reference %s to them", quoteText(ref.Text()))
		n = target
	}
	none := &typ{kind: "Object"}
	switch {
	case n.Kind != jsonschema.KindObject:
		return r.schema(n, nil)
	case n.Get("$ref") != nil:
		r.lost(r.span(n), nil, "the reference of the arguments does not lead to an object")
		return none
	case n.Get("type") == nil:
		typed := jsonschema.NewMember("type", objectMoved(jsonschema.String("object"), n))
		n = objectMoved(jsonschema.Object(append(slices.Clone(n.Members), typed)...), n)
		r.cover(&jsonschema.Location{Token: "type"}) // arguments are an object in any case
	}
	r.arguments = n
	t := r.schema(n, nil)
	r.namelessSignatureParameters(t, n)
	if t.kind != "Object" || t.union != nil || t.ref != nil {
		r.lost(r.span(n), nil, "arguments are an object, and this schema describes something else")
		return none
	}
	if t.nullable {
		r.lost(r.span(n), nil, "arguments are never null")
		t.nullable = false
	}
	return t
}

// namelessSignatureParameters removes the parameters without a name, which gram does not have.
func (r *schemaReader) namelessSignatureParameters(t *typ, n *jsonschema.Node) {
	t.fields = slices.DeleteFunc(t.fields, func(f *field) bool {
		if f.name == "" {
			r.lost(r.span(n), (&jsonschema.Location{Token: "properties"}).Key(""), "gram has no parameters with an empty name")
		}
		return f.name == ""
	})
}
