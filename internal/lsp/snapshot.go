package lsp

import (
	"iter"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/ast"
	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/internal/workspace"
	"github.com/gram-lang/gramc/source"
)

// A snapshot is the state of everything at one moment: the open documents, and
// the files below the roots as they are when the snapshot first reads them. It
// never changes, and any number of requests can share it.
type snapshot struct {
	*client
	settings settings
	number   int // grows from one snapshot to the next
	roots    []root
	open     map[string]*document // by key
	changed  string               // the key of the document that was changed last
	links    map[string]string    // keys of open documents, by their path without symbolic links
	listing  *listing
	disk     *disk

	seen  sync.Map             // func() (*document, error) by path
	units *workspace.Workspace // of which the snapshot is the source

	lists sync.Once
	list  []*document // see listed
	near  []*document // see searched
}

// newSnapshot returns a snapshot without open documents.
func newSnapshot(c *client, roots []root) *snapshot {
	s := &snapshot{client: c, roots: roots, listing: &listing{roots: roots}, disk: newDisk(c.encoding)}
	s.units = workspace.Open(s)
	return s
}

// next returns a copy that has seen nothing yet.
func (s *snapshot) next() *snapshot {
	next := newSnapshot(s.client, s.roots)
	next.settings, next.number, next.open, next.changed, next.links = s.settings, s.number+1, s.open, s.changed, s.links
	next.listing, next.disk = s.listing, s.disk
	return next
}

// document returns the document of a URI: open, or a gram file below the roots.
// It is nil when there is none.
func (s *snapshot) document(uri string) *document {
	key := uriKey(uri)
	if d := s.open[key]; d != nil {
		return d
	}
	if _, ok := uriPath(uri); !ok {
		return nil
	}
	d, _ := s.file(key)
	return d
}

// file returns the document at a path.
func (s *snapshot) file(path string) (*document, error) {
	if d := s.open[path]; d != nil {
		return d, nil
	}
	read, ok := s.seen.Load(path)
	if !ok {
		read, _ = s.seen.LoadOrStore(path, sync.OnceValues(func() (*document, error) {
			if len(s.links) > 0 {
				if key, linked := s.links[workspace.Resolve(path)]; linked {
					return s.open[key], nil
				}
			}
			return s.disk.read(path, s.roots)
		}))
	}
	return read.(func() (*document, error))()
}

// maxHeld is how many bytes of text the server holds of files that are not open.
const maxHeld = 64 << 20

// listed returns the gram files below the roots, in the order of their names.
// It waits until they have been looked for.
func (s *snapshot) listed() []*document {
	s.listing.find()
	s.lists.Do(func() {
		held, left := 0, workspace.MaxSearchedBytes
		seen := map[*document]bool{}
		for _, path := range s.listing.find() {
			d, err := s.file(path)
			if err != nil || seen[d] {
				continue
			}
			seen[d] = true
			s.list = append(s.list, d)
			if size := len(d.text); size <= min(left, workspace.MaxSearchedSize) {
				s.near = append(s.near, d)
				left -= size
			}
			if held += len(d.text); held > maxHeld {
				return
			}
		}
	})
	return s.list
}

// searched returns those of the listed files in which names are looked for that a
// document does not know: as many as are parsed soon.
func (s *snapshot) searched() []*document {
	s.listed()
	return s.near
}

// documents returns the gram files below the roots and the open documents.
func (s *snapshot) documents() []*document { return s.withShown(s.listed()) }

// withShown returns documents and the open ones, each once.
func (s *snapshot) withShown(list []*document) []*document {
	all := slices.Clone(list)
	listed := map[*document]bool{}
	for _, d := range all {
		listed[d] = true
	}
	for _, d := range s.shown() {
		if !listed[d] {
			all = append(all, d)
		}
	}
	return all
}

// shown returns the open documents, in the order of their keys.
func (s *snapshot) shown() []*document {
	all := make([]*document, 0, len(s.open))
	for _, d := range s.open {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b *document) int { return strings.Compare(a.key, b.key) })
	return all
}

