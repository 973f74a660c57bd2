package grammar

import (
	"slices"
	"strings"

	"github.com/gram-lang/gramc/diag"
	"github.com/gram-lang/gramc/source"
)

// This file guarantees that a safe fix leaves fewer errors. After a mistake the
// parser can skip some text, and a fix can bring mistakes in that text to light;
// or two fixes conflict.

// maxProof is how much text is parsed to find out which of several fixes is not
// safe.
const maxProof = 1 << 20

// proveSafe clears Safe of the fixes that do not lead to fewer errors. It parses the
// fixed text again, at worst once for each safe fix.
func proveSafe(src *source.File, list diag.List) {
	var safe diag.List
	for _, d := range list {
		if len(d.Fixes) > 0 && d.Fixes[0].Safe {
			safe = append(safe, d)
		}
	}
	if len(safe) == 0 || better(src, safe, len(list)) {
		return
	}
	if len(safe)*len(src.Text()) < maxProof {
		var alone diag.List
		for _, d := range safe {
			if !better(src, diag.List{d}, len(list)) {
				d.Fixes[0].Safe = false
			} else {
				alone = append(alone, d)
			}
		}
		if safe = alone; better(src, safe, len(list)) {
			return
		}
	}
	for _, d := range safe {
		d.Fixes[0].Safe = false
	}
}

// better reports whether the text has fewer errors than that many when the
// first fixes of the list have been applied.
func better(src *source.File, list diag.List, errors int) bool {
	text := applied(src.Text(), list)
	_, again := parse(source.NewFile(src.Name(), text))
	return len(again) < errors
}

// applied returns text with the first fix of each diagnostic, but for those
// that touch one before.
func applied(text string, list diag.List) string {
	var b strings.Builder
	at := 0
	for _, d := range list {
		edits := slices.Clone(d.Fixes[0].Edits)
		slices.SortFunc(edits, func(x, y diag.Edit) int { return x.Span.Start - y.Span.Start })
		if edits[0].Span.Start < at {
			continue
		}
		for _, e := range edits {
			b.WriteString(text[at:e.Span.Start])
			b.WriteString(e.NewText)
			at = e.Span.End
		}
	}
	b.WriteString(text[at:])
	return b.String()
}
