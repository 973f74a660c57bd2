package importer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/jsonschema"
	"github.com/gram-lang/gramc/source"
)

// MaxSize is the size in bytes of the largest text that is read, and of the
// largest that is written.
const MaxSize = 16 << 20

// Import returns the tools that a text defines as gram text: each with its
// named types before it. The name of the text is only shown to people. An error
// in the list says what the gram text does not say; what could be said is there
// all the same.
func Import(name, text string) (string, diag.List) {
	im := &importer{
		positions: positions{source.NewFile(name, text)},
		tools:     map[string]*jsonschema.Node{},
		library: library{
			names:  typeNames{taken: map[string]bool{}, next: map[string]int{}},
			byName: map[string]*named{}, same: map[string]string{},
		},
	}
	if len(text) > MaxSize {
		im.diags.Errorf(im.file.Span(0, 0), diag.CodeTooLarge, "a text of %d bytes; at most %d are read", len(text), MaxSize)
		return "", im.diags
	}
	definitions := im.read()
	for _, d := range definitions {
		im.names.taken[d.name] = true
	}
	for _, d := range definitions {
		im.tool(d)
	}
	if im.dialects != nil {
		im.diags.Infof(im.span(im.dialects), diag.CodeImportRewritten, "$schema names the dialect of a schema and is left out, here and elsewhere")
	}
	im.diags.Sort()
	return im.out.String(), im.diags
}

// An importer is the state of one call.
type importer struct {
	positions
	library
	tools    map[string]*jsonschema.Node // the definitions, by name
	written  int                         // named types in out
	size     int                         // bytes of all schemas that came back
	out      strings.Builder
	dialects *jsonschema.Node // the first $schema
	diags    diag.List
}

// A definition is a tool as it is defined elsewhere.
type definition struct {
	name        string
	whole       *jsonschema.Node // all of it
	description *jsonschema.Node
	strict      *jsonschema.Node
	deprecated  bool
	input       *jsonschema.Node // the schema of the arguments
	output      *jsonschema.Node // the schema of the result
	extra       []jsonschema.Member
	reader      *reader // of all definitions of one document; nil = one of its own
	notes       *notes
}

// The limits of what is written.
const (
	maxTypes   = 10_000    // named types that a gram file may have
	maxSchemas = 256 << 20 // bytes of the schemas that come back, of all tools
)

// tool writes a definition.
func (im *importer) tool(d *definition) {
	if !im.isNew(d) {
		return
	}
	w := &writer{library: &im.library}
	signature, in, out := im.signature(w, d)
	pattern := &ast.Pattern{Form: ast.FormBracket, Annotations: im.annotations(d), Elements: []*ast.Pattern{signature}}
	record := &ast.Record{}
	pattern.Subject = &ast.Subject{Identity: ast.NewName(d.name), Labels: []*ast.Label{{Separator: ":", Name: ast.NewName(ast.LabelTool)}}, Record: record}
	add(record, "description", stringValue(im.description(d), true))
	if d.strict != nil {
		add(record, "strict", &ast.Bool{Value: d.strict.Is(jsonschema.KindTrue)})
	}
	if d.deprecated {
		add(record, "deprecated", &ast.Bool{Value: true})
	}
	types := im.reached(w.uses, !in.valued && !out.valued)
	problem := im.verify(d, signature, types, in, out)
	var lines strings.Builder
	written := im.written
	if problem == "" {
		for _, t := range types {
			if !t.written {
				written++
				lines.WriteString(ast.Print(t.pattern) + "\n")
			}
		}
		lines.WriteString(ast.Print(pattern) + "\n")
		if written > maxTypes || im.out.Len()+lines.Len() > MaxSize {
			problem = "the gram text gets too large"
		}
	}
	if problem != "" {
		d.notes.diags.Errorf(im.span(d.whole), diag.CodeImportLost, "%s is left out: gram refuses it: %s", d.notes.tool, problem)
		d.notes.comments = append(d.notes.comments, "left out: gram refuses it: "+problem)
		im.comment(d.notes)
		return
	}
	for _, t := range types {
		t.written = true
	}
	im.written = written
	im.comment(d.notes)
	im.out.WriteString(lines.String())
}

