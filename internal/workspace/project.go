package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/compile/scenario"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/excerpt"
)

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
		for _, path := range scenario.Paths(u.File) {
			p.checkTestPath(u, path)
		}
	})
}

// checkTestPath reports a file of a test that lies outside of the project, and a library
// that does not exist.
func (p *project) checkTestPath(u *Unit, path scenario.Path) {
	name := filepath.Join(filepath.Dir(u.name), filepath.FromSlash(path.Text))
	written := quotedPath(path.Text)
	if !Within(p.root, Resolve(name)) {
		u.Problems.Errorf(path.Span, diag.CodeInvalidTest, "the %s %s lies outside of the project, which is %s", path.Key, written, p.root)
		return
	}
	if path.Key != "library" {
		return
	}
	if err := p.parsed(name).err; errors.Is(err, fs.ErrNotExist) {
		p.suggestNear(u.Problems.Errorf(path.Span, diag.CodeInvalidTest, "the library %s cannot be read: %v", written, err), u, name)
	}
}

// quotedPath returns a path as messages quote it.
func quotedPath(path string) string {
	written := excerpt.Runes(path, maxQuoted)
	if len(written) < len(path) {
		written += "…"
	}
	return fmt.Sprintf("%q", written)
}

// suggestNear adds the files that the author of u probably intended to a diagnostic of one
// that does not exist.
func (p *project) suggestNear(d *diag.Diagnostic, u *Unit, missing string) {
	for n, near := range p.nearFiles(u, missing) {
		if n == 0 {
			d.Message += "; did you mean " + near + "?"
		}
		d.Fix("write "+near, d.Span, fmt.Sprintf("%q", near))
	}
}

// follow reads the file of one import of u; nil when that is not possible,
// which is reported.
func (p *project) follow(u *Unit, i compile.Import) *Unit {
	name := filepath.Join(filepath.Dir(u.name), filepath.FromSlash(i.Path))
	written := quotedPath(i.Path)
	if !Within(p.root, Resolve(name)) {
		u.missing = true
		u.Problems.Errorf(i.Span, diag.CodeInvalidImport, "%s lies outside of the project, which is %s", written, p.root)
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
		u.Problems.Infof(i.Span, diag.CodeImportNotFound, "%s is not read: %v", written, v.err)
		return nil
	}
	d := u.Problems.Errorf(i.Span, diag.CodeImportNotFound, "%s cannot be read: %v", written, v.err)
	if errors.Is(v.err, fs.ErrNotExist) {
		p.suggestNear(d, u, name)
	}
	return nil
}

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
		if base := similarUnitFile(missing); base != "" {
			path, _ := ImportPath(u.name, filepath.Join(filepath.Dir(missing), base))
			near = append(near, path)
		}
	}
	return near[:min(len(near), maxNearFiles)]
}
