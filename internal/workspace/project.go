package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/compile"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/grammar"
	"github.com/gram-lang/gramc/internal/excerpt"
	"github.com/gram-lang/gramc/internal/spell"
)

// maxFiles is how many files one file may import, directly or not. Each of them
// is checked with all that it imports itself.
const maxFiles = 1000

// maxQuoted is how many characters of a path messages quote.
const maxQuoted = 200

// A Project reads each file at most once. It may be shared between goroutines.
type Project struct {
	root  string // with symbolic links resolved
	parse func(name string) (*ast.File, diag.List, error)

	mu    sync.Mutex
	files map[string]*File // by path, with symbolic links resolved
}

// A File is a parsed file of a project, with what it imports. Nobody changes it
// after Load has returned it.
type File struct {
	*ast.File           // nil when it cannot be read
	Problems  diag.List // of parsing, and of imports that cannot be read

	name, key      string // as it is shown, and the path without symbolic links
	parsed, linked sync.Once
	counted        sync.Once
	err            error // of reading it
	imports        []*File
	paths          []string // of the imports, as written
	missing        bool     // an import could not be followed
}

// New returns the project below a root folder. Parse returns the tree of a file
// and what is wrong with it, such as the function of that name does; a caller
// that has some trees already gives those. Its errors become diagnostics at the
// import; one that wraps ErrNotRead is no mistake of the author.
func New(root string, parse func(name string) (*ast.File, diag.List, error)) *Project {
	return &Project{root: Resolve(root), parse: parse, files: map[string]*File{}}
}

// ErrNotRead is what a parse function returns of a file that it may not read.
var ErrNotRead = errors.New("not read")

// Parse reads and parses a file.
func Parse(name string) (*ast.File, diag.List, error) {
	text, err := ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	f, problems := grammar.Parse(name, text)
	return f, problems, nil
}

// RootOf returns the root of the project that a file belongs to: the nearest
// folder around it with .git in it, else the working folder if the file is
// below it, else the folder of the file.
func RootOf(file string) string {
	folder := filepath.Dir(Resolve(file))
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if work, err := os.Getwd(); err == nil && within(Resolve(work), folder) {
		return work
	}
	return folder
}

// Root returns the root folder, with symbolic links resolved.
func (p *Project) Root() string { return p.root }

// Resolve returns the absolute path of a file without symbolic links. What
// cannot be resolved stays as it is.
func Resolve(name string) string {
	absolute, err := filepath.Abs(name)
	if err != nil {
		absolute = name
	}
	if real, err := filepath.EvalSymlinks(absolute); err == nil {
		return real
	}
	// The file may be missing, and its folder may be a link.
	if real, err := filepath.EvalSymlinks(filepath.Dir(absolute)); err == nil {
		return filepath.Join(real, filepath.Base(absolute))
	}
	return filepath.Clean(absolute)
}

func within(folder, file string) bool {
	relative, err := filepath.Rel(folder, file)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}

// Add returns a file that was parsed elsewhere, such as standard input, with
// what it imports. Its imports are relative to the folder of the name.
func (p *Project) Add(name string, f *ast.File, problems diag.List) *File {
	added := &File{File: f, Problems: slices.Clip(problems), name: name, key: Resolve(name)}
	p.linkAll(added)
	return added
}

// Load returns a file with everything that it imports. The error is that of
// reading the file itself.
func (p *Project) Load(name string) (*File, error) {
	f := p.parsed(name)
	if f.err != nil {
		return nil, f.err
	}
	p.linkAll(f)
	return f, nil
}

// parsed returns a file that is read and parsed, but maybe not linked.
func (p *Project) parsed(name string) *File {
	key := Resolve(name)
	p.mu.Lock()
	f := p.files[key]
	if f == nil {
		f = &File{name: name, key: key}
		p.files[key] = f
	}
	p.mu.Unlock()
	f.parsed.Do(func() {
		f.File, f.Problems, f.err = p.parse(name)
		f.Problems = slices.Clip(f.Problems) // those of linking are added to a copy
	})
	return f
}

// linkAll links a file and all that it imports. A file that imports too many
// imports none.
func (p *Project) linkAll(f *File) {
	all := f.closure(p.link)
	f.counted.Do(func() {
		if len(all) > maxFiles {
			f.Problems.Errorf(compile.Imports(f.File)[0].Span, diag.CodeTooLarge, "the file imports more than %d files, directly or not", maxFiles)
			f.imports, f.missing = nil, true
		}
	})
}

