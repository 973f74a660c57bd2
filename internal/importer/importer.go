package importer

import (
	"fmt"
	glob "path"
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

// Options say what is imported. The zero value imports all tools.
type Options struct {
	Only []string // names of tools, with * for any part; nil means all
	Tags []string // of which an operation must have one; nil means any

	// Library asks for the entries that call the operations of an OpenAPI
	// document. Arguments in headers and cookies are left to the library then.
	Library bool
}

// A Result is gram text.
type Result struct {
	Tools   string // each with its named types before it
	Library string // the Http entries; "" unless they were asked for
}

// Import returns the tools that a text in JSON or YAML defines as gram text. The
// name of the text is for diagnostics, and .yaml and .yml mark YAML. With errors in
// the list, the gram text is incomplete.
func Import(name, text string, o Options) (Result, diag.List) {
	im := &importer{
		options: o, unused: slices.Clone(o.Only),
		positions: positions{source.NewFile(name, text)},
		tools:     map[string]*jsonschema.Node{},
		library: library{
			names:  typeNames{taken: map[string]bool{}, next: map[string]int{}},
			byName: map[string]*named{}, same: map[string]string{},
		},
	}
	if len(text) > MaxSize {
		im.diags.Errorf(im.file.Span(0, 0), diag.CodeTooLarge, "the text has %d bytes; at most %d are allowed", len(text), MaxSize)
		return Result{}, im.diags
	}
	definitions := im.read()
	for _, d := range definitions {
		im.names.taken[d.name] = true
	}
	for _, d := range definitions {
		if im.tool(d) && o.Library {
			im.entry(d)
		}
	}
	if im.dialects != nil {
		im.diags.Infof(im.span(im.dialects), diag.CodeImportRewritten, "$schema names the dialect of a schema and is left out, here and elsewhere")
	}
	for _, pattern := range im.unused {
		im.diags.Errorf(im.file.Span(0, 0), diag.CodeNoDefinition, "no tool is called %s", quote(pattern))
	}
	im.diags.Sort()
	return Result{im.out.String(), im.service.libraryText()}, im.diags
}

// An importer is the state of one call.
type importer struct {
	positions
	library
	options  Options
	unused   []string                    // patterns of Only that no tool has matched
	service  *service                    // of an OpenAPI document
	tools    map[string]*jsonschema.Node // the definitions, by name
	written  int                         // named types in out
	size     int                         // bytes of all schemas that came back
	out      strings.Builder
	dialects *jsonschema.Node // the first $schema
	diags    diag.List
}

// A definition is a tool as its source defines it.
type definition struct {
	name        string
	whole       *jsonschema.Node // all of it
	description *jsonschema.Node
	strict      *jsonschema.Node
	deprecated  bool
	input       *jsonschema.Node    // the schema of the arguments
	output      *jsonschema.Node    // the schema of the result
	extra       []jsonschema.Member // what becomes annotations
	reader      *reader             // of all definitions of one document; nil = one of its own
	entry       *entry              // of an operation
	service     *service            // the same
	notes       *notes
}

// The limits of what is written.
const (
	maxTypes   = 10_000   // named types that a gram file may have
	maxSchemas = 60 << 20 // bytes of the schemas that come back, of all tools
	maxResults = 40 << 20 // the same, beyond which results have no schemas
)

// selects reports whether a tool is to be imported.
func (im *importer) selects(name string, tags *jsonschema.Node) bool {
	chosen := im.options.Only == nil
	for _, pattern := range im.options.Only {
		if ok, err := glob.Match(pattern, name); ok || err != nil && pattern == name {
			chosen = true
			im.unused = slices.DeleteFunc(im.unused, func(p string) bool { return p == pattern })
		}
	}
	texts, _ := tags.Texts()
	return chosen && (im.options.Tags == nil || slices.ContainsFunc(texts, func(tag string) bool { return slices.Contains(im.options.Tags, tag) }))
}

// tool writes a definition, or a comment that says why it is left out. It reports
// whether it wrote it.
func (im *importer) tool(d *definition) bool {
	if !im.isNew(d) {
		return false
	}
	w := &writer{library: &im.library}
	signature, in, out := im.signature(w, d)
	tool := ast.NewTool(d.name, "", signature).Pattern
	tool.Annotations = im.annotations(d)
	record := &ast.Record{}
	tool.Subject.Record = record
	add(record, "description", stringValue(im.description(d), true))
	if d.strict != nil {
		add(record, "strict", &ast.Bool{Value: d.strict.Is(jsonschema.KindTrue)})
	}
	if d.deprecated {
		add(record, "deprecated", &ast.Bool{Value: true})
	}
	types := im.reached(w.uses)
	problem := im.verify(d, signature, types, in, out)
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
		im.comment(d.notes)
		return false
	}
	for _, t := range made {
		t.written = true
	}
	im.written += len(made)
	im.comment(d.notes)
	im.out.WriteString(text.String())
	return true
}

// reached returns the named types of those names and all that they are made
// of, before what is made of them where that is possible. A shared type that is
// written already can do without its parts: to visit them for each tool of a large
// document takes quadratic time.
func (im *importer) reached(names []string) []*named {
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
			if t.stubbed = t.written && t.stub != nil; !t.stubbed {
				visit(t.uses)
			}
			list = append(list, t)
		}
	}
	visit(names)
	return list
}

// isNew reports whether no tool has that name yet, and reports a second
// definition.
func (im *importer) isNew(d *definition) bool {
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
	fmt.Fprintf(&im.out, "\n// %s: a second, different definition is left out\n", diag.Escape(clip(d.notes.tool)))
	return false
}

// comment writes what the reader of the gram text should know about a tool.
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
	in.compare(d.input, input, stubbed, size)
	if d.output != nil {
		out.compare(d.output, output, stubbed, size)
	}
	im.size += len(input) + len(output) + im.stubbedSize(types)
	return ""
}

// stubbedSize returns how many bytes of schemas the stubs among some types and
// all that those are made of stand for.
func (im *importer) stubbedSize(types []*named) int {
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
