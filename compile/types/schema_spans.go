package types

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gram-lang/gramc/internal/jsonpointer"
	"github.com/gram-lang/gramc/internal/report"
	"github.com/gram-lang/gramc/source"
)

// schemaSpansOf returns where the parts of t are written that a RawJSON pointer into
// its schema leads through, the last one last. The schema refers to defs.
func (t *Type) schemaSpansOf(pointer string, defs []*TypeDef) (places []source.Span) {
	add := func(s source.Span) {
		if !s.IsZero() {
			places = append(places, s)
		}
	}
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	if steps[0] == "$defs" && len(steps) > 1 {
		i := slices.IndexFunc(defs, func(d *TypeDef) bool { return d.key() == jsonpointer.Key(steps[1]) })
		if i < 0 {
			return nil
		}
		t, steps = defs[i].Type, steps[2:]
		add(report.NameSpan(defs[i].Pattern))
	} else {
		add(t.Span)
	}
	for len(steps) > 0 && t != nil {
		step, key := steps[0], ""
		if len(steps) > 1 {
			key = jsonpointer.Key(steps[1])
		}
		whole := t.Resolved()
		switch f := whole.Field(key); {
		case step == "properties" && f != nil:
			add(f.Span)
			t, steps = f.Type, steps[2:]
			continue
		case step == "items":
			t, steps = whole.Elem, steps[1:]
		case step == "additionalProperties" && whole.Rest != nil:
			t, steps = whole.Rest, steps[1:]
		case step == "anyOf" || step == "oneOf":
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(whole.Union) {
				return places
			}
			t, steps = whole.Union[i], steps[2:]
		default:
			add(t.schemaKeywordSpan(step))
			return places
		}
		if t != nil {
			add(t.Span)
		}
	}
	return places
}

// schemaKeywordSpan returns where a keyword of t, or of a named type behind it, is
// written; zero when it has none.
func (t *Type) schemaKeywordSpan(keyword string) source.Span {
	for ; t != nil; t = t.Def.Type {
		for _, k := range t.Keywords {
			if k.Name == keyword {
				return k.Span
			}
		}
		if t.Def == nil {
			break
		}
	}
	return source.Span{}
}

// SchemaSpans returns a function that finds where the parts of t are written that a
// RawJSON pointer into its schema leads through, the last one last.
func (t *Type) SchemaSpans() func(pointer string) []source.Span {
	w := &schemaWriter{}
	w.root(t, "")
	return func(pointer string) []source.Span { return t.schemaSpansOf(pointer, w.defs) }
}
