package types

import ()

// fewTypes is how many imported types are lowered without asking who uses them.
const fewTypes = 32

// skipLazyTypes takes the imported types out of a list of which no name stands in the
// file, in an imported tool that an agent of it has, or in a type that is left.
// That leaves more than is used, but is found by looking at words alone.
func (c *Checker) skipLazyTypes(all []*TypeDef) []*TypeDef {
	isImported := func(d *TypeDef) bool { return c.IsImported(d.Pattern.Span()) }
	others := 0
	for _, d := range all {
		if isImported(d) {
			others++
		}
	}
	if others <= fewTypes || c.File.Source == nil {
		return all
	}
	texts := c.Mentions()
	needed := map[string]bool{}
	for len(texts) > 0 {
		text := texts[len(texts)-1]
		texts = texts[:len(texts)-1]
		eachLazyTypeWord(text, func(word string) {
			if d := c.Named.byName[word]; d != nil && !needed[word] && isImported(d) {
				needed[word] = true
				texts = append(texts, d.Pattern.Span().Text())
			}
		})
	}
	left := make([]*TypeDef, 0, len(all)-others+len(needed))
	for _, d := range all {
		if isImported(d) && !needed[d.Name] {
			d.skipped, d.Wrong = true, true
			continue
		}
		left = append(left, d)
	}
	return left
}

// eachLazyTypeWord calls do with all that can be the name of a type in a text.
func eachLazyTypeWord(text string, do func(word string)) {
	for i := 0; i < len(text); i++ {
		if !isFieldNameStart(text[i]) {
			continue
		}
		start := i
		for i < len(text) && isFieldNamePart(text[i]) {
			i++
		}
		do(text[start:i])
	}
}
