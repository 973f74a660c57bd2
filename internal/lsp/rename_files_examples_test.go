package lsp

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// TestMovedExamplesKeepTheirMeaning moves every file of the examples into another
// folder, with the edits that the server wants, and expects as many problems as before.
func TestMovedExamplesKeepTheirMeaning(t *testing.T) {
	changed := 0
	for folder, texts := range examples(t) {
		before := judge(showing(texts))
		for path := range texts {
			to := "/w/moved/here/" + filepath.Base(path)
			s := showing(texts)
			edit, err := willRenameFiles(context.Background(), s, &protocol.RenameFilesParams{Files: []protocol.FileRename{{OldURI: uriOf(path), NewURI: uriOf(to)}}})
			if err != nil {
				t.Fatal(err)
			}
			c := s.changes()
			for _, e := range edit.DocumentChanges {
				of := e.(documentEdit)
				c.add(s.document(of.TextDocument.URI), of.Edits.([]protocol.TextEdit)...)
				changed++
			}
			moved := applied(t, c)
			moved[to] = moved[path]
			delete(moved, path)
			if after := judge(showing(moved)); after.errors != before.errors || after.warnings != before.warnings || total(after.reported) != total(before.reported) {
				t.Errorf("%s: after %s has moved there is %v\n%s", folder, path, after.reported, strings.Split(moved[to], "\n")[0])
			}
		}
	}
	if changed == 0 {
		t.Error("no import was changed")
	}
}
