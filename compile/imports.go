package compile

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// An Import is one file that another one imports, as its header says:
//
//	{import: ["./types.gram", "./tools/weather.gram"]}
type Import struct {
	Path string      // as written, with / between folders, relative to the file
	Span source.Span // where it is written
}

// Imports returns what a file imports. What is no import at all is left out:
// Check reports it.
func Imports(f *ast.File) []Import {
	imports, _ := readImports(f)
	return imports
}

// readImports reads the header of a file.
func readImports(f *ast.File) (imports []Import, problems diag.List) {
	p := f.Header.Get("import")
	if p == nil || p.Value == nil {
		return nil, nil
	}
	elements := []ast.Value{p.Value}
	if list, ok := p.Value.(*ast.Array); ok {
		elements = list.Elements
	}
	seen := map[string]source.Span{}
	for _, v := range elements {
		text, ok := ast.TextOf(v)
		if !ok {
			problems.Errorf(v.Span(), diag.CodeInvalidImport, `an import is %s; it must be the path of a file: {import: ["./types.gram"]}`, report.KindOf(v))
			continue
		}
		if problem := importProblem(text); problem != "" {
			d := problems.Errorf(v.Span(), diag.CodeInvalidImport, "%s", problem)
			rest := strings.TrimLeft(text, "/")
			if fixed := "./" + rest; importProblem(fixed) == "" {
				report.Fix(d, "write "+report.Clip(fixed), report.NewQuotation(v, text).At(0, len(text)-len(rest)), "./")
			}
			continue
		}
		if first, twice := seen[path.Clean(text)]; twice {
			d := problems.Hintf(v.Span(), diag.CodeInvalidImport, "%s is imported twice", report.Quote(text))
			report.Relate(d, first, "first here")
			if RemoveImport(d, f, v.Span(), "remove the second one"); len(d.Fixes) > 0 {
				d.MarkSafe()
			}
			continue
		}
		seen[path.Clean(text)] = v.Span()
		imports = append(imports, Import{Path: text, Span: v.Span()})
	}
	return imports, problems
}

// importProblem says why a text is no path that can be imported, "" when it is
// one.
func importProblem(text string) string {
	switch {
	case report.Blank(text):
		return "the path of an import is empty"
	case strings.Contains(text, "://"):
		return fmt.Sprintf("%s is an address; only files of the project can be imported", report.Quote(text))
	case strings.HasPrefix(text, "/"), strings.Contains(text, `\`), len(text) > 1 && text[1] == ':':
		return fmt.Sprintf("%s is not a relative path with / between folders, such as ./types.gram", report.Quote(text))
	case !strings.HasPrefix(text, "./") && !strings.HasPrefix(text, "../"):
		return fmt.Sprintf("the path %s must start with ./ or ../", report.Quote(text))
	case strings.ContainsRune(text, 0):
		return "the path of an import holds a zero byte"
	}
	return ""
}

// checkImportHeader checks the header of the file.
func (c *compiler) checkImportHeader() {
	_, problems := readImports(c.main)
	c.Diags = append(c.Diags, problems...)
	if c.main.Header == nil {
		return
	}
	for _, p := range c.main.Header.Properties {
		key := p.Key.Text
		if key == "import" || len(key) < len("impor") {
			continue
		}
		if near := c.Guess(key, []string{"import"}); near != "" && c.main.Header.Get("import") == nil {
			d := c.Diags.Warnf(p.Key.Span(), diag.CodeUnknownProperty, "the property %s has no meaning in a header; did you mean import?", report.Quote(key))
			report.Fix(d, "write import", p.Key.Span(), "import")
		}
	}
}

// maxElsewhere is how many names of a file are searched in other files, each of which
// may take a look at all of them.
const maxElsewhere = 100

// findImportOf returns the file that is not imported and defines a name, "" if there
// is none or too many names were searched.
func (c *compiler) findImportOf(name string) string {
	from, searched := c.searched[name]
	if !searched && len(c.searched) < maxElsewhere {
		from, _ = c.opts.Elsewhere(name)
		c.searched[name] = from
	}
	return from
}

// addImport adds to a diagnostic about an unknown name that another file of the
// project defines it, and reports whether one does.
func (c *compiler) addImport(d *diag.Diagnostic, name string) bool {
	from := c.findImportOf(name)
	if from == "" {
		return false
	}
	d.Message += fmt.Sprintf("; %s defines it: import that file", from)
	d.Fixes = nil
	if f, ok := ImportFix(c.main, from); ok {
		d.Fixes = []diag.Fix{f}
	}
	return true
}

// ImportList returns paths as the elements of a list.
func ImportList(paths ...string) string {
	quoted := make([]string, len(paths))
	for i, path := range paths {
		quoted[i] = ast.Print(&ast.String{Text: path})
	}
	return strings.Join(quoted, ", ")
}

// ImportFix returns the fix that makes a file import others by their paths. It is
// not ok where there are none, or the file was made in code.
func ImportFix(f *ast.File, paths ...string) (added diag.Fix, ok bool) {
	d := &diag.Diagnostic{}
	list := ImportList(paths...)
	title := "import " + strings.Join(paths, ", ")
	header := f.Header
	property := header.Get("import")
	switch {
	case f.Source == nil || len(paths) == 0:
	case header == nil:
		start := len(f.Source.Text()) - len(strings.TrimPrefix(f.Source.Text(), "\ufeff"))
		lineBreak := "\n"
		if strings.Contains(f.Source.Text(), "\r\n") {
			lineBreak = "\r\n"
		}
		report.Fix(d, title, f.Source.Span(start, start), "{import: ["+list+"]}"+lineBreak+lineBreak)
	case property == nil:
		report.AddProperty(d, &ast.Subject{Base: ast.At(header.Span()), Record: header}, "import: ["+list+"]")
	default:
		switch v := property.Value.(type) {
		case *ast.Array:
			if n := len(v.Elements); n > 0 {
				report.Fix(d, title, v.Elements[n-1].Span().Tail(), ", "+list)
			} else {
				report.Fix(d, title, v.Span(), "["+list+"]")
			}
		case *ast.String:
			report.Fix(d, title, v.Span(), "["+v.Span().Text()+", "+list+"]")
		}
	}
	if len(d.Fixes) == 0 {
		return diag.Fix{}, false
	}
	return d.Fixes[0], true
}

// RemoveImport adds the fix that takes an import away, and the header with the last
// one. There is none where a comment would be lost.
func RemoveImport(d *diag.Diagnostic, f *ast.File, at source.Span, title string) {
	if list, _ := f.Header.Get("import").Value.(*ast.Array); list != nil && len(list.Elements) > 1 {
		at = report.RemoveElement(list.Elements, slices.IndexFunc(list.Elements, func(v ast.Value) bool { return v.Span() == at }))
	} else {
		at = ImportsSpan(f)
	}
	if !strings.Contains(at.Text(), "//") {
		report.Fix(d, title, at, "")
	}
}

// ImportsSpan returns what to take away of a file with imports so that it has none:
// the property, or the whole header.
func ImportsSpan(f *ast.File) source.Span {
	if properties := f.Header.Properties; len(properties) > 1 {
		return report.RemoveElement(properties, slices.IndexFunc(properties, func(p *ast.Property) bool { return p.Key.Text == "import" }))
	}
	at := f.Header.Span()
	if !at.IsZero() {
		at.End = len(at.File.Text()) - len(strings.TrimLeft(at.File.Text()[at.End:], " \t\r\n"))
	}
	return at
}
