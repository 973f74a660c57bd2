package importer

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/internal/jsonschema"
)

// signature returns the parameters and the result as a chain.
func (im *importer) signature(w *writer, d *definition) (signature *ast.Pattern, in, out *reader) {
	in = im.reader(d)
	out = in
	arguments := in.arguments(d.input)
	in.settle()
	result := &typ{kind: "Any"}
	if d.output != nil {
		if d.reader == nil {
			out = newReader(im.notes("the result of "+d.notes.tool), d.output)
		}
		if result = out.schema(d.output, nil); result.isTooLarge() || im.size > maxResults {
			d.notes.assumed(out.span(d.output), nil, "the result becomes Any: its schema, or all schemas together, are larger than gram takes")
			d.notes.comments = append(d.notes.comments, "the result is Any: its schema, or all schemas together, are larger than gram takes")
			result, d.output = &typ{kind: "Any"}, nil
		}
		out.settle()
		if out != in {
			d.notes.result = out.notes
		}
	}
	top := &path{word: d.name}
	var nodes []*ast.Pattern
	whole := &ast.Record{}
	whole.Properties = w.attributes(arguments).record().Properties
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
	return chain(nodes), in, out
}

// chain returns a signature: a ==> b ==> c.
func chain(nodes []*ast.Pattern) *ast.Pattern {
	p := &ast.Pattern{Form: ast.FormPath, Subject: &ast.Subject{}, Elements: nodes}
	for range nodes[1:] {
		p.Arrows = append(p.Arrows, &ast.Arrow{Family: ast.Fat, Direction: ast.Right})
	}
	return p
}

func (im *importer) reader(d *definition) *reader {
	if d.reader != nil {
		return d.reader.with(d.notes)
	}
	if dialect := d.input.Get("$schema"); dialect != nil && im.dialects == nil {
		im.dialects = dialect
	}
	return newReader(d.notes, d.input)
}

// description returns the description of a tool, which gram requires.
func (im *importer) description(d *definition) string {
	if text := d.description.Text(); strings.TrimSpace(text) != "" {
		return text
	}
	words := strings.TrimSpace(strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(d.name))
	if words == "" {
		words = d.name
	}
	d.notes.assumed(im.span(d.whole), &jsonschema.Location{Token: "description"},
		"models choose tools by their description, and there is none; it becomes %s", quote(words))
	return words
}

// annotations returns the other members of a definition.
func (im *importer) annotations(d *definition) []*ast.Annotation {
	var list []*ast.Annotation
	for _, m := range d.extra {
		if ast.NewName(m.Key).Kind != ast.NameSymbol {
			d.notes.lost(d.notes.key(m), &jsonschema.Location{Token: m.Key}, "%s cannot be the name of an annotation", quote(m.Key))
			continue
		}
		list = append(list, &ast.Annotation{Key: ast.NewName(m.Key), Value: annotationValue(m.Value)})
	}
	return list
}

// annotationValue returns the value of an annotation: an object of plain values
// is a record.
func annotationValue(n *jsonschema.Node) ast.Value {
	if n.Kind != jsonschema.KindObject || slices.ContainsFunc(n.Members, func(m jsonschema.Member) bool { return !isPlain(m.Value) || hidden(m.Key) }) {
		return value(n, false)
	}
	r := &ast.Record{}
	for _, m := range n.Members {
		add(r, m.Key, scalar(m.Value))
	}
	return r
}
