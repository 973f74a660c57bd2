package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/gram-lang/gramc/internal/comparison"
)

// writeTracePages writes the traces of the cases that flipped as pages, to which the page of
// the report links.
func (k *comparer) writeTracePages(r *comparison.Report) (err error) {
	for i := range r.Flipped {
		f := &r.Flipped[i]
		if f.PageA, err = k.writeTracePage(f.TraceA); err != nil {
			return err
		}
		if f.PageB, err = k.writeTracePage(f.TraceB); err != nil {
			return err
		}
	}
	return nil
}

// writeTracePage writes a trace as a page beside it, and returns its name; "" where there is
// no such trace. Of what a file of results names, only traces in the folder of traces are read.
func (k *comparer) writeTracePage(name string) (page string, err error) {
	file := filepath.FromSlash(name)
	if name == "" || filepath.Dir(file) != filepath.Clean(k.traces) {
		return "", nil
	}
	t, err := k.readTrace(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	page = strings.TrimSuffix(file, ".jsonl") + ".html"
	return filepath.ToSlash(page), k.writePage(page, t.HTML())
}
