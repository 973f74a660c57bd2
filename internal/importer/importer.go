package importer

import (
	glob "path"
	"slices"
	"strings"

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
	// document. Arguments that no entry can send, such as those in cookies, and secrets in
	// headers are left out then.
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
		notePositions: notePositions{source.NewFile(name, text)},
		tools:         map[string]*jsonschema.Node{},
		library: library{
			names:  typeNames{taken: map[string]bool{}, next: map[string]int{}},
			byName: map[string]*named{}, same: map[string]string{},
		},
	}
	if len(text) > MaxSize {
		im.diags.Errorf(im.file.Span(0, 0), diag.CodeTooLarge, "the text has %d bytes; at most %d are allowed", len(text), MaxSize)
		return Result{}, im.diags
	}
	definitions := im.readForm()
	for _, d := range definitions {
		im.names.taken[d.name] = true
	}
	for _, d := range definitions {
		if im.tool(d) && o.Library {
			im.addOpenAPIEntry(d)
		}
	}
	if im.dialects != nil {
		im.diags.Infof(im.span(im.dialects), diag.CodeImportRewritten, "$schema names the dialect of a schema and is left out, here and elsewhere")
	}
	for _, pattern := range im.unused {
		im.diags.Errorf(im.file.Span(0, 0), diag.CodeNoDefinition, "no tool is called %s", quoteText(pattern))
	}
	im.diags.Sort()
	return Result{im.out.String(), im.service.libraryText()}, im.diags
}

// An importer is the state of one call.
type importer struct {
	notePositions
	library
	options  Options
	unused   []string                    // patterns of Only that no tool has matched
	service  *openAPIService             // of an OpenAPI document
	tools    map[string]*jsonschema.Node // the definitions, by name
	written  int                         // named types in out
	whole    int                         // types that were verified with all their parts once more
	size     int                         // bytes of all schemas that came back
	out      strings.Builder
	dialects *jsonschema.Node // the first $schema
	diags    diag.List
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
