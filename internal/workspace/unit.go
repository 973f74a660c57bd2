package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/spell"
)

// maxFiles is how many files one file may import, directly or not. Each of them
// is checked with all that it imports itself.
const maxFiles = 1000

// maxQuoted is how many characters of a path messages quote.
const maxQuoted = 200

// A Unit is a parsed file with what it imports. It never changes after the
// workspace has returned it.
type Unit struct {
	*ast.File           // nil when it cannot be read
	Problems  diag.List // of parsing, and of imports that cannot be read

	workspace      *Workspace
	name, path     string // as it is shown, and the path without symbolic links
	parsed, linked sync.Once
	counted        sync.Once
	err            error // of reading it
	imports        []*Unit
	written        []string // the paths of the imports, as written
	missing        bool     // an import could not be followed
}

// Name returns the name by which the file was found first.
func (u *Unit) Name() string { return u.name }

// Path returns the absolute path of the file, without symbolic links.
func (u *Unit) Path() string { return u.path }

// Imports returns the files that u imports, directly or not, each once and
// without u.
func (u *Unit) Imports() []*Unit { return u.closure(func(*Unit) {}) }

// Trees returns the trees of Imports, as compile.Options take them.
func (u *Unit) Trees() []*ast.File {
	var trees []*ast.File
	for _, v := range u.Imports() {
		trees = append(trees, v.File)
	}
	return trees
}

// Complete reports whether all that u imports, directly or not, was found.
func (u *Unit) Complete() bool {
	return !u.missing && !slices.ContainsFunc(u.Imports(), func(v *Unit) bool { return v.missing })
}

// Options returns o with what the compiler must know of the imports of u.
func (u *Unit) Options(o compile.Options) *compile.Options {
	o.Incomplete = !u.Complete()
	o.Imported = u.Trees()
	o.ReachableFrom = make(map[string][]*ast.File, len(u.imports))
	for i, v := range u.imports {
		o.ReachableFrom[u.written[i]] = append([]*ast.File{v.File}, v.Trees()...)
	}
	o.Elsewhere = func(name string) (string, bool) { return u.workspace.Elsewhere(u.name, name) }
	return &o
}

// Examine returns all problems of a parsed file, those of parsing included, in
// the order of the text. Options say what the file imports.
func Examine(f *ast.File, problems diag.List, o *compile.Options) diag.List {
	if d := foreign(f, problems); d != nil {
		return diag.List{d}
	}
	unreadable := slices.ContainsFunc(problems, func(d *diag.Diagnostic) bool { return d.Code == diag.CodeNotUTF8 })
	if len(problems) >= diag.MaxPerList || unreadable {
		return problems
	}
	all := append(slices.Clip(problems), examineTree(f, problems, o)...)
	all.Sort()
	return all
}

// closure is Imports. It calls before for u and each of its imports first.
func (u *Unit) closure(before func(*Unit)) []*Unit {
	before(u)
	seen := map[*Unit]bool{u: true}
	var all []*Unit
	for queue := []*Unit{u}; len(queue) > 0 && len(all) <= maxFiles; {
		next := queue[0]
		queue = queue[1:]
		for _, v := range next.imports {
			if seen[v] {
				continue
			}
			seen[v] = true
			before(v)
			if v.path == u.path {
				continue
			}
			all = append(all, v)
			queue = append(queue, v)
		}
	}
	return all
}

// A project is the files below one root.
type project struct {
	workspace *Workspace
	root      string // with symbolic links resolved

	mu    sync.Mutex
	units map[string]*Unit // by path
}

// parsed returns a file that is read and parsed, but maybe not linked.
func (p *project) parsed(name string) *Unit {
	path := Resolve(name)
	p.mu.Lock()
	u := p.units[path]
	if u == nil {
		u = &Unit{workspace: p.workspace, name: name, path: path}
		p.units[path] = u
	}
	p.mu.Unlock()
	u.parsed.Do(func() {
		u.File, u.Problems, u.err = p.workspace.source.Parse(name)
		u.Problems = slices.Clip(u.Problems) // those of linking are added to a copy
	})
	return u
}

