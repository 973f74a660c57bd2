package lsp

import (
	"context"
	"os"
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
// the files below the roots as they are when the snapshot first looks at them.
// Nobody changes it, and any number of requests may share it.
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

	seen         sync.Map // *sighting by path
	projects     sync.Map // *workspace.Project by root
	projectRoots sync.Map // by folder

	lists sync.Once
	list  []*document // see listed
}

// A sighting is a file as a snapshot has seen it.
type sighting struct {
	once     sync.Once
	document *document
	err      error
}

// next returns a copy that has seen nothing yet.
func (s *snapshot) next() *snapshot {
	return &snapshot{
		client: s.client, settings: s.settings, number: s.number + 1, roots: s.roots, open: s.open, changed: s.changed, links: s.links, listing: s.listing, disk: s.disk,
	}
}

// document returns the document of a URI: open, or a gram file below the roots.
// It is nil when there is none.
func (s *snapshot) document(uri string) *document {
	key := keyOf(uri)
	if d := s.open[key]; d != nil {
		return d
	}
	if _, ok := pathOf(uri); !ok {
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
	known, ok := s.seen.Load(path)
	if !ok {
		known, _ = s.seen.LoadOrStore(path, new(sighting))
	}
	seen := known.(*sighting)
	seen.once.Do(func() {
		if len(s.links) > 0 {
			if key, linked := s.links[workspace.Resolve(path)]; linked {
				seen.document = s.open[key]
				return
			}
		}
		seen.document, seen.err = s.disk.read(path, s.roots)
	})
	return seen.document, seen.err
}

// maxHeld is how many bytes of text the server holds of files that are not open.
const maxHeld = 64 << 20

// listed returns the gram files below the roots, in the order of their names.
// It waits until they have been looked for.
func (s *snapshot) listed() []*document {
	s.listing.find()
	s.lists.Do(func() {
		held := 0
		seen := map[*document]bool{}
		for _, path := range s.listing.find() {
			d, err := s.file(path)
			if err != nil || seen[d] {
				continue
			}
			seen[d] = true
			s.list = append(s.list, d)
			if held += len(d.text); held > maxHeld {
				return
			}
		}
	})
	return s.list
}

// workspace returns the gram files below the roots and the open documents.
func (s *snapshot) workspace(ctx context.Context) ([]*document, error) {
	all := slices.Clone(s.listed())
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	listed := map[*document]bool{}
	for _, d := range all {
		listed[d] = true
	}
	for _, d := range s.shown() {
		if !listed[d] {
			all = append(all, d)
		}
	}
	return all, nil
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

// location returns where a span stands, in whatever document. A place in no
// document has no URI.
func (s *snapshot) location(span source.Span) protocol.Location {
	if d := s.documentOf(span); d != nil {
		return d.location(span)
	}
	return protocol.Location{}
}

// projectRoot returns the folder in which the imports of a file may lie, as
// gramc sees it: the nearest one around it with .git in it, else the folder that
// the client has opened, else that of the file. That something may lie there does
// not mean that it is read.
func (s *snapshot) projectRoot(path string) string {
	folder := filepath.Dir(path)
	if known, ok := s.projectRoots.Load(folder); ok {
		return known.(string)
	}
	root := s.findProjectRoot(folder)
	s.projectRoots.Store(folder, root)
	return root
}

func (s *snapshot) findProjectRoot(folder string) string {
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	for _, r := range s.roots {
		if within(r.path, folder) {
			return r.path
		}
	}
	return folder
}

// link returns a document with what it imports.
func (s *snapshot) link(d *document) (*workspace.File, error) {
	root := s.projectRoot(d.path)
	known, ok := s.projects.Load(root)
	if !ok {
		known, _ = s.projects.LoadOrStore(root, workspace.New(root, s.parse))
	}
	if !d.isFile() {
		tree, problems := d.file()
		return known.(*workspace.Project).Add(d.path, tree, problems), nil
	}
	return known.(*workspace.Project).Load(d.path)
}

// parse returns the tree of a file for package project.
func (s *snapshot) parse(path string) (*ast.File, diag.List, error) {
	d, err := s.file(path)
	if err != nil {
		return nil, nil, err
	}
	tree, problems := d.file()
	return tree, problems, nil
}
