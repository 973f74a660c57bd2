package lsp

import (
	"slices"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/library"
	"github.com/gram-lang/gramc/compile/scenario"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/workspace"
)

// An examination is the problems of a document, with what they depend on
// besides its text.
type examination struct {
	problems diag.List
	number   int  // differs from that of any other examination of the session
	again    bool // the document was examined before, and something else has changed

	options   *compile.Options
	linked    diag.List         // of parsing and of imports
	elsewhere map[string]string // the file that defines a name, "" if there is none
	fits      []libraryFit      // what its libraries are compared with
}

// examine returns the problems of a document. It asks the compiler again only
// when the document, or what it imports, has changed.
func (s *snapshot) examine(d *document) *examination {
	d.examining.Lock()
	defer d.examining.Unlock()
	options, linked := s.examineOptions(d)
	if d.hasAgents() {
		options.Libraries = s.namedLibraries()
	}
	fits := s.libraryFits(d)
	last := d.examined.Load()
	if last != nil && s.sameExamination(d, last, options, linked) && slices.EqualFunc(fits, last.fits, libraryFit.equal) {
		return last
	}
	fresh := &examination{options: options, linked: linked, fits: fits, number: s.nextExamination(), elsewhere: map[string]string{}, again: last != nil}
	copied := *options
	copied.Elsewhere = func(name string) (string, bool) {
		path, found := s.exportedElsewhere(d, name)
		fresh.elsewhere[name] = path
		return path, found
	}
	problems := workspace.ExamineUnit(d.ast(), linked, &copied)
	isInLibrary := func(p *diag.Diagnostic) bool { // and reported there
		return p.Span.File != d.source() && slices.ContainsFunc(options.Libraries, func(l *library.Library) bool { return l.Span().File == p.Span.File })
	}
	var before []libraryFit
	if last != nil {
		before = last.fits
	}
	problems = append(slices.DeleteFunc(problems, isInLibrary), s.libraryMisfits(d, fits, before)...)
	problems.Sort()
	fresh.problems = problems.Limit()
	d.examined.Store(fresh)
	return fresh
}

// examineOptions returns what the compiler must know of a document besides its tree,
// and the problems of parsing and of imports.
func (s *snapshot) examineOptions(d *document) (*compile.Options, diag.List) {
	tree, problems := d.file()
	o := &compile.Options{Strict: s.settings.Strict, StrictGram: s.settings.StrictGram, Models: s.models}
	switch {
	case len(compile.Imports(tree)) == 0 && len(scenario.Paths(tree)) == 0: // it names no other file
		return o, problems
	case d.path == "": // there is no folder that paths are relative to
		o.Unlinked = true
		return o, problems
	}
	u, err := s.unit(d)
	if err != nil || u.File != tree {
		o.Unlinked = true
		return o, problems
	}
	return u.Options(*o), u.Problems
}

// examineOptionsOf is examineOptions without the problems.
func (s *snapshot) examineOptionsOf(d *document) *compile.Options {
	o, _ := s.examineOptions(d)
	return o
}

// sameExamination reports whether an examination of a document holds for the snapshot.
func (s *snapshot) sameExamination(d *document, e *examination, o *compile.Options, linked diag.List) bool {
	if !e.options.Equal(o) {
		return false
	}
	equal := func(a, b *diag.Diagnostic) bool {
		return a == b || a.Span == b.Span && a.Code == b.Code && a.Message == b.Message
	}
	if !slices.EqualFunc(e.linked, linked, equal) {
		return false
	}
	for name, before := range e.elsewhere {
		if path, _ := s.exportedElsewhere(d, name); path != before {
			return false
		}
	}
	return true
}

// examinedNames returns the agents, tools and types that a document knows.
func (s *snapshot) examinedNames(d *document) *compile.Names {
	return compile.ResolveNames(d.ast(), s.examineOptionsOf(d).Imported...)
}