// reached returns the named types of those names and all that they are made
// of, before what is made of them where that is possible. A shared type that is
// written already may do without its parts: to look at them for each tool of a
// large document takes quadratic time.
func (im *importer) reached(names []string, stubs bool) []*named {
	var list []*named
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		t := im.byName[name]
		if stubs && t.written && t.stub != nil {
			list = append(list, t)
			return
		}
		for _, used := range t.uses {
			visit(used)
		}
		list = append(list, t)
	}
	for _, name := range names {
		visit(name)
	}
	return list
}

// isNew reports whether there is no tool of that name yet. The same definition
// once more is left out.
func (im *importer) isNew(d *definition) bool {
	first := im.tools[d.name]
	if first == nil {
		im.tools[d.name] = d.whole
		return true
	}
	if jsonschema.Equal(first, d.whole) {
		im.diags.Infof(im.span(d.whole), diag.CodeDuplicateTool, "%s is defined twice in the same words", d.notes.tool).Relate(im.span(first), "first here")
		return false
	}
	im.diags.Errorf(im.span(d.whole), diag.CodeDuplicateTool, "%s is defined differently before; this definition is left out", d.notes.tool).Relate(im.span(first), "first here")
	fmt.Fprintf(&im.out, "\n// %s is defined once more, and differently: left out\n", diag.Escape(clip(d.notes.tool)))
	return false
}

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
		result = out.schema(d.output, nil)
		out.settle()
		if out != in {
			d.notes.result = out.notes
		}
	}
	top := &path{word: d.name}
	var nodes []*ast.Pattern
	whole := &ast.Record{}
	for _, a := range arguments.attrs {
		add(whole, a.key, attributeValue(a, true))
	}
	if arguments.value != nil {
		add(whole, "default", value(arguments.value, true))
	}
	w.restOf(whole, arguments, top.down("arguments"))
	if len(whole.Properties) > 0 {
		nodes = append(nodes, &ast.Pattern{Form: ast.FormNode, Subject: &ast.Subject{Record: whole}})
	}
	for _, f := range arguments.fields {
		nodes = append(nodes, w.fieldNode(f, top.down(f.name)))
	}
	if len(nodes) == 0 {
		nodes = append(nodes, &ast.Pattern{Form: ast.FormNode, Subject: &ast.Subject{}})
	}
	label, r := w.node(result, top.down(d.name+" result"), true)
	nodes = append(nodes, nodeOf("", label, r))
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
	d.notes.assumed(im.span(d.whole), &jsonschema.Location{Token: "description"}, "models choose tools by their description, and there is none; it becomes %s", quote(words))
	return words
}

// annotations returns what a definition says besides, before the tool.
func (im *importer) annotations(d *definition) []*ast.Annotation {
	var list []*ast.Annotation
	for _, m := range d.extra {
		if ast.NewName(m.Key).Kind != ast.NameSymbol {
			d.notes.lost(d.notes.key(m), &jsonschema.Location{Token: m.Key}, "%s is no name of an annotation", quote(m.Key))
			continue
		}
		list = append(list, &ast.Annotation{Key: ast.NewName(m.Key), Value: annotationValue(m.Value)})
	}
	return list
}

// annotationValue returns a value as an annotation shows it best: an object of
// plain values as a map.
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

// comment writes what the reader of the gram text should know of a tool.
func (im *importer) comment(n *notes) {
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

// verify compiles a tool and compares its schemas with those that it is made
// of. It returns why the tool cannot be written, "" when it can.
func (im *importer) verify(d *definition, signature *ast.Pattern, types []*named, in, out *reader) string {
	if im.size > maxSchemas {
		return "the schemas of the tools before it are too large already"
	}
	file := &ast.File{}
	stubbed := map[string]bool{}
	for _, t := range types {
		if t.written && t.stub != nil && !in.valued && !out.valued {
			file.Patterns = append(file.Patterns, t.stub)
			stubbed[t.stub.Identity()] = true
			continue
		}
		file.Patterns = append(file.Patterns, t.pattern)
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
	im.size += len(tools[0].Schema()) + len(tools[0].OutputSchema())
	d.notes.compare(d.input, tools[0].Schema(), in.whole(stubbed))
	if d.output != nil {
		n := d.notes
		if n.result != nil {
			n = n.result
		}
		n.compare(d.output, tools[0].OutputSchema(), out.whole(stubbed))
	}
	return ""
}