// linkAll links a file and all that it imports. A file that imports too many
// imports none.
func (p *project) linkAll(u *Unit) {
	all := u.closure(p.link)
	u.counted.Do(func() {
		if len(all) > maxFiles {
			u.Problems.Errorf(compile.Imports(u.File)[0].Span, diag.CodeTooLarge, "the file imports more than %d files, directly or not", maxFiles)
			u.imports, u.missing = nil, true
		}
	})
}

// link finds the files that u imports.
func (p *project) link(u *Unit) {
	u.linked.Do(func() {
		for _, i := range compile.Imports(u.File) {
			if v := p.follow(u, i); v != nil {
				u.imports, u.written = append(u.imports, v), append(u.written, i.Path)
			}
		}
	})
}

// follow reads the file of one import of u; nil when that is not possible,
// which is reported.
func (p *project) follow(u *Unit, i compile.Import) *Unit {
	name := filepath.Join(filepath.Dir(u.name), filepath.FromSlash(i.Path))
	written := excerpt.Runes(i.Path, maxQuoted)
	if len(written) < len(i.Path) {
		written += "…"
	}
	if !Within(p.root, Resolve(name)) {
		u.missing = true
		u.Problems.Errorf(i.Span, diag.CodeInvalidImport, "%q lies outside of the project, which is %s", written, p.root)
		return nil
	}
	v := p.parsed(name)
	switch {
	case v.path == u.path:
		d := u.Problems.Warnf(i.Span, diag.CodeInvalidImport, "the file imports itself")
		if compile.RemoveImport(d, u.File, i.Span, "remove the import"); len(d.Fixes) > 0 {
			d.MarkSafe()
		}
		return nil
	case v.err == nil:
		return v
	}
	u.missing = true
	if errors.Is(v.err, ErrNotRead) {
		u.Problems.Infof(i.Span, diag.CodeImportNotFound, "%q is not read: %v", written, v.err)
		return nil
	}
	d := u.Problems.Errorf(i.Span, diag.CodeImportNotFound, "%q cannot be read: %v", written, v.err)
	if !errors.Is(v.err, fs.ErrNotExist) {
		return nil
	}
	for n, near := range p.nearFiles(u, name) {
		if n == 0 {
			d.Message += "; did you mean " + near + "?"
		}
		d.Fix("write "+near, i.Span, fmt.Sprintf("%q", near))
	}
	return nil
}

// maxNearFiles is how many files are suggested in place of one that is missing.
const maxNearFiles = 3

// nearFiles returns the paths by which u would import the files that the author
// probably intended: those of the project that have the name, the nearest first, or
// else one in the same folder with a similar name.
func (p *project) nearFiles(u *Unit, missing string) []string {
	self, err := filepath.Abs(u.name)
	if err != nil {
		return nil
	}
	var near []string
	for _, file := range p.workspace.source.Files(p.workspace.Root(u.name)) {
		if path, ok := ImportPath(self, file); ok && filepath.Base(file) == filepath.Base(missing) && file != self {
			near = append(near, path)
		}
	}
	slices.SortStableFunc(near, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	if len(near) == 0 {
		if base := similarFile(missing); base != "" {
			path, _ := ImportPath(u.name, filepath.Join(filepath.Dir(missing), base))
			near = append(near, path)
		}
	}
	return near[:min(len(near), maxNearFiles)]
}

// similarFile returns the name of a file in the same folder that is similar, "" for
// none.
func similarFile(name string) string {
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if base, ok := strings.CutSuffix(e.Name(), ".gram"); ok && e.Name() != filepath.Base(name) { // which may be a link to nothing
			names = append(names, base)
		}
	}
	if near := spell.Nearest(strings.TrimSuffix(filepath.Base(name), ".gram"), names); near != "" {
		return near + ".gram"
	}
	return ""
}
