package compile

import "github.com/gram-lang/gramc/ast"

// This file keeps the work for a small file that imports large ones small: of
// the types of imported files only those are lowered that something may use.

// sparing runs work with a compiler that spares imported types. If one of them is
// asked for all the same, it runs work again with a compiler that spares none.
func sparing(f *ast.File, o *Options, work func(c *compiler)) {
	c := prepare(f, o)
	c.sparing = true
	c.lowerTypes()
	work(c)
	if c.missed {
		work(newCompiler(f, o))
	}
}

// fewTypes is how many imported types are lowered without asking who uses them.
const fewTypes = 32

// spare takes the imported types out of a list of which no name stands in the
// file, in an imported tool that an agent of it has, or in a type that is left.
// That leaves more than is used, but is found by looking at words alone.
func (c *compiler) spare(all []*TypeDef) []*TypeDef {
	isImported := func(d *TypeDef) bool { return c.imported(d.pattern.Span()) }
	others := 0
	for _, d := range all {
		if isImported(d) {
			others++
		}
	}
	if others <= fewTypes || c.main.Source == nil {
		return all
	}
	texts := []string{c.main.Source.Text()}
	for _, a := range c.names.agents {
		for e := range a.Tools() {
			if t, ok := c.names.Tool(e); ok && c.imported(t.Span()) {
				texts = append(texts, t.Span().Text())
			}
		}
	}
	needed := map[string]bool{}
	for len(texts) > 0 {
		text := texts[len(texts)-1]
		texts = texts[:len(texts)-1]
		eachWord(text, func(word string) {
			if d := c.types.byName[word]; d != nil && !needed[word] && isImported(d) {
				needed[word] = true
				texts = append(texts, d.pattern.Span().Text())
			}
		})
	}
	left := make([]*TypeDef, 0, len(all)-others+len(needed))
	for _, d := range all {
		if isImported(d) && !needed[d.Name] {
			d.spared, d.wrong = true, true
			continue
		}
		left = append(left, d)
	}
	return left
}

// eachWord calls do with all that can be the name of a type in a text.
func eachWord(text string, do func(word string)) {
	for i := 0; i < len(text); i++ {
		if !isNameStart(text[i]) {
			continue
		}
		start := i
		for i < len(text) && isNamePart(text[i]) {
			i++
		}
		do(text[start:i])
	}
}
