package grammar

import "strings"

// This file holds the mistakes that are made with annotations.

// secondIdentity tells that @@ does not stand where it must, before first.
func (b *builder) secondIdentity(a, first *annotation) {
	start, end := a.Pos.Offset, a.Identified.subject.Span().End
	p := b.note(start, start+len("@@"), "@@ stands once, before all other annotations")
	p.mend(func(text string) []fix {
		if first.Identified != nil {
			return []fix{change("remove it", start, end, "")}
		}
		blanks := len(text[end:]) - len(strings.TrimLeft(text[end:], " \t"))
		return []fix{{title: "move it to the front", safe: true, edits: []edit{
			{first.Pos.Offset, first.Pos.Offset, text[start:end] + " "},
			{start, end + blanks, ""},
		}}}
	})
}

// annotationFixes returns the fixes of an annotation that participle refused,
// the last of an item that starts with token start.
func (b *builder) annotationFixes(start int, parsed *item) remedy {
	at := b.pos
	if at == start {
		return nil
	}
	t, before := b.tokens[at], b.tokens[at-1]
	switch {
	case t.kind == tokDouble || t.kind == tokSingle: // @"key"
		text, _ := unquote(t.text)
		return func(string) []fix { return []fix{write(t.begin(), t.end(), asName(text)).surely()} }
	case before.kind == tokLeftParen && t.kind == tokRightParen: // @key()
		return func(string) []fix { return []fix{insert("true", t.begin())} }
	}
	if n := len(parsed.Annotations); n > 0 && parsed.Annotations[n-1].Close != nil {
		last := parsed.Annotations[n-1]
		key := fromWindow(last.Key)
		return func(text string) []fix { // @key (a)
			if blank := text[key.end():]; !strings.HasPrefix(blank, "(") {
				return []fix{insert("(true)", key.end())}
			}
			return nil
		}
	}
	return nil
}

// recordFix writes the record behind @@name as annotations.
func recordFix(c *cursor, start int) remedy {
	r := c.record()
	end := c.end()
	if len(r.Properties) == 0 {
		return func(string) []fix { return []fix{change("remove the record", start, end, "")} }
	}
	return func(text string) []fix {
		var all []string
		for _, p := range r.Properties {
			if p.Value == nil || symbolLength(p.Key.Raw) < len(p.Key.Raw) {
				return nil
			}
			value := p.Value.Span()
			all = append(all, "@"+p.Key.Raw+"("+text[value.Start:value.End]+")")
		}
		return []fix{change("write annotations", start, end, strings.Join(all, " "))}
	}
}
