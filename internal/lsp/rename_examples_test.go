package lsp

import (
	"context"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/gram-lang/gramc/compile/library"
)

// TestRenameInExamples renames every name of the examples, in all of their files,
// and expects that as much is reported of them as before, and that the name comes
// back to where it was.
func TestRenameInExamples(t *testing.T) {
	renamed := map[definitionKind]int{}
	for folder, texts := range examples(t) {
		s := showing(texts)
		before := judge(s)
		for path, d := range s.open {
			for nth, p := range d.index().places {
				edited, err := renamedTo(t, s, path, nth, "Zq7")
				if err != nil {
					continue // which the marker tests look at
				}
				if p.definition != nil {
					renamed[p.definition.kind]++
				}
				next, old := showing(edited), p.name
				after := judge(next)
				if after.errors != before.errors || after.warnings != before.warnings || total(after.reported) != total(before.reported) {
					t.Errorf("%s: %s in %s: there is %v", folder, old, path, after.reported)
				}
				if library.IsBuiltin(old) {
					continue // its entry says so now
				}
				if back, err := renamedTo(t, next, path, nth, old); err != nil || !maps.Equal(back, texts) {
					t.Errorf("%s: %s in %s does not come back: %v\n%s", folder, old, path, err, cmp.Diff(texts, back))
				}
			}
		}
	}
	for _, k := range []definitionKind{agentKind, toolKind, typeKind, libraryKind, entryKind, parameterKind, fieldKind} {
		if renamed[k] == 0 {
			t.Errorf("no %s was renamed", k)
		}
	}
}

func total(reported map[string]int) int {
	n := 0
	for _, count := range reported {
		n += count
	}
	return n
}

// renamedTo returns the texts of a snapshot after a rename of what stands at the
// nth place of a document.
func renamedTo(t *testing.T, s *snapshot, path string, nth int, name string) (map[string]string, error) {
	t.Helper()
	d := s.open[path]
	edit, err := rename(context.Background(), s, d, &protocol.RenameParams{
		TextDocumentPositionParams: protocol.TextDocumentPositionParams{
			Position: d.position(int(d.index().places[nth].start)),
		},
		NewName: name,
	})
	if err != nil {
		return nil, err
	}
	c := s.changes()
	for _, change := range edit.DocumentChanges {
		of := change.(documentEdit)
		c.add(s.document(of.TextDocument.URI), of.Edits.([]protocol.TextEdit)...)
	}
	return applied(t, c), nil
}