// link finds the files that f imports.
func (p *Project) link(f *File) {
	f.linked.Do(func() {
		for _, i := range compile.Imports(f.File) {
			if g := p.follow(f, i); g != nil {
				f.imports, f.paths = append(f.imports, g), append(f.paths, i.Path)
			}
		}
	})
}

// follow reads the file of one import of f; nil when that is not possible,
// which is noted.
func (p *Project) follow(f *File, i compile.Import) *File {
	name := filepath.Join(filepath.Dir(f.name), filepath.FromSlash(i.Path))
	written := excerpt.Runes(i.Path, maxQuoted)
	if len(written) < len(i.Path) {
		written += "…"
	}
	if !within(p.root, Resolve(name)) {
		f.missing = true
		f.Problems.Errorf(i.Span, diag.CodeInvalidImport, "%q lies outside of the project, which is %s", written, p.root)
		return nil
	}
	g := p.parsed(name)
	switch {
	case g.key == f.key:
		f.Problems.Warnf(i.Span, diag.CodeInvalidImport, "the file imports itself")
		return nil
	case g.err == nil:
		return g
	}
	f.missing = true
	if errors.Is(g.err, ErrNotRead) {
		f.Problems.Infof(i.Span, diag.CodeImportNotFound, "%q is not looked at: %v", written, g.err)
		return nil
	}
	d := f.Problems.Errorf(i.Span, diag.CodeImportNotFound, "%q cannot be read: %v", written, g.err)
	if !errors.Is(g.err, fs.ErrNotExist) {
		return nil
	}
	if near := nearFile(name); near != "" {
		written := path.Join(path.Dir(i.Path), near)
		if !strings.HasPrefix(written, "../") {
			written = "./" + written
		}
		d.Message += "; did you mean " + written + "?"
		d.Fix("write "+written, i.Span, fmt.Sprintf("%q", written))
	}
	return nil
}

// nearFile returns the file in the same folder that was probably meant.
func nearFile(name string) string {
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".gram") && e.Name() != filepath.Base(name) { // which may be a link to nothing
			names = append(names, strings.TrimSuffix(e.Name(), ".gram"))
		}
	}
	base := strings.TrimSuffix(filepath.Base(name), ".gram")
	if near := spell.Nearest(base, names); near != "" {
		return near + ".gram"
	}
	return ""
}

// closure returns the files that f imports, directly or not, each once and
// without f. Before looks at each file first.
func (f *File) closure(before func(*File)) []*File {
	before(f)
	seen := map[*File]bool{f: true}
	var all []*File
	for queue := []*File{f}; len(queue) > 0 && len(all) <= maxFiles; {
		next := queue[0]
		queue = queue[1:]
		for _, g := range next.imports {
			if seen[g] {
				continue
			}
			seen[g] = true
			before(g)
			if g.key == f.key {
				continue
			}
			all = append(all, g)
			queue = append(queue, g)
		}
	}
	return all
}

// Complete reports whether all that f imports, directly or not, was found.
func (f *File) Complete() bool {
	return !f.missing && !slices.ContainsFunc(f.Closure(), func(g *File) bool { return g.missing })
}

// Closure returns the files that f imports, directly or not, each once.
func (f *File) Closure() []*File { return f.closure(func(*File) {}) }

// Imported returns the trees of Closure, as compile.Options take them.
func (f *File) Imported() []*ast.File {
	var trees []*ast.File
	for _, g := range f.Closure() {
		trees = append(trees, g.File)
	}
	return trees
}

// Behind returns, for each path that the file imports, the trees that it makes
// known, as compile.Options take them.
func (f *File) Behind() map[string][]*ast.File {
	behind := make(map[string][]*ast.File, len(f.imports))
	for i, g := range f.imports {
		behind[f.paths[i]] = append([]*ast.File{g.File}, g.Imported()...)
	}
	return behind
}

// ImportPath returns the path by which one file imports another, both absolute.
func ImportPath(from, to string) (path string, ok bool) {
	relative, err := filepath.Rel(filepath.Dir(from), to)
	if err != nil {
		return "", false
	}
	relative = filepath.ToSlash(relative)
	if !strings.HasPrefix(relative, "../") {
		relative = "./" + relative
	}
	return relative, true
}

// Name returns the name by which the file was found first.
func (f *File) Name() string { return f.name }

// Path returns the absolute path of the file, without symbolic links.
func (f *File) Path() string { return f.key }