// location returns the location of a span, in whatever document. One in no
// document has no URI.
func (s *snapshot) location(span source.Span) protocol.Location {
	if d := s.documentOf(span); d != nil {
		return d.location(span)
	}
	return protocol.Location{}
}

// Root returns the folder in which the imports of a file may lie, as gramc sees
// it: the nearest one around it with .git in it, else the folder that the client
// has opened, else that of the file. A file in it is not always one that the
// server reads.
func (s *snapshot) Root(path string) string {
	return workspace.RootOf(filepath.Dir(path), workspacePaths(s.roots)...)
}

// Parse returns the tree of a file, and the problems of parsing it.
func (s *snapshot) Parse(path string) (*ast.File, diag.List, error) {
	d, err := s.file(path)
	if err != nil {
		return nil, nil, err
	}
	tree, problems := d.file()
	return tree, problems, nil
}

// Defining yields the paths of the searched files below a root that define a name;
// none before the files have been listed.
func (s *snapshot) Defining(root, name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !s.listing.done.Load() {
			return
		}
		for _, d := range s.searched() {
			if workspace.Within(root, d.path) && d.exportsName(name) && !yield(d.path) {
				return
			}
		}
	}
}

// Files returns the paths of the listed files below a root; none before the files
// have been listed.
func (s *snapshot) Files(root string) []string {
	if !s.listing.done.Load() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.listing.find()), func(path string) bool { return !workspace.Within(root, path) })
}

// unit returns a document with what it imports.
func (s *snapshot) unit(d *document) (*workspace.Unit, error) {
	if d.isFile() {
		return s.units.Load(d.path)
	}
	tree, problems := d.file()
	return s.units.Add(d.path, tree, problems), nil
}

// documentOf returns the document of a span, nil if there is none or its text
// has changed.
func (s *snapshot) documentOf(span source.Span) *document {
	if span.IsZero() {
		return nil
	}
	d, _ := s.file(span.File.Name())
	if d == nil || d.source() != span.File {
		return nil
	}
	return d
}

// visible returns the documents whose tools and types a document knows: itself
// first, then those that it imports, directly or not.
func (s *snapshot) visible(d *document) []*document {
	all := []*document{d}
	seen := map[*document]bool{d: true}
	for next := 0; next < len(all); next++ {
		for _, path := range all[next].index().imports {
			if other, err := s.file(path); err == nil && other != nil && !seen[other] {
				seen[other] = true
				all = append(all, other)
			}
		}
		if len(all) > maxVisible {
			return all[:1]
		}
	}
	return all
}

// shared returns the length of the path of the deepest folder that two
// documents share, 0 if it is in no root.
func (s *snapshot) shared(a, b *document) int {
	if a == b {
		return math.MaxInt
	}
	if a.path == "" || b.path == "" {
		return 0
	}
	folder := filepath.Dir(a.path)
	for !workspace.Within(folder, b.path) {
		folder = filepath.Dir(folder)
	}
	for _, r := range s.roots {
		if workspace.Within(r.path, folder) {
			return len(folder)
		}
	}
	if folder == filepath.Dir(a.path) || folder == filepath.Dir(b.path) {
		return len(folder)
	}
	return 0
}

// show returns a document as the client shows it.
func (s *snapshot) show(uri, text string, version int32) *document {
	d := newDocument(uri, text, s.encoding)
	d.open, d.version = true, version
	if d.path == "" {
		d.path = unsavedWorkspacePath(uri, s.roots)
	}
	return d
}

// withOpen sets the open documents of a snapshot.
func (s *snapshot) withOpen(change func(open map[string]*document)) {
	open := maps.Clone(s.open)
	if open == nil {
		open = map[string]*document{}
	}
	change(open)
	s.open = open
}

// shownPath returns the path of a document as messages show it.
func (s *snapshot) shownPath(d *document) string {
	for _, r := range s.roots {
		if rest, ok := strings.CutPrefix(d.path, r.path+string(filepath.Separator)); ok {
			return filepath.ToSlash(rest)
		}
	}
	if d.path != "" {
		return filepath.Base(d.path)
	}
	return d.uri
}
