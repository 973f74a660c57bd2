package diag

import (
	"bytes"
	"slices"

	"github.com/gram-lang/gramc/source"
)

// maskedSecrets returns the files with secrets as excerpts show them: each byte of a secret is an
// asterisk, so that every place stays where it is.
func (l List) maskedSecrets() map[*source.File]*source.File {
	var files map[*source.File]*source.File
	for _, d := range l {
		if !d.Secret || d.Span.IsZero() {
			continue
		}
		if files == nil {
			files = map[*source.File]*source.File{}
		}
		file := files[d.Span.File]
		if file == nil {
			file = d.Span.File
		}
		text := []byte(file.Text())
		for i := d.Span.Start; i < d.Span.End; i++ {
			if !bytes.ContainsRune([]byte("\r\n\""), rune(text[i])) {
				text[i] = '*'
			}
		}
		files[d.Span.File] = source.NewFile(file.Name(), string(text))
	}
	return files
}

// inMaskedSecrets returns the diagnostic in other files, where there is one for its own.
func (d *Diagnostic) inMaskedSecrets(files map[*source.File]*source.File) *Diagnostic {
	if len(files) == 0 {
		return d
	}
	move := func(s source.Span) source.Span {
		if file := files[s.File]; file != nil {
			s.File = file
		}
		return s
	}
	out := *d
	out.Span = move(d.Span)
	out.Related, out.Fixes = slices.Clone(d.Related), slices.Clone(d.Fixes)
	for i := range out.Related {
		out.Related[i].Span = move(out.Related[i].Span)
	}
	for i := range out.Fixes {
		f := &out.Fixes[i]
		f.Edits = slices.Clone(f.Edits)
		for j := range f.Edits {
			f.Edits[j].Span = move(f.Edits[j].Span)
		}
	}
	return &out
}
