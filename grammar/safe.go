package grammar

import (
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
	if better(src, list, len(list)) {
		return
	}
	var safe diag.List
	for _, d := range list {
		if len(d.Fixes) > 0 && d.Fixes[0].Safe {
			safe = append(safe, d)
		}
	}
	if len(safe)*len(src.Text()) < maxProof {
		for _, d := range safe {
			d.Fixes[0].Safe = better(src, diag.List{d}, len(list))
		}
		if better(src, list, len(list)) {
			return
		}
	}
	for _, d := range safe {
		d.Fixes[0].Safe = false
	}
}

// better reports whether the text has fewer errors than that many when the safe
// fixes of the list, if there are any, have been applied.
func better(src *source.File, list diag.List, errors int) bool {
	fixes := list.SafeFixes()
	if len(fixes) == 0 {
		return true
	}
	text, _ := diag.Apply(src.Text(), fixes)
	_, again := parse(source.NewFile(src.Name(), text))
	return len(again) < errors
}
